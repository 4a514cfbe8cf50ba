import type { Deps } from "@/kernel/deps/deps";
import { OutboundRequestError } from "@/kernel/http/outbound-error";
import { sendOutboundRequest } from "@/kernel/http/outbound-request";
import { processWide } from "@/kernel/process/process-wide";
import { allowsPlainHttp } from "../applications/service";

/** The response of a URL that returns a JWK Set. `text` is null after a failed request. */
type FetchedKeys = Readonly<{ text: string | null; fetchedAt: number }>;

const FRESH_MS = 600_000;

/** The minimum time between two requests to the same URL. */
const PAUSE_MS = 30_000;

const URLS_MAX = 500;

/**
 * The fetched keys and the requests in progress, keyed by URL. Simultaneous calls for the same URL share one
 * request.
 */
const state = processWide<{ fetched: Map<string, FetchedKeys>; pending: Map<string, Promise<FetchedKeys>> }>(
  "client-key-urls",
  () => ({ fetched: new Map(), pending: new Map() }),
);

/**
 * Returns the JWK Set at a URL that an application has registered. The process caches the JWK Set for 10
 * minutes.
 * @param isNewer true if the cached JWK Set was not sufficient, for example because a client has a new key.
 * If `isNewer` is true, the server requests the URL again unless the last request was less than 30 seconds
 * ago.
 * @returns null if the JWK Set cannot be fetched from the URL.
 */
export async function fetchKeySet(deps: Deps, url: string, isNewer: boolean): Promise<string | null> {
  const { fetched, pending } = state();
  const stored = fetched.get(url);
  const ageMs = stored === undefined ? Number.POSITIVE_INFINITY : deps.clock().getTime() - stored.fetchedAt;
  const maximumMs = isNewer || stored?.text === null ? PAUSE_MS : FRESH_MS;
  if (stored !== undefined && ageMs < maximumMs) return stored.text;
  const request = pending.get(url) ?? load(deps, url).finally(() => pending.delete(url));
  pending.set(url, request);
  const loaded = await request;
  if (fetched.size >= URLS_MAX) fetched.clear();
  fetched.set(url, loaded);
  return loaded.text;
}

async function load(deps: Deps, url: string): Promise<FetchedKeys> {
  const fetchedAt = deps.clock().getTime();
  const loopback = allowsPlainHttp(deps);
  try {
    const { status, body } = await sendOutboundRequest(new URL(url), {
      method: "GET",
      redirectsMax: 0,
      deadlineMs: 3_000,
      bytesMax: 65_536,
      http: loopback ? "loopback" : "never",
      allow: { loopback },
      headers: { accept: "application/jwk-set+json, application/json" },
    });
    return { text: status === 200 ? Buffer.from(body).toString("utf8") : null, fetchedAt };
  } catch (cause) {
    if (!(cause instanceof OutboundRequestError)) throw cause;
    deps.log.info({ event: "client_keys.not_fetched", reason: cause.failure });
    return { text: null, fetchedAt };
  }
}
