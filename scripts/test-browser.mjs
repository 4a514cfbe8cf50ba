import { capture, run, StepFailed, step } from "./prepare-step.mjs";

/**
 * If Chromium is missing, installs the package of the distribution if possible, otherwise the Chromium of
 * Playwright.
 */
export async function ensureBrowser() {
  const { findBrowser } = await import("../e2e/browser.mjs");
  if (findBrowser() !== null) return;
  if (process.env["CHROMIUM_PATH"])
    throw new StepFailed(`CHROMIUM_PATH is not the path of a program: ${process.env["CHROMIUM_PATH"]}`);
  await step("Installing a browser", installBrowser);
  if (findBrowser() === null)
    throw new StepFailed(
      "Chromium was not found. Install Chromium, and set CHROMIUM_PATH if Chromium is not in PATH.",
    );
}

async function installBrowser() {
  const isDebian = (await capture("apt-get", ["--version"])).code === 0;
  if (isDebian && process.getuid?.() === 0) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const updated = await capture("apt-get", ["update"], env);
    for (const name of ["chromium-headless-shell", "chromium"]) {
      const { code } = await capture("apt-get", ["install", "-y", "--no-install-recommends", name], env);
      if (updated.code === 0 && code === 0) return;
    }
  }
  try {
    await run(process.execPath, ["node_modules/playwright/cli.js", "install", "chromium"]);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    throw new StepFailed(
      `Chromium is not installed and could not be downloaded. Install Chromium, and set CHROMIUM_PATH if Chromium is not in PATH.\n${error.message}`,
    );
  }
}
