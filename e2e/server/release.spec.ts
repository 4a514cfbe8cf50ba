import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { writeArchive } from "../../scripts/release-archive.mjs";
import { releaseDocuments, releaseOf } from "../../scripts/release-files.mjs";
import { type Instance, startInstance } from "../instance.ts";
import { stopDatabaseServer } from "../postgresql.ts";

/** The files that `npm pack` adds to every package. */
const ADDED = /^(?:package\.json|README\.md|LICENSE)$/;

/** The kinds of files of a release. */
const KINDS = [
  /^bin\/gatehouse\.mjs$/,
  /^scripts\/(?:prepare-node|prepare-step|start-gatehouse|unpack-release)\.mjs$/,
  /^dist\/(?:[\w.-]+\/)*[\w.-]+\.mjs$/,
  /^dist\/(?:page-packages\.json|release\.archive)$/,
  /^dist\/browser\/[\w./-]+$/,
  /^public\/.+$/,
  /^prisma\/(?:sqlite|postgresql)\/migrations\/.+\.(?:sql|toml)$/,
  /^next\.config\.mjs$/,
  /^src\/server\/url-table\.mjs$/,
  /^src\/identity\/users\/common-passwords\.bloom$/,
  /^src\/kernel\/db\/generated\/(?:sqlite|postgresql)\/query_compiler\.wasm$/,
  /^deploy\/[\w.-]+$/,
  /^docs\/(?:(?:decisions|operations)\/)?[\w.-]+\.(?:md|json|yml)$/,
  /^docs\/screenshots\/[\w-]+\.png$/,
  /^(?:ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/,
];
/**
 * The files that a release must not contain: sources, tests, source maps, the lock file, and files that may
 * contain a secret.
 */
const NEVER =
  /\.tsx?$|\.test\.|\.spec\.|\.map$|^e2e\/|^docs\/conformance\.md$|package-lock|(?:^|\/)\.env|(?:^|\/)secret$|\.db$|\.pem$/;
/** The programs and packages that only the build uses. */
const BUILD_ONLY =
  /^(?:esbuild|tailwindcss|@tailwindcss\/.*|postcss|prisma|@prisma\/(?:engines|schema-engine-wasm)|typescript|vitest|playwright)$/;

const FOLDERS = ["public", "prisma/sqlite/migrations", "prisma/postgresql/migrations", "deploy"];
const ALONE = [
  "bin/gatehouse.mjs",
  ...["prepare-node", "prepare-step", "start-gatehouse", "unpack-release"].map(
    (name) => `scripts/${name}.mjs`,
  ),
  "next.config.mjs",
  "src/server/url-table.mjs",
  "src/identity/users/common-passwords.bloom",
  "src/kernel/db/generated/sqlite/query_compiler.wasm",
  "src/kernel/db/generated/postgresql/query_compiler.wasm",
  "README.md",
  "LICENSE",
];
/** Files that packing creates, and that a checkout therefore lacks. */
const ARCHIVE = ["dist/page-packages.json", "dist/release.archive"];
/** Files of a checkout that must not become part of the package. */
const UNWANTED = [
  ...[
    ".env",
    "data/secret",
    "data/gatehouse.db",
    "src/server/main.ts",
    "scripts/pack.mjs",
    "package-lock.json",
    "docs/conformance.md",
  ],
  ...[".next/BUILD_ID", ".next/server/page.js", "node_modules/pg/index.js"],
  ...["dist/old-part.mjs", "dist/gatehouse.mjs.map", "e2e/page.spec.ts", "prisma/models/user.prisma"],
];
/** A picture that the server decodes and scales. */
const PICTURE = "docs/screenshots/consent-light-1280.png";

/** Returns the files of the last build of the server, without files of earlier builds. */
const serverParts = (): readonly string[] => JSON.parse(readFileSync("dist/parts.json", "utf8"));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative("", entry.parentPath), entry.name));

type Release = Readonly<{ dependencies: Readonly<Record<string, string>>; files: readonly string[] }>;

/** Packages that modules import only in builds, in optional parts or in comments, or that Next replaces by copies. */
const NOT_LOADED = new Set([
  "critters",
  "neostandard",
  "next-rspack",
  "pg-native",
  "process-warning",
  "react-server-dom-turbopack",
  "react-server-dom-webpack",
  "server-only",
  "webpack",
]);

/** Runs a program and returns its output. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

test.describe("the package that `npm pack` creates", () => {
  let folder = "";
  let release: Release;
  let packed: readonly string[] = [];
  /** The folder of the package after the package was installed and the first command was run. */
  let installed = "";
  /** The paths of the files that were unpacked from the archive into the folder `.next`. */
  let unpacked: readonly string[] = [];

  test.beforeAll(async () => {
    if (!existsSync(".next/BUILD_ID")) throw new Error("The pages are not built. Run: npm run build");
    folder = mkdtempSync(join(tmpdir(), "gatehouse-release-"));
    const checkout = join(folder, "checkout");
    release = releaseOf(JSON.parse(readFileSync("package.json", "utf8")));
    const wanted = [...serverParts(), ...filesIn("dist/browser"), ...ALONE, ...FOLDERS.flatMap(filesIn)];
    for (const path of wanted) cpSync(path, join(checkout, path));
    for (const path of releaseDocuments()) cpSync(path, join(checkout, path), { recursive: true });
    for (const path of UNWANTED) cpSync("LICENSE", join(checkout, path));
    await writeArchive(join(checkout, "dist"));
    writeFileSync(join(checkout, "package.json"), JSON.stringify(release));
    const output = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], checkout);
    const [result] = JSON.parse(output) as { filename: string; files: { path: string }[] }[];
    packed = (result?.files ?? []).map(({ path }) => path);
    installed = join(folder, "node_modules/gatehouse");
    mkdirSync(installed, { recursive: true });
    run("tar", ["-xzf", join(folder, result?.filename ?? ""), "--strip-components=1"], installed);
    for (const name of Object.keys(release.dependencies)) {
      mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
      symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
    }
    expect(run(process.execPath, ["bin/gatehouse.mjs", "--version"], installed)).toMatch(/^gatehouse \d/);
    unpacked = filesIn(join(installed, ".next")).map((path) => relative(installed, resolve(path)));
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
    const documents = releaseDocuments().flatMap((path) => (path.includes(".") ? path : filesIn(path)));
    expect([...ALONE, ...ARCHIVE, ...documents].filter((path) => !packed.includes(path))).toEqual([]);
    expect(serverParts().filter((path) => path.endsWith(".mjs") && !packed.includes(path))).toEqual([]);
  });

  test("the package contains every built page, including pages whose folder names have brackets, and no route file", () => {
    const pages = filesIn(".next/server/app").filter((path) => path.endsWith("/page.js"));
    expect(pages.filter((path) => path.includes("[")).length).toBeGreaterThan(20);
    const { files } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
    const all = new Set(unpacked);
    expect([...pages, ...filesIn(".next/static"), ...files].filter((path) => !all.has(path))).toEqual([]);
    expect(unpacked.filter((path) => /\.map$|\.nft\.json$|\/route\.js$/.test(path))).toEqual([]);
  });

  test("the package contains the license of each bundled dependency, and no dependency that only the build uses", () => {
    const packages = [...new Set(unpacked.flatMap((path) => packageOfFile(path) ?? []))];
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter((path) => BUILD_ONLY.test(path.replace(/^.*node_modules\//, "")))).toEqual([]);
    const isLicense = (path: string) => /\/(?:licen[cs]e|copying)[^/]*$/i.test(path);
    const licensed = new Set(unpacked.filter(isLicense).map(dirname));
    const hasLicense = (name: string) => readdirSync(name).some((file) => isLicense(`/${file}`));
    expect(packages.filter((path) => !licensed.has(`.next/${path}`) && hasLicense(path))).toEqual([]);
  });

  test("the package contains or depends on each dependency that its modules import", () => {
    const modules = [...packed, ...unpacked].filter(
      (path) =>
        /^(?:bin|scripts|dist|\.next\/node_modules)\/.*\.[cm]?js$/.test(path) &&
        !/^dist\/browser\/|\/test\/|\/bench\./.test(path),
    );
    expect(modules.length).toBeGreaterThan(1_000);
    const missing = modules.flatMap((path) => {
      const file = join(installed, path);
      return importsOf(readFileSync(file, "utf8"))
        .filter((name) => !NOT_LOADED.has(name) && !isInstalled(file, name))
        .map((name) => `${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test("Node can load each dependency that the server in the package imports", () => {
    const imported = new Set(
      packed
        .filter((path) => /^dist\/.*\.mjs$/.test(path) && !path.startsWith("dist/browser/"))
        .flatMap((path) => specifiersOf(readFileSync(join(installed, path), "utf8"))),
    );
    expect(imported.size).toBeGreaterThan(20);
    const program = join(installed, "dist/load.mjs");
    writeFileSync(program, [...imported].map((name) => `await import(${JSON.stringify(name)});`).join("\n"));
    run(process.execPath, [program], folder);
  });

  for (const database of ["sqlite", "postgresql"] as const)
    test(`the package serves pages, endpoints and pictures with ${database}`, async () => {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
      const instance = await startInstance({ checkout: installed, database, env });
      try {
        await expectToServe(instance);
        expect(instance.log()).not.toContain('"level":50');
      } finally {
        await instance.stop();
        await stopDatabaseServer();
      }
    });
});

/** Requests a page of Next, and endpoints that load packages at their first request. */
async function expectToServe({ baseUrl, cli }: Instance): Promise<void> {
  const created = await cli("token", "create", "--user=root", "--scopes=api", "--name=release", "--json");
  const { token } = JSON.parse(created.stdout);
  const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" };
  const send = (path: string, init?: RequestInit) => fetch(baseUrl + path, { headers, ...init });
  const post = (path: string, body: object) =>
    send(path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const clientInfo = { name: "release", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const avatar = new FormData();
  avatar.set("avatar", new Blob([readFileSync(PICTURE)], { type: "image/png" }), "avatar.png");
  const responses = [
    await send("/users/sign_in"),
    await send("/help/api"),
    await post("/api/graphql", { query: "{ __typename }" }),
    await post("/api/v4/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params }),
    await send("/api/v4/user/avatar", { method: "PUT", body: avatar }),
  ];
  expect(responses.map(({ url, status }) => [url, status])).toEqual(responses.map(({ url }) => [url, 200]));
}

/** Returns the folder of the package that contains a file of the archive, such as `node_modules/pg`. */
const packageOfFile = (path: string): string | undefined =>
  /^\.next\/((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

/** Returns whether Node finds the folder of the package `name` from the module `file`. */
const isInstalled = (file: string, name: string): boolean => {
  const folders = createRequire(file).resolve.paths(name) ?? [];
  return folders.some((folder) => existsSync(join(folder, name)));
};

/** Returns the names by which a module imports packages, such as `openid-client` or `next-auth/jwt`. */
const specifiersOf = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /^\s*(?:(?:import|export)\b[^;"'`]*?\bfrom|import)\s*["']([^"'\n]+)["'];?$|\b(?:import|require)\(\s*["']([^"'\n]+)["']\s*\)/gm,
    ),
  ]
    .map(([, first, second]) => first ?? second ?? "")
    .filter((name) => /^(?:@[a-z]|[a-z])[\w./-]*$/.test(name) && !builtinModules.includes(name));

/** Returns the names of the packages that a module imports. */
const importsOf = (text: string): readonly string[] =>
  specifiersOf(text).map((name) =>
    name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/"),
  );
