import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "@/testing/folder.ts";

/**
 * Matches imports of the areas that can be removed. Route files that import a removable area are removed
 * together with the area.
 */
const REMOVABLE = /"(?:@|\.\.(?:\/\.\.)*)\/(?:code|registries|review|error-tracking|fleet|webhooks)\//;
const BELOW_REMOVABLE = /^src\/(?:code|registries|review|error-tracking|fleet|webhooks)\//;

/** The other files that name removable areas, and that are edited or deleted when an area is removed. */
const EDITED: readonly string[] = [
  "app/projects/[id]/layout.tsx",
  "app/projects/[id]/page.tsx",
  "src/cli/commands/doctor.ts",
  "src/cli/commands/registry.ts",
  "src/cli/commands/storage.ts",
  "src/operations/backup/service.ts",
  "src/operations/backup/verification.ts",
  "src/operations/overview/service.ts",
  "src/operations/own-account/data-export.ts",
  "src/operations/pruning/service.ts",
  "src/server/compose.ts",
  "src/server/mcp-tools.ts",
  "src/server/mcp.ts",
  "src/server/prepared-writes.ts",
  "src/server/rest-api.ts",
];

/** The path of a file that is generated from the existing route files. */
const ROUTES = "src/server/generated/api-routes.ts";

/**
 * The file that lists the deprecations of all areas. The copy of this file must not list the deprecations of
 * the removed areas, because the other files use a type with the names of all deprecations.
 */
const DEPRECATIONS = "src/operations/deprecated-uses/catalog.ts";
const withoutRemovable = (text: string): string =>
  text
    .replace(/^import .*"@\/(?:fleet|review)\/.*\n/gm, "")
    .replace(/^ +\.\.\.(?:FLEET|REVIEW)_\w+,\n/gm, "");

const NEXT_TYPES = '/// <reference types="next" />\n/// <reference types="next/image-types/global" />\n';

const PLANTED = "src/workspace/projects/planted.ts";

/**
 * Returns the files of the project that remain after the areas are removed, without tests and test helpers.
 */
function remainingFiles(): readonly string[] {
  return ["src", "app"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.(?:tsx?|mjs|css)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !path.startsWith("src/testing/") && !BELOW_REMOVABLE.test(path))
    .filter(
      (path) =>
        !path.startsWith("app/") || EDITED.includes(path) || !REMOVABLE.test(readFileSync(path, "utf8")),
    );
}

/** Type-checks a copy of the given files. Returns the files that have errors. */
function filesWithErrors(paths: readonly string[], planted: string): readonly string[] {
  const copy = temporaryFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(path, join(copy, path));
  }
  writeFileSync(join(copy, DEPRECATIONS), withoutRemovable(readFileSync(DEPRECATIONS, "utf8")));
  writeFileSync(join(copy, PLANTED), planted);
  for (const name of ["package.json", "releases.json", "tsconfig.json"]) cpSync(name, join(copy, name));
  // The test does not copy the file `next-env.d.ts` of the project, because a simultaneous build of the pages
  // may be writing this file.
  writeFileSync(join(copy, "next-env.d.ts"), NEXT_TYPES);
  writeFileSync(
    join(copy, "tsconfig.areas.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: ["src", "app", "next-env.d.ts"], exclude: [] }),
  );
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  const tsc = resolve("node_modules/typescript/bin/tsc");
  const args = [tsc, "--noEmit", "--incremental", "false", "--pretty", "false", "-p", "tsconfig.areas.json"];
  let output = "";
  try {
    execFileSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  } catch (cause) {
    output = String((cause as { stdout?: string }).stdout);
  }
  const files = [...output.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file);
  return [...new Set(files)].toSorted();
}

it("the project type-checks without the removable areas and their routes, except for the few files that import removable areas", () => {
  const planted = 'export { repositoryOf } from "@/code/repositories/service";\n';
  expect(filesWithErrors(remainingFiles(), planted)).toEqual([...EDITED, PLANTED, ROUTES].toSorted());
});
