import { ALL_SCOPES } from "@/access/scopes";
import type { Declaration } from "./declaration";
import { type JsonSchema, jsonSchemaOf } from "./json-schema";
import type { Operation } from "./operations";
import { pagingFields, pagingFieldsOf, tokenFields } from "./paging";
import type { VersionTable } from "./versioned";
import type { ApiVersion } from "./versions";

/** A path parameter or a query parameter of an operation. */
export type ParameterObject = Readonly<{
  name: string;
  in: "path" | "query";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
  style?: "form" | "deepObject";
  explode?: boolean;
}>;
type Reference = Readonly<{ $ref: string }>;
type Content = Readonly<Record<string, Readonly<{ schema: JsonSchema; example?: object }>>>;
export type ResponseObject = Readonly<{
  description: string;
  headers?: Readonly<Record<string, Reference>>;
  content?: Content;
}>;

/** An operation (a method of a path) in the format of OpenAPI. */
export type OperationObject = Readonly<{
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters: readonly (ParameterObject | Reference)[];
  requestBody?: Readonly<{ required: boolean; content: Content }>;
  responses: Readonly<Record<string, ResponseObject | Reference>>;
  deprecated?: true;
  security: readonly Readonly<Record<string, readonly string[]>>[];
  "x-audience": string;
  "x-scopes": readonly string[];
}>;

/** The parameters and headers that all lists have. */
export const LIST_PARAMETERS: Readonly<Record<string, ParameterObject>> = Object.fromEntries(
  queryParameters(jsonSchemaOf(pagingFields.extend(tokenFields.shape), "input")).map((parameter) => [
    parameter.name,
    parameter,
  ]),
);
const header = (type: string, description: string) => ({ description, schema: { type } });
export const LIST_HEADERS = {
  Link: header("string", "The URLs of other pages of the list (RFC 8288)."),
  "X-Page": header("integer", "The page number."),
  "X-Per-Page": header("integer", "The number of items per page."),
  "X-Prev-Page": header("string", "The page number of the previous page; empty on the first page."),
  "X-Next-Page": header("string", "The page number of the next page; empty on the last page."),
  "X-Total": header("integer", "The total number of items; absent for long lists."),
  "X-Total-Pages": header("integer", "The total number of pages; absent for long lists."),
} as const satisfies Record<string, Readonly<{ description: string; schema: JsonSchema }>>;

const refersTo = (section: string) => (name: string) => ({ $ref: `#/components/${section}/${name}` });

/** The functions of `VersionTable` that are used to create the OpenAPI documents. */
export type VersionsToDescribe = Pick<
  VersionTable,
  "goneIn5" | "fieldsIn" | "schemaIn" | "deprecatedParameters"
>;

export function operationObject(
  operation: Operation,
  version: ApiVersion,
  versions: VersionsToDescribe,
): OperationObject {
  const { method, path, group, declaration, scopes, audience } = operation;
  const sent = sentIn(version, versions, declaration);
  const fields = without(sent, operation.pathNames);
  const inQuery = method === "GET" || method === "DELETE" || declaration.upload === true;
  const hasFields = Object.keys(fields.properties ?? {}).length > 0;
  return {
    operationId: `${method} ${path}`.toLowerCase().replace(/\W+/g, "_").replace(/_$/, ""),
    tags: [group],
    summary: declaration.summary,
    description: `For ${audience}. ${scopesInWords(scopes)}`,
    parameters: [
      ...pathParameters(operation.pathNames, sent),
      ...(inQuery ? withExamples(queryParameters(fields), declaration.example) : []),
      ...(declaration.list ? listParameters(fields, declaration) : []),
    ],
    ...(inQuery || !hasFields ? {} : { requestBody: bodyOf(fields, declaration.example) }),
    ...(declaration.upload ? { requestBody: { required: true, content: BYTES } } : {}),
    responses: responsesOf(operation),
    ...(versions.goneIn5(path) === null ? {} : { deprecated: true as const }),
    security: securityOf(operation),
    "x-audience": audience,
    "x-scopes": scopes,
  };
}

/**
 * Returns the parameters of an endpoint in a version; parameters that only v4 accepts are marked as
 * deprecated.
 */
function sentIn(
  version: ApiVersion,
  { fieldsIn, deprecatedParameters }: VersionsToDescribe,
  declaration: Declaration,
): JsonSchema {
  if (declaration.input === undefined) return {};
  const { properties = {}, ...schema } = jsonSchemaOf(fieldsIn(version, declaration), "input");
  const old = version === "v4" ? deprecatedParameters(declaration) : [];
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        old.includes(name) ? { ...property, deprecated: true } : property,
      ]),
    ),
  };
}

const isAny = (scopes: readonly string[]): boolean => scopes.length === ALL_SCOPES.length;
const scopesInWords = (scopes: readonly string[]): string =>
  isAny(scopes) ? "Any scope is sufficient." : `Requires one of these scopes: ${scopes.join(", ")}.`;

function without(
  { properties = {}, required = [], ...rest }: JsonSchema,
  names: readonly string[],
): JsonSchema {
  const left = required.filter((name) => !names.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(left.length === 0 ? {} : { required: left }),
  };
}

/**
 * A path parameter is the id of a row or a name. A project or a group can also be identified by its full
 * path.
 */
const ROW: JsonSchema = { type: ["integer", "string"], description: "The id, or the URL-encoded full path." };

const pathParameters = (names: readonly string[], { properties = {} }: JsonSchema): ParameterObject[] =>
  names.map((name) => parameter(name, "path", properties[name] ?? ROW, true));

function queryParameters({ properties = {}, required = [] }: JsonSchema): ParameterObject[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameter(name, "query", schema, required.includes(name)),
  );
}

/**
 * Returns references to the paging parameters. The result does not contain a parameter that the list itself
 * declares, such as its sort order.
 */
const listParameters = ({ properties = {} }: JsonSchema, declaration: Declaration) =>
  Object.keys(pagingFieldsOf(declaration).shape)
    .filter((name) => !(name in properties))
    .filter((name) => declaration.pagedBy !== "number" || name !== "pagination")
    .map(refersTo("parameters"));

function parameter(
  name: string,
  location: ParameterObject["in"],
  { description, ...schema }: JsonSchema,
  required: boolean,
): ParameterObject {
  return {
    name,
    in: location,
    required,
    ...(description === undefined ? {} : { description }),
    schema,
    // Several values are sent as one string with commas; the fields of an object are sent as
    // `name[field]=value`.
    ...(schema.type === "array" ? { style: "form", explode: false } : {}),
    ...(schema.type === "object" ? { style: "deepObject", explode: true } : {}),
  };
}

const BYTES: Content = { "application/octet-stream": { schema: {} } };

type Example = Declaration["example"];

const bodyOf = (schema: JsonSchema, example: Example) => {
  const described = example === undefined ? { schema } : { schema, example };
  return {
    required: schema.required !== undefined,
    content: { "application/x-www-form-urlencoded": described, "application/json": described },
  };
};

const withExamples = (parameters: readonly ParameterObject[], example: Example = {}): ParameterObject[] =>
  parameters.map((parameter) =>
    parameter.name in example ? { ...parameter, example: example[parameter.name] } : parameter,
  );

const REFUSALS: Readonly<Record<string, string>> = {
  "400": "A parameter is missing or invalid",
  "401": "The token is missing or invalid",
  "403": "The token or its user does not have the required permission",
  "404": "The resource does not exist, or the caller cannot see it",
};

function responsesOf({ declaration, pathNames }: Operation): OperationObject["responses"] {
  const { entity, list, status, bytes } = declaration;
  const { content } = {
    content: { "application/json": { schema: { $ref: "#/components/schemas/refusal" } } },
  };
  const refusals = Object.entries(REFUSALS).filter(([code]) => code !== "404" || pathNames.length > 0);
  const reference = entity === null ? null : { $ref: `#/components/schemas/${entity.name}` };
  const success: ResponseObject = {
    description: entity === null ? EMPTY[bytes ? "bytes" : "nothing"] : inWords(entity.name, list ?? false),
    ...(list
      ? {
          headers: Object.fromEntries(
            Object.keys(LIST_HEADERS).map((name) => [name, refersTo("headers")(name)]),
          ),
        }
      : {}),
    ...(bytes ? { content: BYTES } : {}),
    ...(reference === null
      ? {}
      : {
          content: { "application/json": { schema: list ? { type: "array", items: reference } : reference } },
        }),
  };
  return {
    [status ?? (entity === null && !bytes ? 204 : 200)]: success,
    ...Object.fromEntries(refusals.map(([code, description]) => [code, { description, content }])),
    default: refersTo("responses")("refusal"),
  };
}

const EMPTY = { nothing: "Success; the response is empty", bytes: "The content of the file" } as const;

const inWords = (name: string, list: boolean): string =>
  list
    ? `A list: ${name.replaceAll("_", " ")}`
    : name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());

const oauthOf = (scopes: readonly string[]) =>
  isAny(scopes) ? [{ oauth2: [] }] : scopes.map((scope) => ({ oauth2: [scope] }));

/**
 * Returns the security requirements of an operation. A request needs to meet only one of the requirements.
 * OpenAPI expresses "any of these scopes" as one requirement for each scope.
 */
function securityOf({ declaration, scopes }: Operation): OperationObject["security"] {
  return [
    ...(declaration.anonymous ? [{}] : []),
    ...(declaration.tokens === "personal" || declaration.createsToken ? [] : oauthOf(scopes)),
    ...(declaration.basic ? [{ basic: [] }] : []),
    { bearer: [] },
    { private_token_header: [] },
    { private_token: [] },
    { access_token: [] },
  ];
}
