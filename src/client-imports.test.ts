import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";

const FILES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => `src/${name}`);

it("no component that runs in browsers imports a schema, whose library adds 30 kB of packed JavaScript", () => {
  const components = FILES.filter((path) => readFileSync(path, "utf8").startsWith('"use client"'));
  expect(components.length).toBeGreaterThan(10);
  const imports = components.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^import (?!type)[^;]*? from "([^"]+)";/gms)].map(
      ([, target = ""]) => [path, target.startsWith(".") ? posix.join(posix.dirname(path), target) : target],
    ),
  );
  expect(imports.filter(([, target = ""]) => /(?:^zod|\/schema)$/.test(target))).toEqual([]);
});
