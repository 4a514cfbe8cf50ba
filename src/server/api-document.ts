import { type OpenApi, openApiOf } from "@/http-api/openapi";
import { operationsOf } from "@/http-api/operations";
import type { ApiVersion } from "@/http-api/versions";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { versions } from "./rest-api";

/**
 * Returns the OpenAPI document of one version, from the declarations of the route files. The document never
 * changes, so it is created only once, even when many requests need it simultaneously.
 */
export async function describeApi({ config }: Pick<Deps, "config">, version: ApiVersion): Promise<OpenApi> {
  const key = `${version} ${config.issuer}`;
  const document = documents().get(key) ?? makeDocument(config.issuer, version);
  documents().set(key, document);
  return document;
}

async function makeDocument(issuer: string, version: ApiVersion): Promise<OpenApi> {
  // The module is loaded here, because it imports all route files, and one of these route files serves the document.
  const { apiRoutes } = await import("./generated/api-routes");
  return openApiOf(operationsOf(apiRoutes), { version, versions, issuer });
}

const documents = processWide("openapi-documents", () => new Map<string, Promise<OpenApi>>());
