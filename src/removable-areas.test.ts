import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { importsOf } from "@/testing/architecture.ts";

/** Matches the files of the areas that can be removed. */
const REMOVABLE = /^src\/(?:code|registries|review|error-tracking|fleet|webhooks)\//;

/** The other files that import files of removable areas, and that are edited when an area is removed. */
const EDITED: readonly string[] = [
  "app/projects/[id]/layout.tsx",
  "app/projects/[id]/page.tsx",
  "src/cli/commands/doctor.ts",
  "src/cli/commands/registry.ts",
  "src/cli/commands/storage.ts",
  "src/operations/backup/service.ts",
  "src/operations/backup/verification.ts",
  "src/operations/deprecated-uses/catalog.ts",
  "src/operations/overview/service.ts",
  "src/operations/own-account/data-export.ts",
  "src/operations/pruning/service.ts",
  "src/server/compose.ts",
  "src/server/mcp-tools.ts",
  "src/server/mcp.ts",
  "src/server/prepared-writes.ts",
  "src/server/rest-api.ts",
];

/** Returns the imports of all files without tests and test helpers, by path. */
function importsByFile(): ReadonlyMap<string, readonly string[]> {
  const paths = ["src", "app"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !path.startsWith("src/testing/") && !path.includes("/generated/"));
  return new Map(paths.map((path) => [path, importsOf(path, readFileSync(path, "utf8"))]));
}

/** Returns the files outside the removable areas that import removed files. */
function importersOfRemovedFiles(files: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const importsRemovable = (path: string) => files.get(path)?.some((target) => REMOVABLE.test(target));
  // A file of a route is removed together with the area that the file imports.
  const removed = new Set(
    [...files.keys()].filter(
      (path) =>
        REMOVABLE.test(path) ||
        (path.startsWith("app/") && !EDITED.includes(path) && importsRemovable(path) === true),
    ),
  );
  const isRemoved = (target: string) =>
    ["", ".ts", ".tsx"].some((extension) => removed.has(`${target}${extension}`));
  return [...files]
    .filter(([path, targets]) => !removed.has(path) && targets.some(isRemoved))
    .map(([path]) => path)
    .toSorted();
}

const FILES = importsByFile();

it("outside the removable areas, only a few files and the files of routes import files of removable areas", () => {
  expect(importersOfRemovedFiles(FILES)).toEqual(EDITED);
});

it("a file that imports a removable area, or a removed file of a route, is found", () => {
  const planted = new Map([
    ...FILES,
    ["src/workspace/projects/planted.ts", ["src/code/repositories/service"]],
    ["src/workspace/projects/second.ts", ["app/projects/[id]/merge_requests/page"]],
  ]);
  const importers = ["src/workspace/projects/planted.ts", "src/workspace/projects/second.ts"];
  expect(importersOfRemovedFiles(planted)).toEqual([...EDITED, ...importers].toSorted());
});
