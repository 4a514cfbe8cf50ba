import { defineConfig } from "@playwright/test";
import type { InstanceOptions } from "../../e2e/fixtures.ts";
import everyday from "../../playwright.config.ts";

/** `npm run screenshots` replaces the screenshots in this folder. */
export default defineConfig<object, InstanceOptions>({
  ...everyday,
  globalSetup: "./prepare.ts",
  testDir: ".",
  testMatch: "take.ts",
  workers: 1,
  projects: [{ name: "screenshots", use: { database: "sqlite" } }],
});
