import { describe, expect, it } from "vitest";
import type { Scope } from "@/access/scopes.ts";
import { conformance } from "@/testing/conformance.ts";
import { problemText } from "../sign-in/rules.ts";
import { needsStepUp } from "./rules.ts";
import { safeReturnPath } from "./sign-in-path.ts";

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
  ])("the path %s of this site is accepted as the return path", (path) => {
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
  ])(conformance("AT-12", "the return path %j is replaced by the fallback path"), (path) => {
    expect(safeReturnPath(path, "/fallback")).toBe("/fallback");
  });
});

describe("the last authentication of a user", () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  it.each<[string, readonly Scope[], boolean, number, boolean]>([
    [
      "the last authentication of a user is sufficient for scopes with limited access at any age",
      ["read_user", "openid"],
      true,
      100_000,
      false,
    ],
    [
      conformance(
        "AT-20",
        "after ten minutes, the last authentication of a user is no longer sufficient for access to the whole account",
      ),
      ["read_user", "api"],
      false,
      601,
      true,
    ],
    [
      "the last authentication of a user is sufficient for access to the whole account for ten minutes",
      ["api"],
      true,
      600,
      false,
    ],
    [
      "the last authentication of a user is sufficient for write scopes if the user has only a password",
      ["write_repository"],
      false,
      100_000,
      false,
    ],
    [
      "the last authentication of a user is not sufficient for write scopes after ten minutes if the user has a second factor",
      ["write_repository"],
      true,
      601,
      true,
    ],
  ])("%s", (_what, scopes, twoFactor, seconds, needed) => {
    expect(needsStepUp(scopes, { provenAt: at(0), twoFactor }, at(seconds))).toBe(needed);
  });
});

describe("the error message of a form", () => {
  it.each([
    [undefined, undefined, null],
    ["wrong", undefined, "WRONG"],
    ["<script>", "5", "WRONG"],
    ["__proto__", undefined, "WRONG"],
    ["limit", "7", "Too many attempts. Try again in 7 minutes."],
    ["limit", "<b>", "Too many attempts. Try again in 3 minutes."],
    [["limit", "wrong"], undefined, "WRONG"],
  ])(
    "a form shows the error message $2 for the error code %j and a waiting time of %j minutes",
    (problem, minutes, text) => {
      expect(problemText(problem, minutes, "WRONG")).toBe(text);
    },
  );
});
