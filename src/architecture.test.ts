import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findingsIn, type Sources } from "@/testing/architecture.ts";

function sourcesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/generated/"))
    .map((path) => [path, readFileSync(path, "utf8")]);
}

const project: Sources = new Map([...sourcesBelow("src"), ...sourcesBelow("app")]);

it("holds in this project", () => {
  expect(project.size).toBeGreaterThan(50);
  expect(findingsIn(project)).toEqual([]);
});

it.each<[string, string, string]>([
  ["src/platform/x.ts", 'import { a } from "@/features/users/service.ts";', "platform may not import"],
  ["src/platform/x.ts", 'import type { A } from "../features/users/rules.ts";', "platform may not import"],
  ["src/access/x.ts", 'const a = await import("@/features/users/service.ts");', "access may not import"],
  ["src/features/users/x.ts", 'import { a } from "@/oauth/form.ts";', "features may not import"],
  ["src/oauth/x.ts", 'import { a } from "@/api/errors.ts";', "oauth may not import"],
  ["src/api/x.ts", 'import "@/cli/main.ts";', "api may not import"],
  ["src/server/x.ts", 'import { main } from "../cli/main.ts";', "server may not import"],
  ["src/ui/x.tsx", 'import { a } from "@/platform/log.ts";', "ui may not import"],
  ["src/api/x.ts", 'import page from "@app/page.tsx";', "api may not import"],
  ["src/features/users/service.ts", 'import { d } from "@/testing/deps.ts";', "imports src/testing/"],
  ["app/page.tsx", 'import { d } from "@/testing/deps.ts";', "imports src/testing/"],
  ["src/features/a/service.ts", 'import * as store from "@/features/b/store.ts";', "is private"],
  ["src/features/a/service.ts", 'import * as store from "../b/store.ts";', "is private"],
  ["app/x/page.tsx", 'import * as store from "@/features/b/store.ts";', "is private"],
  ["app/x/page.tsx", 'import { openDatabase } from "@/platform/db/open.ts";', "queries through"],
  ["src/features/a/rules.ts", 'import { randomBytes } from "node:crypto";', "a rule may not use node:crypto"],
  ["src/features/a/rules.ts", "export const isLate = () => Date.now() > 5;", "a rule may not use Date.now("],
  ["src/features/a/utils.ts", "", "named after a technique"],
  ["src/oauth/helpers/form.ts", "", "named after a technique"],
  ["src/features/a/index.ts", 'export { a } from "./service.ts";', "only passes on"],
  ["src/features/a/all.ts", 'export * from "./service.ts";', "only passes on"],
  ["src/features/a/service.ts", 'export const a = process.env["A"];', "reads the environment"],
  ["src/features/a/service.ts", 'import { cookies } from "next/headers";', "may not know next/headers"],
  [
    "src/features/a/actions.ts",
    '"use server";\nimport { requireAdmin } from "../sign-in/loaders";',
    "adminAction or adminFormAction",
  ],
  ["app/oauth/token/route.ts", 'import { NextResponse } from "next/server";', "may not know next/server"],
])("finds in %s what is planted: %s", (path, text, expected) => {
  expect(findingsIn(new Map([[path, text]]))).toEqual([expect.stringContaining(expected)]);
});

it.each<[string, string]>([
  ["src/features/a/service.ts", 'import * as store from "./store.ts";'],
  ["src/features/a/service.test.ts", 'import { d } from "@/testing/deps.ts";'],
  ["src/features/a/loaders.ts", 'import { cookies } from "next/headers";'],
  ["src/oauth/grants/index.ts", 'import { code } from "./code.ts";\nexport const GRANTS = [code];'],
  ["src/features/a/rules.ts", 'import type { Scope } from "@/access/scopes.ts";'],
  ["app/x/page.tsx", 'import Link from "next/link";\nimport { load } from "@/features/a/loaders.ts";'],
])("finds nothing in %s: %s", (path, text) => {
  expect(findingsIn(new Map([[path, text]]))).toEqual([]);
});
