import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/**
 * The headless shell of Chromium is preferred, because this browser has no user interface and needs a third
 * less processor time.
 */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/**
 * Options for a browser without a display, in a container, and without telemetry.
 * @type {readonly string[]}
 */
export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Returns the path of the Chromium for the tests: `CHROMIUM_PATH`, an installed Chromium, or Playwright's
 * own.
 * @returns {string | null} null when no Chromium is found.
 */
export function findBrowser() {
  const configured = process.env["CHROMIUM_PATH"];
  if (configured) return isExecutable(configured) ? configured : null;
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  const installed = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...installed, chromium.executablePath()].find(isExecutable) ?? null;
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
