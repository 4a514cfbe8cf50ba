import type { JsonSchema } from "./json-schema";
import type { OpenApi } from "./openapi";
import type { OperationObject, ParameterObject } from "./openapi-operation";

/** The description of an endpoint on the reference page. */
export type Entry = Readonly<{
  /** The anchor of the endpoint on the reference page. */
  anchor: string;
  method: string;
  path: string;
  summary: string;
  audience: string;
  scopes: readonly string[];
  parameters: readonly Readonly<{ name: string; type: string; place: string; about: string }>[];
  isList: boolean;
  /** Whether the response is a file and not JSON. */
  isFile: boolean;
  status: string;
  /** An example of the JSON response, with generated values; null for an endpoint without a JSON response. */
  response: string | null;
  /** A curl command that calls the endpoint. */
  command: string;
}>;
export type Chapter = Readonly<{ name: string; anchor: string; entries: readonly Entry[] }>;

/** Returns the chapters of the reference page, one for each resource. */
export function referenceOf(document: OpenApi): readonly Chapter[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      entry: entryOf(document, method.toUpperCase(), path, operation),
    })),
  );
  return document.tags.map(({ name }) => ({
    name,
    anchor: anchorOf(name),
    entries: entries.filter(({ tag }) => tag === name).map(({ entry }) => entry),
  }));
}

/** Returns the anchor of the chapter of a resource. */
export const anchorOf = (name: string): string => name.toLowerCase().replace(/\W+/g, "-");

/** The path of the reference page of the API. */
export const REFERENCE_PATH = "/help/api";

/** The anchor of the explanation of the deprecated members of `GET /oauth/token/info` on the reference page. */
export const TOKEN_INFO_ANCHOR = "token-info-members";

/** Returns the path of the reference page of a resource. */
export const chapterPath = ({ anchor }: Pick<Chapter, "anchor">): string => `${REFERENCE_PATH}/${anchor}`;

/**
 * Returns the chapters with the endpoints that match a search. An endpoint matches if each word of the search
 * occurs in its resource, method, path, summary or parameters.
 */
export function searchReference(chapters: readonly Chapter[], search: string): readonly Chapter[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return chapters;
  return chapters.flatMap((chapter) => {
    const entries = chapter.entries.filter(({ method, path, summary, parameters }) => {
      const text = [chapter.name, method, path, summary, ...parameters.map(({ name }) => name)]
        .join("\n")
        .toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return entries.length === 0 ? [] : [{ ...chapter, entries }];
  });
}

function entryOf(document: OpenApi, method: string, path: string, operation: OperationObject): Entry {
  const inAddress = operation.parameters.flatMap((parameter) => ("name" in parameter ? [parameter] : []));
  const inBody = bodyFields(operation);
  const { status, schema } = successOf(operation);
  const query = inAddress.filter(({ in: place }) => place === "query");
  return {
    anchor: operation.operationId,
    method,
    path,
    summary: operation.summary,
    audience: operation["x-audience"],
    scopes: operation["x-scopes"],
    parameters: [
      ...inAddress.map((parameter) => describeField(parameter, parameter.in)),
      ...inBody.map((field) => describeField(field, "body")),
    ],
    isList: schema?.type === "array",
    isFile: schema === null && status === "200",
    status,
    response: schema === null ? null : JSON.stringify(exampleOf(document, schema), null, 2),
    command: commandOf(document, method, path, [...query, ...inBody], uploads(operation)),
  };
}

const uploads = ({ requestBody }: OperationObject): boolean =>
  requestBody?.content["application/octet-stream"] !== undefined;

function bodyFields({ requestBody }: OperationObject): readonly Field[] {
  const { schema: body = {}, example = {} } = requestBody?.content["application/json"] ?? {};
  const { properties = {}, required = [] } = body;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    schema,
    required: required.includes(name),
    ...(name in example ? { example: (example as Readonly<Record<string, unknown>>)[name] } : {}),
    ...(description === undefined ? {} : { description }),
  }));
}

/**
 * Returns the status and the schema of the successful response. The first response of each operation is the
 * successful response.
 */
function successOf({ responses }: OperationObject): Readonly<{ status: string; schema: JsonSchema | null }> {
  const [status = "", response] = Object.entries(responses)[0] ?? [];
  const content = response !== undefined && "content" in response ? response.content : undefined;
  return { status, schema: content?.["application/json"]?.schema ?? null };
}

type Field = Pick<ParameterObject, "name" | "schema" | "required" | "description" | "example">;

const describeField = ({ name, schema, required, description }: Field, place: string) => ({
  name,
  type: typeOf(schema),
  place,
  about: [
    ...(required ? ["Required."] : []),
    ...(description === undefined ? [] : [description]),
    ...(schema.enum === undefined ? [] : [`One of: ${schema.enum.map(String).join(", ")}.`]),
    ...(schema.default === undefined ? [] : [`Default: ${String(schema.default)}.`]),
  ].join(" "),
});

function typeOf({ type, format, items }: JsonSchema): string {
  const words = typeof type === "string" ? [type] : (type ?? ["anything"]);
  if (items !== undefined && words[0] === "array") return `array of ${typeOf(items)}`;
  return format === undefined ? words.join(" or ") : `${words.join(" or ")}: ${format}`;
}

/**
 * Returns a curl command for the endpoint. The command succeeds on an instance that contains the resources in
 * the path of the command.
 */
function commandOf(
  { servers }: OpenApi,
  method: string,
  path: string,
  fields: readonly Field[],
  isUpload: boolean,
): string {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    /id$/.test(name) ? "1" : name.toUpperCase(),
  );
  const sent = fields
    .filter(({ required, example }) => required || example !== undefined)
    .map(({ name, schema, example }) => `--data-urlencode "${name}=${example ?? madeUp(name, schema)}"`);
  const asQuery = method === "GET" && sent.length > 0 ? ["--get"] : [];
  return [
    method === "GET" ? "curl" : `curl --request ${method}`,
    '--header "PRIVATE-TOKEN: $TOKEN"',
    ...(isUpload ? ["--upload-file tool.bin"] : []),
    ...asQuery,
    ...sent,
    `"${servers[0]?.url}${named}"`,
  ].join(" \\\n  ");
}

function exampleOf(document: OpenApi, schema: JsonSchema, name = ""): unknown {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.split("/").at(-1) ?? ""];
    return target === undefined ? {} : exampleOf(document, target, name);
  }
  if (schema.anyOf?.[0] !== undefined) return exampleOf(document, schema.anyOf[0], name);
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [key, exampleOf(document, value, key)]),
    );
  if (schema.maxItems === 0) return [];
  if (schema.items !== undefined) return [exampleOf(document, schema.items, name)];
  return madeUp(name, schema);
}

/** Example values by field name, for fields whose type is not sufficient to generate a valid value. */
const KNOWN: Readonly<Record<string, string>> = {
  username: "ann",
  email: "ann@example.com",
  commit_email: "ann@example.com",
  scopes: "read_api",
  token: "ghpt_…",
};

const BY_FORMAT: Readonly<Record<string, string>> = {
  "date-time": "2026-11-21T12:00:00.000Z",
  date: "2026-12-21",
  uri: "https://app.example.com/",
};

/** Returns a generated value that the schema allows. */
function madeUp(name: string, schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") return schema.items === undefined ? [] : [madeUp(name, schema.items)];
  if (type === "object" || type === undefined) return {};
  return BY_FORMAT[schema.format ?? ""] ?? KNOWN[name] ?? name.replaceAll("_", " ");
}
