// Serves like `npm start`, but does not check whether the builds are current: the tests start many servers, and `npm
// test` has built them before. `e2e/demo.spec.ts` starts a server as `npm start` does.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** @type {{ main: (argv: readonly string[]) => Promise<number> }} */
const { main } = await import(pathToFileURL(resolve("dist/gatehouse.mjs")).href);
process.exit(await main(["serve"]));
