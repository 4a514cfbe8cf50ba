import "./prepare-node.mjs";
import { runGatehouse } from "./start-gatehouse.mjs";

await runGatehouse(["serve", ...process.argv.slice(2)]);
