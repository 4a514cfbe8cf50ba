import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PREPARED_WRITES } from "./prepared-writes.ts";

/** Returns the names of all prepared writes in the source. */
const declaredNames = (): readonly string[] =>
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => /store\.sql\.ts$/.test(path))
    .flatMap((path) => [
      ...readFileSync(`src/${path}`, "utf8").matchAll(/: PreparedWrite<[^=]*> = \{\s*name: "(\w+)"/g),
    ])
    .map(([, name = ""]) => name);

it("the program of the writer thread contains every kind of prepared write", () => {
  const names = PREPARED_WRITES.map(({ name }) => name);
  expect(names).toContain("rotation");
  expect([...names].sort()).toEqual([...declaredNames()].sort());
});
