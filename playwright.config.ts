import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "./e2e/browser.mjs";
import type { InstanceOptions } from "./e2e/fixtures.ts";

const executablePath = findBrowser();

export default defineConfig<object, InstanceOptions>({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // The number of workers is one higher than the number of cores, because specs often wait for servers,
  // programs and polls.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  // A test that passes on its second attempt counts as failed.
  retries: 0,
  // The timeout is longer than the duration of any test, so that no test fails on a busy machine.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    launchOptions: { args: [...BROWSER_ARGS], ...(executablePath === null ? {} : { executablePath }) },
    // Recording a trace of every test would slow the tests down considerably.
    trace: "off",
  },
  projects: [
    // Specs that use much processor time run first. On PostgreSQL, only specs run that together use the tables
    // of the OAuth flows. Other specs run with SQLite only, because service tests check the statements of each
    // store on both databases. The modules of the Basic OP certification plan run on PostgreSQL, and the same
    // modules run with form_post on SQLite (`form-post-op.spec.ts`).
    {
      name: "postgresql",
      use: { database: "postgresql" },
      testMatch: [
        "oauth/{authorization-code,races,storm}.spec.ts",
        "conformance/basic-op.spec.ts",
        "interop/strong-client.spec.ts",
      ],
    },
    // The specs run in the alphabetical order of their paths, and the path of the longest spec is the first
    // path. A separate project for the longest spec would need separate workers.
    { name: "sqlite", use: { database: "sqlite" }, testIgnore: ["conformance/basic-op.spec.ts"] },
  ],
});
