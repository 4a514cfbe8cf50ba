import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { writeApiRoutes } from "./scripts/api-routes.mjs";

writeApiRoutes();

/**
 * The name of a test file selects its databases. A file `*service.test.ts` runs on both databases, and a file
 * `*.sqlite.test.ts` or `*.postgresql.test.ts` runs on one database. Every other test file runs without a
 * database.
 */
const named = (ending: string) => [`src/**/*${ending}.test.ts`, `app/**/*${ending}.test.ts`];
/** The tests of pages replace modules of Next. */
const PAGES = ["src/**/*.sqlite.test.tsx", "app/**/*.sqlite.test.tsx"];

const BOTH = named("service");
const SQLITE = named(".sqlite");
const POSTGRESQL = named(".postgresql");

/**
 * Each file opens and closes a separate database. Modules are not isolated, because loading the modules for
 * each file would take longer than most tests.
 */
const SHARED = { isolate: false, setupFiles: ["src/testing/setup.ts"] };
const APART = { setupFiles: ["src/testing/setup.ts"] };
const ON_SQLITE = {
  globalSetup: ["src/testing/sqlite-template.ts"],
  provide: { provider: "sqlite" as const },
};
const ON_POSTGRESQL = {
  globalSetup: ["src/testing/postgresql-server.ts"],
  provide: { provider: "postgresql" as const },
};

export default defineConfig({
  resolve: { alias: { "@": resolve("src"), "@app": resolve("app") } },
  test: {
    // The number of workers is one higher than the number of cores, because tests often wait for their
    // databases.
    maxWorkers: 3,
    // The timeouts are longer than the duration of any test, so that no test fails on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // The Vitest projects share transformed modules in this cache.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.{ts,tsx}", "app/**/*.test.{ts,tsx}"],
          exclude: [...BOTH, ...PAGES, ...SQLITE, ...POSTGRESQL],
          ...SHARED,
        },
      },
      { extends: true, test: { name: "sqlite", include: [...BOTH, ...SQLITE], ...SHARED, ...ON_SQLITE } },
      { extends: true, test: { name: "sqlite-pages", include: PAGES, ...APART, ...ON_SQLITE } },
      {
        extends: true,
        test: { name: "postgresql", include: [...BOTH, ...POSTGRESQL], ...SHARED, ...ON_POSTGRESQL },
      },
    ],
  },
});
