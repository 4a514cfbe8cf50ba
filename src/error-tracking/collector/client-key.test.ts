import { expect, it } from "vitest";
import { completed } from "@/testing/completed.ts";
import { keyInDsn, keyOf } from "./client-key.ts";

const asked = (query: string, headers: Record<string, string> = {}) =>
  keyOf(new Request(`http://localhost/collector/api/1/envelope/${query}`, { method: "POST", headers }));

it.each<[string, string, Record<string, string>, string | null]>([
  ["the query", "?sentry_version=7&sentry_key=ghek_1&sentry_client=x", {}, "ghek_1"],
  ["the query alone", "?sentry_key=ghek_1", {}, "ghek_1"],
  ["nowhere", "?xsentry_key=a&sentry_keys=b", {}, null],
  ["an empty query, then a header", "?sentry_key=", { "x-sentry-auth": "Sentry sentry_key=k" }, "k"],
  [
    "its header",
    "",
    { "x-sentry-auth": "Sentry sentry_version=7, sentry_key=ghek_1, sentry_client=x/1" },
    "ghek_1",
  ],
  [
    "its header without spaces",
    "",
    { "x-sentry-auth": "Sentry sentry_key=ghek_1,sentry_version=7" },
    "ghek_1",
  ],
  ["Authorization", "", { authorization: "Sentry sentry_key=ghek_1, sentry_version=7" }, "ghek_1"],
  ["another scheme", "", { authorization: "Bearer ghek_1" }, null],
  ["quotes", "", { "x-sentry-auth": 'Sentry sentry_key="ghek_1"' }, "ghek_1"],
  ["the query rather than a header", "?sentry_key=q", { "x-sentry-auth": "Sentry sentry_key=h" }, "q"],
  ["a header that only looks like one", "", { "x-sentry-auth": "Sentry not_sentry_key=a" }, null],
])("the key is read from %s", (_where, query, headers, key) => {
  expect(asked(query, headers)).toBe(key);
});

it.each<[unknown, string | null]>([
  ["https://ghek_1@host.example/api/v4/error_tracking/collector/7", "ghek_1"],
  ["http://ghek_1:secret@localhost:3000/7", "ghek_1"],
  ["https://host.example/7", null],
  ["ghek_1", null],
  [{ public_key: "x" }, null],
  [undefined, null],
])("the key of the DSN %j is %j", (dsn, key) => {
  expect(keyInDsn(dsn)).toBe(key);
});

it("takes work in proportion to the header, however a header is written", () => {
  for (const part of ["a, ", "sentry ", ", ,", "sentry_key", "=", " "]) {
    // Squared work would be a million million steps.
    const ask = () => asked("", { "x-sentry-auth": `Sentry ${part.repeat(1_000_000)}x` });
    expect(completed(ask), part).toBeNull();
  }
});
