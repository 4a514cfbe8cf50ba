import { defineConfig } from "@playwright/test";
import type { InstanceOptions } from "../../e2e/fixtures.ts";
import everyday from "../../playwright.config.ts";

/**
 * `npm run screenshots` replaces the screenshots in docs/screenshots. `SHEETS=FOLDER npm run screenshots`
 * writes contact sheets of all pages into another folder. The pages on the contact sheets show data that is
 * difficult to lay out, such as long names.
 */
export default defineConfig<object, InstanceOptions>({
  ...everyday,
  globalSetup: "./prepare.ts",
  testDir: ".",
  testMatch: process.env["SHEETS"] ? "sheets.ts" : "take.ts",
  workers: 1,
  projects: [{ name: "screenshots", use: { database: "sqlite" } }],
});
