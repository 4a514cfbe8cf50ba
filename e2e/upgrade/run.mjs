// Runs the upgrade tests, `npm run test:upgrade`: the last release and this checkout on one database. The
// program passes its arguments to Vitest.
import "../../scripts/prepare-node.mjs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { prepare } from "../../scripts/prepare.mjs";
import { ROOT, runCommand } from "../../scripts/prepare-step.mjs";
import { releaseCheckout } from "./release-checkout.mjs";

process.chdir(ROOT);
await runCommand(async () => {
  const { folder } = await releaseCheckout();
  await prepare({ pages: true, packages: "development" });
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "e2e/upgrade/vitest.config.mts"];
  const env = { ...process.env, UPGRADE_FROM_FOLDER: folder };
  const child = spawn(process.execPath, [...command, ...process.argv.slice(2)], { env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
});
