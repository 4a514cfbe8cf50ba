import { type OpenApi, openApiOf } from "@/http-api/openapi";
import { operationsOf } from "@/http-api/operations";
import { type Chapter, referenceOf } from "@/http-api/reference";
import type { ApiVersion } from "@/http-api/versions";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { versions } from "./api-versions";

/**
 * Returns the OpenAPI document of one API version, from the declarations of the route files. The document
 * never changes, so it is created only once, even for simultaneous requests.
 */
export async function describeApi({ config }: Pick<Deps, "config">, version: ApiVersion): Promise<OpenApi> {
  const key = `${version} ${config.issuer}`;
  const document = documents().get(key) ?? makeDocument(config.issuer, version);
  documents().set(key, document);
  return document;
}

async function makeDocument(issuer: string, version: ApiVersion): Promise<OpenApi> {
  // The module of the route files is loaded only here to avoid an import cycle, because one of the route
  // files serves the OpenAPI document.
  const { apiRoutes } = await import("./generated/api-routes");
  return openApiOf(operationsOf(apiRoutes), { version, versions, issuer });
}

const documents = processWide("openapi-documents", () => new Map<string, Promise<OpenApi>>());

/**
 * The content of the reference pages of the API: the URL of the API, its description, and a chapter for each
 * resource.
 */
export type ApiReference = Readonly<{ url: string; description: string; chapters: readonly Chapter[] }>;

/** Returns the API reference of v4, which is created only once, like the OpenAPI document. */
export async function apiReference(deps: Pick<Deps, "config">): Promise<ApiReference> {
  const document = await describeApi(deps, "v4");
  const reference = references().get(document) ?? {
    url: document.servers[0]?.url ?? "",
    description: document.info.description,
    chapters: referenceOf(document),
  };
  references().set(document, reference);
  return reference;
}

const references = processWide("api-references", () => new WeakMap<OpenApi, ApiReference>());
