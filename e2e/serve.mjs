// Starts a server as `npm start` does, but does not check whether the builds are current. The tests start
// many servers, and `npm test` has already built the server and the pages. `e2e/demo.spec.ts` starts a server
// as `npm start` does.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** @type {{ main: (argv: readonly string[]) => Promise<number> }} */
const { main } = await import(pathToFileURL(resolve("dist/gatehouse.mjs")).href);
process.exit(await main(["serve"]));
