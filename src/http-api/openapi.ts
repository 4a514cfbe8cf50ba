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

/** An OpenAPI 3.1 document of the API. */
export type OpenApi = Readonly<{
  openapi: string;
  info: Readonly<{ title: string; version: string; description: string }>;
  servers: readonly Readonly<{ url: string }>[];
  tags: readonly Readonly<{ name: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, JsonSchema>> } & Record<string, unknown>>;
}>;

/**
 * The response with the OpenAPI document. The structure of the document is defined by the OpenAPI
 * specification.
 */
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

/** Returns the OpenAPI document of one API version, from the declarations of the route files. */
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
  "Parameters are accepted in the query, in a form and in JSON, even if an operation describes them in only one of these parts.",
  "Send the token in one part of a request only. Each authentication method accepts OAuth tokens and personal access tokens.",
  "Lists are returned in pages: follow the header Link from one page to the next.",
].join(" ");

/**
 * Returns the schemas of the entities by name. The tests detect two different entities with the same name.
 */
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
  description: "The member `message` or `error` describes the problem.",
  properties: {
    message: { description: "An error message, or an object with the error messages of each invalid field." },
    error: { type: "string", description: "The invalid parameters, or the error code for an invalid token." },
    error_description: { type: "string" },
    scope: {
      type: "string",
      description: "The scopes of the endpoint, of which the token needs at least one.",
    },
  },
};

const REFUSAL = {
  description: "The problem with the request",
  content: { "application/json": { schema: { $ref: "#/components/schemas/refusal" } } },
};

/** All ways to send a token; see `presentedToken`. */
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
    description: "Authorization: Bearer, with an OAuth token or a personal access token.",
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
