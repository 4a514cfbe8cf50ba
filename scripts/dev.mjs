import "./prepare-node.mjs";
import { spawn } from "node:child_process";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed } from "./prepare-step.mjs";

try {
  await prepare({ pages: false });
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}

const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
const args = ["node_modules/next/dist/bin/next", "dev", "--hostname", HOST, "--port", PORT];
const child = spawn(process.execPath, args, {
  cwd: ROOT,
  env: { ...process.env, PORT, NEXT_TELEMETRY_DISABLED: "1" },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 0));
