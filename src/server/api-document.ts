import { type OpenApi, openApiOf } from "@/http-api/openapi";
import { operationsOf } from "@/http-api/operations";
import type { ApiVersion } from "@/http-api/versions";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { versions } from "./rest-api";

/**
 * Returns the OpenAPI document of one version, from the declarations of the route files. The document never
 * changes, so it is created once, even when many requests need it simultaneously.
 */
export async function describeApi({ config }: Pick<Deps, "config">, version: ApiVersion): Promise<OpenApi> {
  const key = `${version} ${config.issuer}`;
  const document = documents().get(key) ?? makeDocument(config.issuer, version);
  documents().set(key, document);
  return document;
}

async function makeDocument(issuer: string, version: ApiVersion): Promise<OpenApi> {
  // Loaded here, because this imports all route files, and one of them serves this document.
  const { apiRoutes } = await import("./generated/api-routes");
  return openApiOf(operationsOf(apiRoutes), { version, versions, issuer });
}

const documents = processWide("openapi-documents", () => new Map<string, Promise<OpenApi>>());
