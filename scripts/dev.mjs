import "./prepare-node.mjs";
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { API_FOLDER, writeApiRoutes } from "./api-routes.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, runCommand } from "./prepare-step.mjs";

await runCommand(() => prepare({ pages: false, packages: "development" }));

// A new or deleted route file changes the API documents, because the documents are generated from all route
// files.
watch(join(ROOT, API_FOLDER), { recursive: true }, writeApiRoutes).unref();

const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
const args = ["node_modules/next/dist/bin/next", "dev", "--hostname", HOST, "--port", PORT];
const child = spawn(process.execPath, args, {
  cwd: ROOT,
  env: { ...process.env, PORT, NEXT_TELEMETRY_DISABLED: "1" },
  stdio: "inherit",
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 0));
