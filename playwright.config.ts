import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "./e2e/browser.mjs";
import type { InstanceOptions } from "./e2e/fixtures.ts";

const executablePath = findBrowser();

const LONGEST = "**/pages/accessibility.spec.ts";

export default defineConfig<object, InstanceOptions>({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // One more than cores: specs wait for servers, programs and polls a good part of the time.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  // A test that passes at its second try has failed.
  retries: 0,
  // Longer than any test takes: a busy machine fails none.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    launchOptions: { args: [...BROWSER_ARGS], ...(executablePath === null ? {} : { executablePath }) },
    // Traces of every test would cost a good part of their time.
    trace: "off",
  },
  projects: [
    // The longest begins first, and then those that take turns with the processors, so that nothing waits for them in
    // the end.
    { name: "accessibility", use: { database: "sqlite" }, testMatch: LONGEST },
    // What does not touch the database would only say the same again.
    {
      name: "postgresql",
      use: { database: "postgresql" },
      testMatch: ["oauth/{authorization-code,races,storm}.spec.ts"],
    },
    { name: "sqlite", use: { database: "sqlite" }, testIgnore: LONGEST },
  ],
});
