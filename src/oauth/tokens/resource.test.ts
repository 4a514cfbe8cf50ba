import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { isAudience, readResource, scopesForInstance } from "./resource.ts";

const ISSUER = "https://id.example";

it.each([
  [ISSUER, ISSUER],
  [`${ISSUER}/`, ISSUER],
  [`${ISSUER}/api/v4`, `${ISSUER}/api/v4`],
  [`${ISSUER}/api/v4/mcp`, `${ISSUER}/api/v4/mcp`],
  [`${ISSUER}/api/v4/mcp/`, `${ISSUER}/api/v4/mcp`],
  [`${ISSUER}/api/v4/projects`, null],
  [`${ISSUER}.evil.example`, null],
  [`${ISSUER}/api/v4/mcp?a=b`, null],
  ["https://other.example", null],
  ["", null],
])(conformance("RI-01", "readResource parses the resource %s as %s"), (text, expected) => {
  expect(readResource(text, ISSUER)).toBe(expected);
});

it.each<[string | null, string, boolean]>([
  [null, "/api/v4/user", true],
  ["", "/api/v4/user", true],
  ["/api/v4", "/api/v4/user", true],
  ["/api/v4", "/api/v5/user", true],
  ["/api/v4", "/api/v4", true],
  ["/api/v4", "/api/v44", false],
  ["/api/v4", "/group/project.git/info/refs", false],
  ["/api/v4/mcp", "/api/v4/mcp", true],
  ["/api/v4/mcp", "/api/v4/user", false],
  ["/api/v4/mcp", "/api/v4/mcpx", false],
])(
  conformance(
    "RI-02",
    "isAudience returns whether a token with the resource %j is valid for the path %s: %s",
  ),
  (path, request, expected) => {
    expect(isAudience(path === null ? null : ISSUER + path, ISSUER, request)).toBe(expected);
  },
);

it.each<[string | null, readonly string[]]>([
  [null, ["api", "mcp"]],
  [ISSUER, ["api", "mcp"]],
  [`${ISSUER}/api/v4`, ["mcp"]],
  [`${ISSUER}/api/v4/mcp`, ["mcp"]],
  ["https://wiki.example/api", []],
  ["urn:example:wiki", []],
])(
  conformance(
    "RI-08",
    "after the approval of the resource %j, the consent for the instance contains the scopes %j",
  ),
  (resource, expected) => {
    expect(scopesForInstance(["api", "mcp"], resource, ISSUER)).toEqual(expected);
  },
);
