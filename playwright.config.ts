import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "./e2e/browser.mjs";
import type { InstanceOptions } from "./e2e/fixtures.ts";

const executablePath = findBrowser();

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
    // Those that take turns with the processors come first. What does not touch the database would only be the same
    // again.
    {
      name: "postgresql",
      use: { database: "postgresql" },
      testMatch: ["oauth/{authorization-code,races,storm}.spec.ts"],
    },
    // In the order of their paths: the longest comes first. A project of its own would need workers of its own.
    { name: "sqlite", use: { database: "sqlite" } },
  ],
});
