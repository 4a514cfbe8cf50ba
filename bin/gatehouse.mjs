#!/usr/bin/env node
import "../scripts/prepare-node.mjs";
import { runGatehouse } from "../scripts/start-gatehouse.mjs";

await runGatehouse(process.argv.slice(2));
