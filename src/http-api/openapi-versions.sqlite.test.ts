import { beforeAll, describe, expect, it } from "vitest";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog.ts";
import { describeApi } from "@/server/api-document.ts";
import { openTestDeps } from "@/testing/deps.ts";
import type { OpenApi } from "./openapi.ts";
import type { Deprecation } from "./versions.ts";

const deps = await openTestDeps();

let v4: OpenApi;
let v5: OpenApi;
beforeAll(async () => {
  [v4, v5] = [await describeApi(deps, "v4"), await describeApi(deps, "v5")];
});

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Returns the paths to all differences between two values, such as `/paths/…/post`. */
function differences(left: unknown, right: unknown, pointer: string): readonly string[] {
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right))
    return left === right ? [] : [pointer];
  if (Array.isArray(left) && Array.isArray(right) && left.every(isObject))
    return differences(byName(left), byName(right), pointer);
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => differences(left[name], right[name], `${pointer}/${name}`));
}

/** A parameter is identified by its name or its reference, at any position of the list. */
const byName = (list: readonly Json[]): Json =>
  Object.fromEntries(list.map((element, at) => [`${element["name"] ?? element["$ref"] ?? at}`, element]));

const rowsOf = <Kind extends Deprecation["kind"]>(kind: Kind) =>
  Object.values<Deprecation>(DEPRECATIONS).filter(
    (row): row is Extract<Deprecation, { kind: Kind }> => row.kind === kind,
  );

const isAbout = (pointer: string): boolean => /^\/(?:info|servers)\//.test(pointer);

describe("the difference between the documents of v4 and v5", () => {
  it("the OpenAPI document of v5 lacks only the paths that v4 marks as deprecated", () => {
    const gone = Object.keys(v4.paths).filter((path) => !(path in v5.paths));
    for (const row of rowsOf("endpoint"))
      expect(gone.filter((path) => row.path.test(path)).length, row.item).toBeGreaterThan(0);
    for (const path of gone) {
      expect(rowsOf("endpoint").filter((row) => row.path.test(path))).toHaveLength(1);
      for (const operation of Object.values(v4.paths[path] ?? {})) expect(operation.deprecated).toBe(true);
      const successor = rowsOf("endpoint").reduce((to, row) => to.replace(row.path, row.successor), path);
      expect(Object.keys(v5.paths), path).toContain(successor);
    }
    expect(Object.keys(v5.paths).filter((path) => !(path in v4.paths))).toEqual([]);
  });

  it("the entities of v5 differ from the entities of v4 only in the fields that v4 marks as deprecated", () => {
    const schemas = (document: OpenApi) => document.components.schemas;
    const shared = Object.keys(schemas(v4)).filter((name) => name in schemas(v5));
    const pointers = shared.flatMap((name) => {
      const [old, preview] = [schemas(v4)[name]?.properties ?? {}, schemas(v5)[name]?.properties ?? {}];
      expect(Object.keys(preview).filter((field) => !(field in old))).toEqual([]);
      return Object.keys(old)
        .filter((field) => differences(old[field], preview[field], "").length > 0)
        .map((field) => {
          expect(old[field]?.deprecated, `${name}.${field}`).toBe(true);
          return `${name}.${field}`;
        });
    });
    const expected = rowsOf("field").flatMap(({ entities, field }) =>
      entities.filter((name) => name in schemas(v5)).map((name) => `${name}.${field}`),
    );
    expect(pointers.toSorted()).toEqual(expected.toSorted());
    for (const { entities, field } of rowsOf("field"))
      for (const name of entities) expect(Object.keys(schemas(v4)), `${name}.${field}`).toContain(name);
  });

  it("the operations of v5 differ from the operations of v4 only in the deprecated parameters", () => {
    const paths = Object.keys(v5.paths);
    const of = (document: OpenApi) => Object.fromEntries(paths.map((path) => [path, document.paths[path]]));
    const pointers = differences(of(v4), of(v5), "");
    const names = new Set(rowsOf("parameter").map(({ parameter }) => parameter));
    for (const pointer of pointers)
      expect(
        [...names].some((name) => pointer.includes(`/${name}`)),
        pointer,
      ).toBe(true);
    for (const name of names)
      expect(
        pointers.some((pointer) => pointer.includes(`/${name}`)),
        name,
      ).toBe(true);
    const { paths: _, components: a, tags: oldTags, ...old } = v4;
    const { paths: __, components: b, tags, ...preview } = v5;
    expect(differences(old, preview, "").filter((pointer) => !isAbout(pointer))).toEqual([]);
    expect(tags.filter(({ name }) => !oldTags.some((tag) => tag.name === name))).toEqual([]);
    const rest = ({ schemas: ___, ...others }: OpenApi["components"]) => others;
    expect(differences(rest(a), rest(b), "")).toEqual([]);
  });
});
