import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, test } from "@playwright/test";
import { releaseOf } from "../../scripts/release-files.mjs";

/** The files that `npm pack` adds to every package. */
const ADDED = /^(?:package\.json|README\.md|LICENSE)$/;

/** The kinds of files of a release. */
const KINDS = [
  /^bin\/gatehouse\.mjs$/,
  /^scripts\/(?:prepare-node|prepare-step|release-packages|start-gatehouse)\.mjs$/,
  /^dist\/(?:[\w.-]+\/)*[\w.-]+\.mjs$/,
  /^dist\/page-packages\.json$/,
  /^dist\/browser\/[\w./-]+$/,
  /^\.next\/[^/]+(?:\.json|\.js)?$/,
  /^\.next\/(?:server|static)\/.+\.(?:js|json|css|html|woff2|svg|ico|png|txt|body|meta|rsc)$/,
  /^public\/.+$/,
  /^prisma\/(?:sqlite|postgresql)\/migrations\/.+\.(?:sql|toml)$/,
  /^next\.config\.mjs$/,
  /^src\/server\/url-table\.mjs$/,
  /^src\/identity\/users\/common-passwords\.bloom$/,
  /^src\/kernel\/db\/generated\/(?:sqlite|postgresql)\/query_compiler\.wasm$/,
  /^deploy\/[\w.]+$/,
  /^docs\/operations(?:\.md|\/[\w.-]+)$/,
  /^CHANGELOG\.md$/,
];
/**
 * The files that a package must not contain: sources, tests, source maps, the lock file, and files that may
 * contain a secret.
 */
const NEVER =
  /\.tsx?$|\.test\.|\.spec\.|\.map$|^e2e\/|package-lock|(?:^|\/)\.env|(?:^|\/)secret$|\.db$|\.pem$/;
/** The programs and packages that only the build uses. */
const BUILD_ONLY =
  /^(?:esbuild|tailwindcss|@tailwindcss\/.*|postcss|prisma|@prisma\/(?:engines|schema-engine-wasm)|typescript|vitest|playwright)$/;

/** The build folders that contain only files of the last build. */
const PAGES = [".next/server", ".next/static", "dist/browser"];
const FOLDERS = [
  "public",
  "prisma/sqlite/migrations",
  "prisma/postgresql/migrations",
  "deploy",
  "docs/operations",
];
const ALONE = [
  ".next/BUILD_ID",
  // Next.js refuses to render any page if the file `.next/required-server-files.json` is missing.
  ".next/required-server-files.json",
  "dist/page-packages.json",
  "bin/gatehouse.mjs",
  ...["prepare-node", "prepare-step", "release-packages", "start-gatehouse"].map(
    (name) => `scripts/${name}.mjs`,
  ),
  "next.config.mjs",
  "src/server/url-table.mjs",
  "src/identity/users/common-passwords.bloom",
  "src/kernel/db/generated/sqlite/query_compiler.wasm",
  "src/kernel/db/generated/postgresql/query_compiler.wasm",
  "docs/operations.md",
  "CHANGELOG.md",
  "README.md",
  "LICENSE",
];
/** Files of a checkout that must not become part of the package. */
const UNWANTED = [
  ...[
    ".env",
    "data/secret",
    "data/gatehouse.db",
    "src/server/main.ts",
    "scripts/pack.mjs",
    "package-lock.json",
  ],
  ...[
    ".next/cache/page.js",
    ".next/types/page.ts",
    ".next/server/page.js.map",
    ".next/node_modules/pg/index.js",
  ],
  ...["dist/old-part.mjs", "dist/gatehouse.mjs.map", "e2e/page.spec.ts", "prisma/models/user.prisma"],
];
/** Parts of the builds that the package does not contain. */
const UNUSED = /\.map$|\.nft\.json$/;

/** Returns the files of the last build of the server, without files of earlier builds. */
const serverParts = (): readonly string[] => JSON.parse(readFileSync("dist/parts.json", "utf8"));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative("", entry.parentPath), entry.name));

type Release = Readonly<{ dependencies: Readonly<Record<string, string>>; files: readonly string[] }>;

test.describe("the package that `npm pack` creates", () => {
  let folder = "";
  let release: Release;
  let packed: readonly string[] = [];
  const built = [...PAGES.flatMap(filesIn), ...serverParts()].filter((path) => !UNUSED.test(path));

  /**
   * Adds an empty file. The tests need only the name of the file, and `npm pack` would need time for its
   * content.
   */
  const add = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  };

  test.beforeAll(() => {
    if (!existsSync(".next/BUILD_ID")) throw new Error("The pages are not built. Run: npm run build");
    folder = mkdtempSync(join(tmpdir(), "gatehouse-release-"));
    release = releaseOf(JSON.parse(readFileSync("package.json", "utf8")));
    for (const path of [...built, ...UNWANTED, ...ALONE, ...FOLDERS.flatMap(filesIn)]) add(path);
    writeFileSync(join(folder, "package.json"), JSON.stringify(release));
    const { stdout, stderr } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (stdout === "") throw new Error(stderr);
    const [result] = JSON.parse(stdout) as { files: { path: string }[] }[];
    packed = (result?.files ?? []).map(({ path }) => path);
  });

  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("the package contains only files of the expected kinds", () => {
    const isExpected = (path: string) => ADDED.test(path) || KINDS.some((kind) => kind.test(path));
    expect(packed.filter((path) => !isExpected(path))).toEqual([]);
    expect(packed.filter((path) => NEVER.test(path))).toEqual([]);
    for (const kind of KINDS)
      expect(
        packed.some((path) => kind.test(path)),
        String(kind),
      ).toBe(true);
  });

  test("the package contains every built page and route, even if the name of the folder contains brackets", () => {
    const brackets = built.filter((path) => path.includes("["));
    expect(brackets.length).toBeGreaterThan(100);
    const all = new Set(packed);
    expect(built.filter((path) => !all.has(path))).toEqual([]);
    expect(ALONE.filter((path) => !all.has(path))).toEqual([]);
  });

  test("the package does not depend on packages that only the build uses, and depends on each package that the server imports", () => {
    const names = Object.keys(release.dependencies);
    expect(names.filter((name) => BUILD_ONLY.test(name))).toEqual([]);
    const imported = packed
      .filter((path) => /^(?:bin|scripts|dist)\/.*\.mjs$/.test(path) && !path.startsWith("dist/browser/"))
      .flatMap((path) => importsOf(readFileSync(path, "utf8")));
    expect(imported.length).toBeGreaterThan(10);
    const missing = [...new Set(imported)].filter((name) => !names.includes(name));
    expect(missing).toEqual([]);
  });
});

/** Returns the names of the packages that a bundle imports. */
const importsOf = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^;"']*?["']([^"'./][^"']*)["'];?$|\bimport\("([^"'./][^"']*)"\)/gm,
    ),
  ]
    .map(([, first, second]) => first ?? second ?? "")
    .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name) && !name.startsWith("@/"))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
