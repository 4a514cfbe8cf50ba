import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { languageFindings } from "@/testing/language.ts";

const FOLDERS = ["src", "app", "e2e", "scripts", "bench", "bin", "demo", "docs"];
/** Excludes the word list itself, and files that a tool writes. */
const EXCLUDED = /\/generated\/|\/node_modules\/|^src\/(?:testing\/language|language\.test)\.ts$/;

const files = [
  ...readdirSync(".").filter((name) => /\.(?:md|mjs|ts|mts)$/.test(name)),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  ),
].filter((path) => /\.(?:ts|tsx|mjs|mts|md)$/.test(path) && !EXCLUDED.test(path));

/** The audit trail of a user has a parameter, a column and a response field with the name `person`. */
const isWireFormat = (finding: string): boolean =>
  /^(?:src\/operations\/audit\/|e2e\/pages\/admin\.spec).*"person"/.test(finding);

/** RFC 9449 calls the token in the header `DPoP` a proof. */
const isDpopProof = (finding: string): boolean => /^src\/oauth(?:-endpoints)?\/.*"proofs?"/i.test(finding);

it("the source files and the documents contain no word of the list of banned words", () => {
  expect(files.length).toBeGreaterThan(500);
  const findings = files.flatMap((path) => languageFindings(path, readFileSync(path, "utf8")));
  expect(findings.filter((finding) => !isWireFormat(finding) && !isDpopProof(finding))).toEqual([]);
});

it.each<[string, string, string]>([
  ["src/a.ts", "const found = find();", 'src/a.ts:1: "found"'],
  ["src/a.ts", "\nexport type Ask = string;", 'src/a.ts:2: "Ask"'],
  ["src/a.ts", "function listUsers(mergeAsk: string) {}", 'src/a.ts:1: "Ask"'],
  ["src/a.tsx", "const signedInPerson = <p>{name}</p>;", 'src/a.tsx:1: "Person"'],
  ["src/a.ts", "/** Reads it\n * anew. */\nconst a = 1;", 'src/a.ts:2: "anew"'],
  ["src/a.ts", "/** What the scope includes. */", 'src/a.ts:1: "What the scope includes."'],
  ["src/a.ts", "// The user is told.\n", 'src/a.ts:1: "is told"'],
  [
    "src/a.ts",
    'const text = "They are no administrator any more";',
    'src/a.ts:1: "are no administrator any more"',
  ],
  ["src/a.ts", "const text = `Whatever it does`;", 'src/a.ts:1: "Whatever"'],
  ["src/a.tsx", "const text = <p>{name} works at once.</p>;", 'src/a.tsx:1: "at once"'],
  ["README.md", "Text\nthat is beside it.", 'README.md:2: "beside"'],
])("the check finds the avoided words in the file %s with the content %j", (path, source, finding) => {
  expect(languageFindings(path, source)).toEqual([expect.stringContaining(finding)]);
});

it.each<[string, string]>([
  ["src/a.ts", 'const kind = "found"; // "made" is a value of the wire format'],
  ["src/a.ts", "const state = { found: 1 }.found;"],
  ["src/a.tsx", "const row = <dt>Last seen</dt>;"],
  ["src/a.ts", "db.mergeRequestPerson.findMany();"],
  ["src/a.ts", "const foundation = besides;"],
  ["src/a.ts", 'const pattern = /["`]/; const text = "a";'],
  ["README.md", "Run `npm start` and set `person`."],
  ["README.md", "```\nconst found = anew;\n```"],
])("the check finds no avoided word in the file %s with the content %j", (path, source) => {
  expect(languageFindings(path, source)).toEqual([]);
});
