/**
 * Ends the process with a message if the version of Node is too old. This module must be the first import.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Gatehouse needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
