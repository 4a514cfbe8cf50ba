import { expect, it } from "vitest";
import { completed } from "@/testing/completed.ts";
import { keyInDsn, keyOf } from "./client-key.ts";

const clientKeyOf = (query: string, headers: Record<string, string> = {}) =>
  keyOf(new Request(`http://localhost/collector/api/1/envelope/${query}`, { method: "POST", headers }));

it.each<[string, string, Record<string, string>, string | null]>([
  ["the query", "?sentry_version=7&sentry_key=ghek_1&sentry_client=x", {}, "ghek_1"],
  ["the query without other parameters", "?sentry_key=ghek_1", {}, "ghek_1"],
  ["the query, and ignores query parameters with a similar name", "?xsentry_key=a&sentry_keys=b", {}, null],
  [
    "a header if the parameter in the query is empty",
    "?sentry_key=",
    { "x-sentry-auth": "Sentry sentry_key=k" },
    "k",
  ],
  [
    "the header X-Sentry-Auth",
    "",
    { "x-sentry-auth": "Sentry sentry_version=7, sentry_key=ghek_1, sentry_client=x/1" },
    "ghek_1",
  ],
  [
    "the header X-Sentry-Auth without spaces",
    "",
    { "x-sentry-auth": "Sentry sentry_key=ghek_1,sentry_version=7" },
    "ghek_1",
  ],
  ["the header Authorization", "", { authorization: "Sentry sentry_key=ghek_1, sentry_version=7" }, "ghek_1"],
  ["the header Authorization only with the scheme Sentry", "", { authorization: "Bearer ghek_1" }, null],
  ["a quoted value in a header", "", { "x-sentry-auth": 'Sentry sentry_key="ghek_1"' }, "ghek_1"],
  [
    "the query if the query and a header contain a key",
    "?sentry_key=q",
    { "x-sentry-auth": "Sentry sentry_key=h" },
    "q",
  ],
  [
    "a header, and ignores header parameters with a similar name",
    "",
    { "x-sentry-auth": "Sentry not_sentry_key=a" },
    null,
  ],
])("the collector reads the client key from %s", (_where, query, headers, key) => {
  expect(clientKeyOf(query, headers)).toBe(key);
});

it.each<[unknown, string | null]>([
  ["https://ghek_1@host.example/api/v4/error_tracking/collector/7", "ghek_1"],
  ["http://ghek_1:secret@localhost:3000/7", "ghek_1"],
  ["https://host.example/7", null],
  ["ghek_1", null],
  [{ public_key: "x" }, null],
  [undefined, null],
])("the client key of the DSN %j is %j", (dsn, key) => {
  expect(keyInDsn(dsn)).toBe(key);
});

it("the collector parses any authentication header in linear time", () => {
  for (const part of ["a, ", "sentry ", ", ,", "sentry_key", "=", " "]) {
    // A parser with quadratic time would need 10^12 steps for this header.
    const parseHeader = () => clientKeyOf("", { "x-sentry-auth": `Sentry ${part.repeat(1_000_000)}x` });
    expect(completed(parseHeader), part).toBeNull();
  }
});
