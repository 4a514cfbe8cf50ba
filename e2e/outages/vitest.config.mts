import { defineConfig } from "vitest/config";

/** The fault tests: `npm run test:faults`. Each test file starts its own server processes from `dist`. */
export default defineConfig({
  test: {
    include: ["e2e/outages/*.fault.ts"],
    // The kill loops on both databases run simultaneously.
    maxWorkers: 2,
    // A hundred kills take six minutes on an idle machine with two cores, and several times as long on a busy one.
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    reporters: ["verbose"],
  },
});
