import { describe, expect, it } from "vitest";
import { safeReturnPath } from "./rules.ts";

describe("safeReturnPath", () => {
  it.each([
    "/",
    "/user_settings/applications",
    "/oauth/authorize?client_id=a&state=%26%2B%C3%A9&redirect_uri=https%3A%2F%2Fapp.example%2Fcb",
    "/?next=//evil.example",
    "/a//b",
    "/@evil.example",
    "/%2F%2Fevil.example",
    "/javascript:alert(1)",
  ])("keeps the path %s of this site", (path) => {
    expect(safeReturnPath(path, "/fallback")).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    " ",
    "https://evil.example",
    "https://evil.example/",
    "HTTPS://evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "//evil.example/%2f..",
    "/\\evil.example",
    "\\evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "//user@evil.example",
    "//localhost:3000",
    "http:evil.example",
    "https:/evil.example",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "evil.example",
    "user_settings",
    "./user_settings",
    "?a=b",
    "#a",
    "/é",
    "/a b",
    "/a\0b",
    "/a\r\nSet-Cookie: x=y",
    `/${"a".repeat(20_000)}`,
  ])("falls back for %j [AT-12]", (path) => {
    expect(safeReturnPath(path, "/fallback")).toBe("/fallback");
  });
});
