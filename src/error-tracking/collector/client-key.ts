import { type CollectorKey, findCollectorKey } from "@/error-tracking/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { queryOf } from "@/kernel/http/parameters";
import { inactiveKey, noKey, noProject, unknownKey } from "./refusals";

/** What a public key can look like; anything else is not looked for. */
const PUBLIC_KEY = /^[\w-]{1,100}$/;

/** The key that a request names: in its query, or in the header of an SDK that does not use the query. */
export const keyOf = (request: Request): string | null =>
  keyInQuery(request.url) ??
  keyInHeader(request.headers.get("x-sentry-auth")) ??
  keyInHeader(request.headers.get("authorization"));

function keyInQuery(url: string): string | null {
  const query = queryOf(url);
  if (!query.includes("sentry_key=")) return null;
  // By hand: nothing else in the query is read, so nothing else in it can be wrong.
  const key = /(?:^|&)sentry_key=([^&]*)/.exec(query)?.[1];
  return key === undefined || key === "" ? null : key;
}

/** `Sentry sentry_key=…, sentry_version=7, …`; in `Authorization`, other schemes are somebody else's business. */
function keyInHeader(header: string | null): string | null {
  if (header === null) return null;
  const [, parameters = header] = /^sentry\s(.*)$/i.exec(header.trim()) ?? [];
  for (const parameter of parameters.split(",")) {
    const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
    if (name === "sentry_key") return value.replaceAll('"', "") || null;
  }
  return null;
}

/** The key in a DSN, `scheme://key@host/path`; an obsolete secret after it is ignored. */
export const keyInDsn = (dsn: unknown): string | null =>
  typeof dsn === "string" ? (/^https?:\/\/([^@/:]+)(?::[^@/]*)?@/i.exec(dsn)?.[1] ?? null) : null;

/**
 * The project that a key may report to, if it is the one of the address. Whoever has no key of it does not learn whether
 * it exists.
 * @throws CollectorRefusal 401 for a key that is absent or unknown, 403 for one that is switched off, 404 for a project
 * that is not its own or collects no errors.
 */
export async function authorizeKey(deps: Deps, key: string | null, projectId: string): Promise<CollectorKey> {
  if (key === null) throw noKey();
  const row = PUBLIC_KEY.test(key) ? await findCollectorKey(deps, key) : null;
  if (row === null) throw unknownKey();
  if (!row.active) throw inactiveKey();
  if (String(row.projectId) !== projectId || !row.collects) throw noProject();
  return row;
}
