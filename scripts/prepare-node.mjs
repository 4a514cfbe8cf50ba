/** Imported first of all: says in a sentence what would otherwise fail in the middle of something else. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Gatehouse needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
