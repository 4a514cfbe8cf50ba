// Installs missing packages and builds the server and the pages: `npm run build`.
import "./prepare-node.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed } from "./prepare-step.mjs";

process.chdir(ROOT);
try {
  await prepare({ pages: true });
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
