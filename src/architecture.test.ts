import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findingsIn, type Sources } from "@/testing/architecture.ts";
import { modelsWithoutOwner } from "@/testing/tables.ts";

function sourcesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/generated/"))
    .map((path) => [path, readFileSync(path, "utf8")]);
}

const project: Sources = new Map([...sourcesBelow("src"), ...sourcesBelow("app")]);

it("the project violates no architecture rule", () => {
  expect(project.size).toBeGreaterThan(50);
  expect(findingsIn(project)).toEqual([]);
});

it("every database table belongs to exactly one area of the code", () => {
  expect(modelsWithoutOwner()).toEqual([]);
});

it("the rotation of the instance secret includes every encrypted column", () => {
  const sealed = readdirSync("prisma/models").flatMap((file) => {
    const models = readFileSync(`prisma/models/${file}`, "utf8").matchAll(/^model (\w+) \{\n(.*?)^\}/gms);
    return [...models].flatMap(([, model, fields = ""]) =>
      [...fields.matchAll(/^ +(sealed\w*) +String/gm)].map(([, column]) => `${model}.${column}`),
    );
  });
  // The values of these two columns are encrypted with keys that are derived from the refresh token
  // (`OauthToken`) and from the `request_uri` (`PushedRequest`), not from the instance secret.
  const others = ["OauthToken.sealedAnswer", "PushedRequest.sealedQuery"];
  const expected = sealed.filter((column) => !others.includes(column));
  const text = [...project.values()].join("\n");
  expect(expected).toContain("SigningKey.sealedPrivate");
  expect(expected.filter((column) => !text.includes(`column: "${column}"`))).toEqual([]);
  const listed = [...text.matchAll(/export const (\w+): SealedColumn/g)].map(([, name = ""]) => name);
  const hooks = project.get("src/server/compose.ts")?.split("sealedColumns: [")[1]?.split("]")[0] ?? "";
  expect(listed.filter((name) => !hooks.includes(`${name},`))).toEqual([]);
});

it("values that the instance secret encrypts are decrypted only by `openValue`, which accepts both instance secrets during a rotation", () => {
  const direct = [...project].filter(
    ([path, text]) => !path.includes(".test.") && /\bopen\(\w*\.?keys\.sealing/.test(text),
  );
  expect(direct.map(([path]) => path)).toEqual(["src/kernel/crypto/sealed-value.ts"]);
});

it.each<[string, string, string]>([
  ["src/kernel/log/x.ts", 'import { a } from "@/identity/users/service.ts";', "kernel may not import"],
  ["src/kernel/log/x.ts", 'import type { A } from "../../identity/users/rules.ts";', "kernel may not import"],
  ["src/access/x.ts", 'const a = await import("@/identity/users/service.ts");', "access may not import"],
  ["src/identity/users/x.ts", 'import { a } from "@/oauth-endpoints/form.ts";', "identity may not import"],
  ["src/http-api/x.ts", 'import { a } from "@/oauth/tokens/service.ts";', "http-api may not import"],
  ["src/code/x.ts", 'import "@/cli/main.ts";', "code may not import"],
  ["src/server/x.ts", 'import { main } from "../cli/main.ts";', "server may not import"],
  ["src/ui/x.tsx", 'import { a } from "@/access/scopes.ts";', "ui may not import"],
  ["src/http-api/x.ts", 'import page from "@app/page.tsx";', "http-api may not import"],
  ["src/identity/users/service.ts", 'import { d } from "@/testing/deps.ts";', "imports src/testing/"],
  ["app/page.tsx", 'import { d } from "@/testing/deps.ts";', "imports src/testing/"],
  ["src/oauth/a/service.ts", 'import * as store from "@/oauth/b/store.ts";', "is private"],
  ["src/oauth/a/service.ts", 'import * as store from "../b/store.ts";', "is private"],
  ["app/x/page.tsx", 'import * as store from "@/oauth/b/store.ts";', "is private"],
  ["app/x/page.tsx", 'import { openDatabase } from "@/kernel/db/open.ts";', "queries through"],
  ["src/oauth/a/service.ts", 'import { find } from "@/oauth/b/store.sql.ts";', "is private"],
  ["src/oauth/a/service.ts", 'import * as logoStore from "@/oauth/b/logo-store.ts";', "is private"],
  ["src/kernel/db/x.ts", 'const sql = `SELECT 1 FROM "User"`;', 'names no table of the product: "User"'],
  ["src/kernel/jobs/x.ts", "await db.oauthToken.deleteMany();", "names no table of the product: OauthToken"],
  ["src/oauth/a/service.ts", "await within.db.user.findMany();", "only a store touches a table: User"],
  ["src/oauth/a/rules.ts", "await transaction.user\n  .count();", "only a store touches a table: User"],
  ["app/x/page.tsx", "const rows = await db.project.count();", "only a store touches a table: Project"],
  ["src/oauth/a/b.ts", 'db.$queryRaw`SELECT 1 FROM "Setting"`;', "only a store touches a table: Setting"],
  ["src/code/a/service.ts", 'await lockRow(db, "Project", id);', "only a store touches a table: Project"],
  ["src/oauth/tokens/store.ts", "await db.consent.deleteMany();", "Consent belongs to src/oauth/consents"],
  ["src/oauth/tokens/list-store.ts", "await db.user.count();", "User belongs to src/identity/users"],
  [
    "src/oauth/signing-keys/store.sql.ts",
    'const sql = `UPDATE "User" SET`;',
    "User belongs to src/identity/users",
  ],
  ["src/fleet/runners/store.ts", "await db.runner.deleteMany();", "Project does not need to be shared"],
  [
    "src/oauth/a/service.ts",
    "await deps.transaction(async (within) => {\n  await store.insert(deps.db, row());\n});",
    "a transaction uses the outer deps: await store.insert(deps.db, row());",
  ],
  ["src/oauth/a/rules.ts", 'import { randomBytes } from "node:crypto";', "a rule may not use node:crypto"],
  ["src/oauth/a/rules.ts", "export const isLate = () => Date.now() > 5;", "a rule may not use Date.now("],
  ["src/oauth/a/key-rules.ts", "export const now = () => Date.now();", "a rule may not use Date.now("],
  ["src/oauth/a/utils.ts", "", "named after a technique"],
  ["src/oauth-endpoints/helpers/form.ts", "", "named after a technique"],
  ["src/oauth/a/index.ts", 'export { a } from "./service.ts";', "only re-exports"],
  ["src/oauth/a/all.ts", 'export * from "./service.ts";', "only re-exports"],
  ["src/oauth/a/service.ts", 'export const a = process.env["A"];', "reads the environment"],
  ["src/oauth/a/service.ts", 'import { cookies } from "next/headers";', "may not import next/headers"],
  [
    "src/oauth/a/actions.ts",
    '"use server";\nimport { requireAdmin } from "../../identity/sign-in/loaders";',
    "adminAction or adminFormAction",
  ],
  ["src/oauth/a/service.ts", "let opened: Key | null = null;", "processWide: opened"],
  ["src/oauth/a/service.ts", "export const counts = new Map<string, number>();", "processWide: counts"],
  ["src/oauth/a/service.ts", "const waiting: (() => void)[] = [];", "processWide: waiting"],
  ["src/oauth/a/service.ts", "const seen: WeakSet<object> =\n  new WeakSet();", "processWide: seen"],
  ["src/oauth/a/service.ts", "const themes = new AsyncLocalStorage<Theme>();", "processWide: themes"],
  ["app/oauth/token/route.ts", 'import { NextResponse } from "next/server";', "may not import next/server"],
])("the checks find the planted violation in %s: %s", (path, text, expected) => {
  expect(findingsIn(new Map([[path, text]]))).toEqual([expect.stringContaining(expected)]);
});

it.each<[string, string, string]>([
  ["src/oauth/a/rules.ts", "src/oauth/b/rules.ts", "src/oauth/a, src/oauth/b"],
  ["src/oauth/a/components/card.tsx", "src/oauth/b/c/rules.ts", "src/oauth/a, src/oauth/b"],
  ["src/oauth/a/rules.ts", "src/oauth/a/c/rules.ts", "src/oauth/a, src/oauth/a/c"],
])("the checks find the import cycle of %s and %s", (one, other, folders) => {
  const importOf = (path: string) => `import type { A } from "@/${path.slice("src/".length)}";`;
  const planted = new Map([
    [one, importOf(other)],
    [other, importOf(one)],
  ]);
  expect(findingsIn(planted)).toEqual([`these folders import each other in a cycle: ${folders}`]);
  expect(findingsIn(new Map([[one, importOf(other)]]))).toEqual([]);
});

it.each<[string, string]>([
  ["src/oauth/a/service.ts", 'import * as store from "./store.ts";'],
  ["src/oauth/a/service.test.ts", 'import { d } from "@/testing/deps.ts";'],
  ["src/oauth/a/loaders.ts", 'import { cookies } from "next/headers";'],
  ["src/oauth-endpoints/grants/index.ts", 'import { code } from "./code.ts";\nexport const GRANTS = [code];'],
  ["src/oauth/a/rules.ts", 'import type { Scope } from "@/access/scopes.ts";'],
  ["src/oauth/a/service.ts", 'const KINDS: ReadonlySet<string> = new Set(["a"]);'],
  ["src/oauth/a/service.ts", 'const counts = processWide("counts", () => new Map<string, number>());'],
  ["src/oauth/a/service.ts", "const copyOf = (kinds: string[]) => new Set(kinds);"],
  ["src/oauth/tokens/store.ts", "await db.oauthToken.deleteMany();"],
  ["src/oauth/tokens/list-store.ts", "await db.oauthToken.findMany();"],
  ["src/oauth/a/service.ts", "deps.transaction((within) => run({ deps: within }));\nreturn deps.clock();"],
  ["app/x/page.tsx", 'import Link from "next/link";\nimport { load } from "@/oauth/a/loaders.ts";'],
])("the checks find no violation in %s: %s", (path, text) => {
  expect(findingsIn(new Map([[path, text]]))).toEqual([]);
});
