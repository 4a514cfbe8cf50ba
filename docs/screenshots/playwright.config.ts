import { defineConfig } from "@playwright/test";
import everyday from "../../playwright.config.ts";

/** `npm run screenshots` makes the pictures beside this file anew. */
export default defineConfig({
  ...everyday,
  testDir: ".",
  testMatch: "take.ts",
  workers: 1,
  projects: [{ name: "screenshots", use: { database: "sqlite" } }],
});
