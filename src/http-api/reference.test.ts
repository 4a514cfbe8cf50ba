import { describe, expect, it } from "vitest";
import { type Chapter, type Entry, searchReference } from "./reference.ts";

const entry = (method: string, path: string, summary: string, parameters: readonly string[] = []): Entry => ({
  ...{
    anchor: path,
    method,
    path,
    summary,
    audience: "users",
    scopes: ["api"],
    isList: false,
    isFile: false,
  },
  ...{ status: "200", response: null, command: "" },
  parameters: parameters.map((name) => ({ name, type: "string", place: "query", about: "" })),
});

const LIST = entry("GET", "/projects", "List projects", ["visibility"]);
const CREATE = entry("POST", "/projects", "Create a project", ["name"]);
const USER = entry("GET", "/user", "The user of the token");
const CHAPTERS: readonly Chapter[] = [
  { name: "Projects", anchor: "projects", entries: [LIST, CREATE] },
  { name: "Users", anchor: "users", entries: [USER] },
];

describe("a search in the reference of the API", () => {
  it.each<[string, readonly Entry[]]>([
    ["", [LIST, CREATE, USER]],
    ["projects", [LIST, CREATE]],
    ["POST projects", [CREATE]],
    ["CREATE  project", [CREATE]],
    ["visibility", [LIST]],
    ["/user", [USER]],
    ["users", [USER]],
    ["nothing", []],
  ])("a search for %j finds the endpoints that contain all words of the search", (search, expected) => {
    const chapters = searchReference(CHAPTERS, search);
    expect(chapters.flatMap(({ entries }) => entries)).toEqual(expected);
    expect(chapters.every(({ entries }) => entries.length > 0)).toBe(true);
  });
});
