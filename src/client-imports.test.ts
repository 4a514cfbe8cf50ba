import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";

const COMPONENTS = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => `src/${name}`)
  .filter((path) => readFileSync(path, "utf8").startsWith('"use client"'));

/** Returns the files and packages that a file imports, without imports of types. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  const targets = [...text.matchAll(/^import (?!type)([^;]*?) from "([^"]+)";/gms)].flatMap(
    ([, names = "", target = ""]) => (/^\{(?:\s*type [^,}]+,?)+\s*\}$/.test(names) ? [] : [target]),
  );
  return targets.map((target) => {
    const file = target.startsWith("@/") ? `src/${target.slice(2)}` : target;
    return file.startsWith(".") ? posix.join(posix.dirname(path), file) : file;
  });
}

/**
 * Returns the source files and the packages that a component loads into the browser. Server actions are not
 * loaded into the browser.
 */
function loadedBy(component: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    for (const target of importsOf(path)) {
      const file = [`${target}.tsx`, `${target}.ts`].find((name) => existsSync(name));
      if (loaded.has(file ?? target)) continue;
      loaded.add(file ?? target);
      if (file !== undefined && !readFileSync(file, "utf8").startsWith('"use server"')) visit(file);
    }
  };
  visit(component);
  return loaded;
}

/** Modules that browsers do not need, with the compressed size that each module would add to a page. */
const UNWANTED: Readonly<Record<string, (file: string) => boolean>> = {
  "a schema, whose library has 30 kB": (file) => /(?:^zod|\/schema\.ts)$/.test(file),
  "the static markup, which has 2 kB": (file) => file === "src/ui/static-markup.tsx",
  "the package file, which has 1 kB": (file) => file.endsWith("package.json"),
  "the link of the framework, which has 3 kB": (file) => file === "next/link",
  "Buffer, whose replacement in browsers has 6 kB": (file) =>
    existsSync(file) && /\bBuffer\./.test(readFileSync(file, "utf8")),
};

it.each(Object.entries(UNWANTED))("no component that runs in browsers imports %s", (_, isUnwanted) => {
  expect(COMPONENTS.length).toBeGreaterThan(10);
  const unwanted = COMPONENTS.flatMap((path) =>
    [...loadedBy(path)].filter(isUnwanted).map((file) => [path, file]),
  );
  expect(unwanted).toEqual([]);
});
