import { type OpenApi, openApiOf } from "@/http-api/openapi";
import { operationsOf } from "@/http-api/operations";
import type { ApiVersion } from "@/http-api/versions";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { versions } from "./rest-api";

/**
 * The OpenAPI document of one version, from what the route files declare. It stays the same, so it is made once, also
 * where many requests ask for it at the same time.
 */
export async function describeApi({ config }: Pick<Deps, "config">, version: ApiVersion): Promise<OpenApi> {
  const key = `${version} ${config.issuer}`;
  const document = documents().get(key) ?? makeDocument(config.issuer, version);
  documents().set(key, document);
  return document;
}

async function makeDocument(issuer: string, version: ApiVersion): Promise<OpenApi> {
  // Loaded when it is asked for: the route files are imported here, and the document's own is one of them.
  const { apiRoutes } = await import("./generated/api-routes");
  return openApiOf(operationsOf(apiRoutes), { version, versions, issuer });
}

const documents = processWide("openapi-documents", () => new Map<string, Promise<OpenApi>>());
