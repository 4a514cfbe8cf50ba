import { expect, it } from "vitest";
import { pathIsPlain, pathOf } from "./request-path.ts";

it.each([
  "/",
  "/-/health",
  "/oauth/token/",
  "/.well-known/openid-configuration",
  "/api/v4/projects/g%2Fp",
  "/a...b/..c",
])("accepts %s", (path) => {
  expect(pathIsPlain(path)).toBe(true);
});

it.each([
  "",
  "*",
  "http://evil.example/",
  "//",
  "//evil.example/x",
  "/a//b",
  "/a//",
  "/./a",
  "/a/.",
  "/a/../b",
  "/a/..",
  "/a/%2e%2e/b",
  "/a/.%2E/b",
  "/a\\b",
  "/a%zz",
  "/a%",
  "/a%c3%28",
  "/a%00",
  "/a\0",
  "/a b",
  "/a#b",
])("refuses %j", (path) => {
  expect(pathIsPlain(path)).toBe(false);
});

it("takes the path without its query", () => {
  expect(pathOf("/a?b=//../%zz")).toBe("/a");
});
