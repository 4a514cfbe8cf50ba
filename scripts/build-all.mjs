// Installs missing packages and builds the server and the pages: `npm run build`.
import "./prepare-node.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, runCommand } from "./prepare-step.mjs";

process.chdir(ROOT);
await runCommand(() => prepare({ pages: true }));
