// Runs the commands that the parent process sends, one after another, each with its own environment variables.
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
/** @typedef {{ id: number, env: NodeJS.ProcessEnv, argv: readonly string[] }} Command */
process.on("message", (/** @type {Command} */ { id, env, argv }) => {
  queue = queue.then(async () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(written, { stdout: "", stderr: "" });
    const code = await main(argv);
    process.send?.({ id, code, ...written });
  });
});
process.on("disconnect", () => process.exit());
