import { z } from "zod";
import { ALL_SCOPES, SCOPES } from "@/access/scopes";
import { defineEntity } from "./entity";
import { type JsonSchema, jsonSchemaOf } from "./json-schema";
import {
  LIST_HEADERS,
  LIST_PARAMETERS,
  type OperationObject,
  operationObject,
  type VersionsToDescribe,
} from "./openapi-operation";
import type { Operation } from "./operations";
import type { VersionTable } from "./versioned";
import type { ApiVersion } from "./versions";

/** The API as an OpenAPI 3.1 document. */
export type OpenApi = Readonly<{
  openapi: string;
  info: Readonly<{ title: string; version: string; description: string }>;
  servers: readonly Readonly<{ url: string }>[];
  tags: readonly Readonly<{ name: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, JsonSchema>> } & Record<string, unknown>>;
}>;

/** The document itself, as an answer: its inner parts are described by the OpenAPI specification. */
export const openApiDocument = defineEntity(
  "openapi_document",
  {
    openapi: z.string(),
    info: z.record(z.string(), z.string()),
    servers: z.array(z.record(z.string(), z.string())),
    tags: z.array(z.record(z.string(), z.string())),
    paths: z.record(z.string(), z.unknown()),
    components: z.record(z.string(), z.unknown()),
  },
  ({ servers, tags, ...document }: OpenApi) => ({ ...document, servers: [...servers], tags: [...tags] }),
);

type About = Readonly<{ version: ApiVersion; versions: VersionsToDescribe; issuer: string }>;

/** The document of one version, from what the route files declare. */
export function openApiOf(all: readonly Operation[], { version, versions, issuer }: About): OpenApi {
  const operations = all.filter(({ path }) => version === "v4" || versions.goneIn5(path) === null);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, version, versions),
    };
  const tags = [...new Set(operations.map(({ group }) => group))].toSorted();
  return {
    openapi: "3.1.0",
    info: { title: "Gatehouse API", version, description: DESCRIPTION },
    servers: [{ url: `${issuer}/api/${version}` }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: schemasOf(operations, version, versions),
      parameters: LIST_PARAMETERS,
      headers: LIST_HEADERS,
      responses: { refusal: REFUSAL },
      securitySchemes: securitySchemes(issuer),
    },
  };
}

const DESCRIPTION = [
  "Parameters are taken from the query, from a form and from JSON alike, also where a body is described here.",
  "A token is presented in one place of a request; OAuth tokens and personal access tokens are good in each of them.",
  "Lists come in parts: the header Link leads from one to the next.",
].join(" ");

/** What comes back, by name. Two that share a name would be one mistake: the tests compare them. */
const schemasOf = (
  operations: readonly Operation[],
  version: ApiVersion,
  { schemaIn }: Pick<VersionTable, "schemaIn">,
): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries(
    operations
      .flatMap(({ declaration: { entity } }) => (entity === null ? [] : [entity]))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((entity) => [entity.name, jsonSchemaOf(schemaIn(version, entity), "output")]),
  ),
  refusal: REFUSAL_SCHEMA,
});

const REFUSAL_SCHEMA: JsonSchema = {
  type: "object",
  description: "Either `message` or `error` says what is wrong.",
  properties: {
    message: { description: "A text, or texts by the field that they are about." },
    error: { type: "string", description: "Which parameters are wrong, or the code of a token's problem." },
    error_description: { type: "string" },
    scope: { type: "string", description: "The scopes any of which would have opened the endpoint." },
  },
};

const REFUSAL = {
  description: "What is wrong with the request",
  content: { "application/json": { schema: { $ref: "#/components/schemas/refusal" } } },
};

/** Every way to present a token; see `presentedToken`. */
const securitySchemes = (issuer: string) => ({
  oauth2: {
    type: "oauth2",
    flows: {
      authorizationCode: {
        authorizationUrl: `${issuer}/oauth/authorize`,
        tokenUrl: `${issuer}/oauth/token`,
        refreshUrl: `${issuer}/oauth/token`,
        scopes: Object.fromEntries(ALL_SCOPES.map((scope) => [scope, SCOPES[scope].label])),
      },
    },
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "Authorization: Bearer, with either kind of token.",
  },
  basic: {
    type: "http",
    scheme: "basic",
    description: "A personal access token as the password, with any username.",
  },
  private_token_header: { type: "apiKey", in: "header", name: "PRIVATE-TOKEN" },
  private_token: { type: "apiKey", in: "query", name: "private_token" },
  access_token: { type: "apiKey", in: "query", name: "access_token" },
});
