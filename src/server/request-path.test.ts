import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { pathIsPlain, pathOf, readTarget } from "./request-path.ts";

it.each([
  "/",
  "/-/health",
  "/oauth/token/",
  "/.well-known/openid-configuration",
  "/api/v4/projects/g%2Fp",
  "/a...b/..c",
])("pathIsPlain accepts %s", (path) => {
  expect(pathIsPlain(path)).toBe(true);
});

it.each([
  "",
  "*",
  "http://evil.example/",
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
])("pathIsPlain refuses %j", (path) => {
  expect(pathIsPlain(path)).toBe(false);
});

it("pathOf returns the path without its query", () => {
  expect(pathOf("/a?b=//../%zz")).toBe("/a");
});

it.each([
  ["/a//b///c?d=//e", "/a/b/c?d=//e", null],
  ["//evil.example/x", "/evil.example/x", null],
  ["http://a.example/b//c", "/b/c", "a.example"],
  ["http://[::1]:3000?b", "/?b", "[::1]:3000"],
  ["https://a.example", "/", "a.example"],
  ["http://a@b.example/c", "http://a@b.example/c", null],
  ["http:///c", "http:///c", null],
  ["*", "*", null],
])(conformance("SC-23", "the request target %s is parsed as %s with the host %s"), (sent, target, host) => {
  expect(readTarget(sent)).toEqual({ target, host });
});
