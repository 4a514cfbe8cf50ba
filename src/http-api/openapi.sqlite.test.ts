import { readdirSync } from "node:fs";
import * as document from "@app/api/v4/openapi.json/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { describeApi } from "@/server/api-document.ts";
import { versions } from "@/server/api-versions.ts";
import { apiRoutes } from "@/server/generated/api-routes.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";
import type { OpenApi } from "./openapi.ts";
import { operationsOf } from "./operations.ts";
import { referenceOf } from "./reference.ts";

const deps = await openTestDeps();
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

let api: OpenApi;
beforeAll(async () => {
  api = await describeApi(deps, "v4");
});

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Returns every JSON object in an OpenAPI document, at any depth. */
const objectsIn = (value: unknown): readonly Json[] =>
  isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];

const operations = () =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe("the OpenAPI document", () => {
  it("the OpenAPI document of each API version is public, can be read by pages of any origin, and contains the URL of the version", async () => {
    const origin = await serveRoutes({ "/api/v4/openapi.json": document });
    for (const version of ["v4", "v5"]) {
      const response = await fetch(`${origin}/api/${version}/openapi.json`);
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toMatchObject({
        openapi: "3.1.0",
        info: { version },
        servers: [{ url: `http://localhost:3000/api/${version}` }],
      });
    }
  });

  it("the OpenAPI document has an entity tag, with which a client asks whether its copy is still valid", async () => {
    const origin = await serveRoutes({ "/api/v4/openapi.json": document });
    const tags = await Promise.all(
      ["v4", "v5"].map(async (version) => {
        const url = `${origin}/api/${version}/openapi.json`;
        const response = await fetch(url);
        const etag = response.headers.get("etag") ?? "";
        expect(response.headers.get("content-type")).toBe("application/json");
        expect(response.headers.get("cache-control")).toBe("private, no-cache");
        const again = await fetch(url, { headers: { "if-none-match": etag } });
        expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
        expect((await fetch(url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
        return etag;
      }),
    );
    expect(new Set(tags).size).toBe(2);
  });

  it("the OpenAPI document contains a separate operation for each method of each route file", () => {
    const files = readdirSync("app/api/v4", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("route.ts") && !/^error_tracking\/collector\/|\[\.\.\./.test(file))
      .map((file) => file.replace(/\/?route\.ts$/, ""));
    expect(apiRoutes.map(({ segments }) => segments.join("/")).toSorted()).toEqual(files.toSorted());
    const exported = apiRoutes.flatMap(({ segments, module }) =>
      METHODS.filter((method) => method in module).map((method) => `${method} /${segments.join("/")}`),
    );
    // The OpenAPI document does not describe the endpoints for SDKs and agents, because these endpoints use
    // other protocols.
    const rest = exported.filter((name) => !/ \/(?:error_tracking\/collector\/|mcp$)/.test(name));
    expect(exported.length).toBeGreaterThan(5);
    const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described.toSorted()).toEqual(rest.map((name) => name.replace(/\[(\w+)\]/g, "{$1}")).toSorted());
    for (const { module } of apiRoutes) expect(module).toHaveProperty("OPTIONS");
  });

  it("all references in the OpenAPI document refer to existing parts of the document", () => {
    const references = objectsIn(api).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const target = reference
        .split("/")
        .slice(1)
        .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), api);
      expect(target, reference).toBeTypeOf("object");
    }
  });

  it("each operation in the OpenAPI document has a unique name, a summary, a successful response, and an authentication method", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(api.tags.map(({ name }) => name));
    const schemes = Object.keys(api.components["securitySchemes"] as Json);
    for (const { operation } of operations()) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(Object.keys(operation.responses)[0]).toMatch(/^20[0-24]$/);
      expect(operation.tags.every((tag) => tags.has(tag))).toBe(true);
      expect(operation["x-scopes"].length).toBeGreaterThan(0);
      for (const requirement of operation.security)
        for (const name of Object.keys(requirement)) expect(schemes).toContain(name);
    }
  });

  it("each operation in the OpenAPI document declares each parameter of its path exactly once, and no other path parameter", () => {
    for (const { path, operation } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const own = operation.parameters.flatMap((parameter) => ("name" in parameter ? [parameter] : []));
      expect(own.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(inPath);
      expect(own.filter((parameter) => parameter.in === "path").every(({ required }) => required)).toBe(true);
      const names = operation.parameters.map((parameter) =>
        "name" in parameter ? parameter.name : parameter.$ref.split("/").at(-1),
      );
      expect(new Set(names).size).toBe(names.length);
      const body = Object.keys(operation.requestBody?.content["application/json"]?.schema.properties ?? {});
      expect(body.filter((name) => inPath.includes(name))).toEqual([]);
    }
  });

  it("the OpenAPI document has exactly one schema for each name of an entity", () => {
    const schemas = new Map<string, unknown>();
    for (const { declaration } of operationsOf(apiRoutes)) {
      if (declaration.entity === null) continue;
      const { name, schema } = declaration.entity;
      expect(schemas.get(name) ?? schema, name).toBe(schema);
      schemas.set(name, schema);
    }
  });

  it("each parameter in the OpenAPI document has exactly one type", () => {
    const lists = Object.values(api.components["parameters"] as Record<string, Json>);
    expect(lists.map(({ name }) => name)).toEqual([
      "page",
      "per_page",
      "pagination",
      "sort",
      "cursor",
      "page_token",
    ]);
    expect(lists[1]).toEqual({
      name: "per_page",
      in: "query",
      required: false,
      description: expect.any(String),
      schema: { type: "integer", default: 20 },
    });
    for (const { operation } of operations()) {
      const fields = operation.requestBody?.content["application/json"]?.schema.properties ?? {};
      const parameters = operation.parameters.flatMap((parameter) =>
        "name" in parameter ? [[parameter.name, parameter.schema]] : [],
      );
      for (const [name, schema] of [...parameters, ...Object.entries(fields)])
        expect(schema, `${operation.operationId}: ${name}`).not.toHaveProperty("anyOf");
    }
  });
});

describe("the OpenAPI document of an API version", () => {
  it("the OpenAPI document declares the parameters of its API version, and the responses that are not JSON", async () => {
    const takes = ({ paths }: OpenApi) =>
      paths["/users"]?.["post"]?.requestBody?.content["application/json"]?.schema.properties?.[
        "private_profile"
      ];
    expect(takes(api)).toMatchObject({ type: ["boolean", "null"] });
    expect(takes(await describeApi(deps, "v5"))).toMatchObject({ type: "boolean" });
    const raw = api.paths["/projects/{id}/repository/files/{file_path}/raw"]?.["get"];
    expect(raw?.responses["200"]).toHaveProperty(["content", "application/octet-stream"]);
    expect(raw?.description).toContain("For everyone who can read the code, with or without a token.");
  });
});

describe("the HTML reference of the API", () => {
  it("the HTML reference has an entry for every operation, with an example response that matches the schema", () => {
    const entries = referenceOf(api).flatMap((chapter) => chapter.entries);
    expect(entries).toHaveLength(operations().length);
    expect(new Set(entries.map(({ anchor }) => anchor)).size).toBe(entries.length);
    const schemas = new Map(
      operationsOf(apiRoutes).map(({ method, path, declaration }) => [
        `${method} ${path}`,
        declaration.entity,
      ]),
    );
    expect(entries.filter(({ isFile }) => isFile).map(({ path }) => path)).toEqual([
      "/projects/{id}/packages/generic/{package_name}/{package_version}/{file_name}",
      "/projects/{id}/repository/files/{file_path}/raw",
    ]);
    for (const { method, path, response, isList, command } of entries) {
      expect(command).toContain(`http://localhost:3000/api/v4/`);
      expect(command).not.toMatch(/[{}]/);
      const entity = schemas.get(`${method} ${path}`) ?? null;
      if (response === null) expect(entity).toBeNull();
      else {
        const shown: unknown = JSON.parse(response);
        const element = isList && Array.isArray(shown) ? shown[0] : shown;
        const declared = entity && versions.schemaIn("v4", entity);
        const schema = declared instanceof z.ZodObject ? declared.strict() : declared;
        expect(schema?.safeParse(element).error, `${method} ${path}`).toBeUndefined();
      }
    }
  });
});
