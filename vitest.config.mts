import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { writeApiRoutes } from "./scripts/api-routes.mjs";

writeApiRoutes();

/**
 * The name of a file decides where it runs: `*service.test.ts` on both databases, `*.sqlite.test.ts` and
 * `*.postgresql.test.ts` on one, and every other test once, without a database.
 */
const named = (ending: string) => [`src/**/*${ending}.test.{ts,tsx}`, `app/**/*${ending}.test.{ts,tsx}`];

const BOTH = named("service");
const SQLITE = named(".sqlite");
const POSTGRESQL = named(".postgresql");

const setupFiles = ["src/testing/setup.ts"];

export default defineConfig({
  resolve: { alias: { "@": resolve("src"), "@app": resolve("app") } },
  test: {
    // One more than cores: tests wait for their databases a good part of the time.
    maxWorkers: 3,
    // Tests with several processes take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: named(""), exclude: [...BOTH, ...SQLITE, ...POSTGRESQL] },
      },
      {
        extends: true,
        test: { name: "sqlite", include: [...BOTH, ...SQLITE], setupFiles, provide: { provider: "sqlite" } },
      },
      {
        extends: true,
        test: {
          name: "postgresql",
          include: [...BOTH, ...POSTGRESQL],
          setupFiles,
          globalSetup: ["src/testing/postgresql-server.ts"],
          provide: { provider: "postgresql" },
        },
      },
    ],
  },
});
