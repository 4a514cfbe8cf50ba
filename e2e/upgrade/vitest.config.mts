import { defineConfig } from "vitest/config";

/**
 * The upgrade tests: `npm run test:upgrade`. Each test file starts servers of the last release and of this
 * checkout.
 */
export default defineConfig({
  test: {
    include: ["e2e/upgrade/*.upgrade.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    reporters: ["verbose"],
  },
});
