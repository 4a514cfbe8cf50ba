import { type CollectorKey, findCollectorKey } from "@/error-tracking/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { queryOf } from "@/kernel/http/parameters";
import { inactiveKey, noKey, noProject, unknownKey } from "./refusals";

/**
 * The format of the public key of a client key. A value of another format is rejected without a database
 * query.
 */
const PUBLIC_KEY = /^[\w-]{1,100}$/;

/**
 * Returns the client key of a request. The function reads the client key from the query or from a header of
 * the request, because some SDKs do not send the query parameter.
 */
export const keyOf = (request: Request): string | null =>
  keyInQuery(request.url) ??
  keyInHeader(request.headers.get("x-sentry-auth")) ??
  keyInHeader(request.headers.get("authorization"));

function keyInQuery(url: string): string | null {
  const query = queryOf(url);
  if (!query.includes("sentry_key=")) return null;
  // This function searches the query string directly, because `parseParameters` rejects the whole query if
  // any other parameter is malformed.
  const key = /(?:^|&)sentry_key=([^&]*)/.exec(query)?.[1];
  return key === undefined || key === "" ? null : key;
}

/**
 * Parses an authentication header of the form `Sentry sentry_key=…, sentry_version=7, …`. The function
 * ignores `Authorization` headers whose scheme is not `Sentry`.
 */
function keyInHeader(header: string | null): string | null {
  if (header === null) return null;
  const [, parameters = header] = /^sentry\s(.*)$/i.exec(header.trim()) ?? [];
  for (const parameter of parameters.split(",")) {
    const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
    if (name === "sentry_key") return value.replaceAll('"', "") || null;
  }
  return null;
}

/**
 * Returns the client key in a DSN, `scheme://key@host/path`. The function ignores the obsolete secret that a
 * DSN may contain after the client key.
 */
export const keyInDsn = (dsn: unknown): string | null =>
  typeof dsn === "string" ? (/^https?:\/\/([^@/:]+)(?::[^@/]*)?@/i.exec(dsn)?.[1] ?? null) : null;

/**
 * Checks that a client key may report to the project in the URL. A caller without a client key of the project
 * cannot find out whether the project exists.
 * @throws CollectorRefusal 401 if the client key is missing or unknown, 403 if the client key is inactive,
 * 404 if the client key belongs to another project or the project does not store tracked errors.
 */
export async function authorizeKey(deps: Deps, key: string | null, projectId: string): Promise<CollectorKey> {
  if (key === null) throw noKey();
  const row = PUBLIC_KEY.test(key) ? await findCollectorKey(deps, key) : null;
  if (row === null) throw unknownKey();
  if (!row.active) throw inactiveKey();
  if (String(row.projectId) !== projectId || !row.collects) throw noProject();
  return row;
}
