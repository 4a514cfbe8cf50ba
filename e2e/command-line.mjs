// Runs the commands that the parent process sends, one after another, in one process.
// Loading the program takes longer than most commands.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** @type {{ main: (argv: readonly string[]) => Promise<number> }} */
const { main } = await import(pathToFileURL(resolve("dist/gatehouse.mjs")).href);

const written = { stdout: "", stderr: "" };
for (const name of /** @type {const} */ (["stdout", "stderr"]))
  process[name].write = (/** @type {string | Uint8Array} */ text) => {
    written[name] += text;
    return true;
  };

/** @type {Promise<void>} */
let queue = Promise.resolve();
process.on("message", (/** @type {{ id: number, argv: readonly string[] }} */ { id, argv }) => {
  queue = queue.then(async () => {
    Object.assign(written, { stdout: "", stderr: "" });
    const code = await main(argv);
    process.send?.({ id, code, ...written });
  });
});
process.on("disconnect", () => process.exit());
