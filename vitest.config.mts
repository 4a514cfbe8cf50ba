import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { writeApiRoutes } from "./scripts/api-routes.mjs";

writeApiRoutes();

/**
 * The name of a file decides where it runs: `*service.test.ts` on both databases, `*.sqlite.test.ts` and
 * `*.postgresql.test.ts` on one, and every other test once, without a database.
 */
const named = (ending: string) => [`src/**/*${ending}.test.ts`, `app/**/*${ending}.test.ts`];
/** Tests of pages, which put something in the place of modules of the page framework. */
const PAGES = ["src/**/*.sqlite.test.tsx", "app/**/*.sqlite.test.tsx"];

const BOTH = named("service");
const SQLITE = named(".sqlite");
const POSTGRESQL = named(".postgresql");

/** Each file opens a database of its own, and closes it; loading our modules anew would take longer than most tests. */
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
    // One more than cores: tests wait for their databases a good part of the time.
    maxWorkers: 3,
    // Tests with several processes take their time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The modules that a project has transformed are not transformed again for the others.
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
