import type { Deps } from "@/kernel/deps/deps";
import { isTemporaryFailure, isTemporaryStatus, OutboundRequestError } from "@/kernel/http/outbound-error";
import { sendOutboundRequest } from "@/kernel/http/outbound-request";
import { processWide } from "@/kernel/process/process-wide";
import { allowsPlainHttp } from "../applications/service";
import { KEYS_PAUSE_SECONDS } from "./rules";

/** The JWK Set at a URL. */
type KeySetAtUrl = Readonly<{
  /** The text of the JWK Set; null if no request of the last day was successful. */
  text: string | null;
  /** Whether the last request failed, but a later request may succeed. */
  isUnavailable: boolean;
}>;

/**
 * A fetched JWK Set. `fetchedAt` is the time of the last successful request, and `requestedAt` the time of the
 * last request.
 */
type FetchedKeys = KeySetAtUrl & Readonly<{ fetchedAt: number; requestedAt: number }>;

const FRESH_MS = 600_000;

/** The time for which the server uses fetched keys while later requests fail. */
const KEPT_MS = 86_400_000;

/** The minimum time between two requests to the same URL. */
const PAUSE_MS = KEYS_PAUSE_SECONDS * 1_000;

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
 * minutes. While the URL cannot be fetched, the process uses the last JWK Set for up to a day. Anyone can cause
 * requests to the URL with a wrong signature, so a failed request must not remove the keys.
 * @param isNewer true if the cached JWK Set was not sufficient, for example because a client has a new key.
 * If `isNewer` is true, the server requests the URL again unless the last request was less than 30 seconds
 * ago.
 */
export async function fetchKeySet(deps: Deps, url: string, isNewer: boolean): Promise<KeySetAtUrl> {
  const { fetched, pending } = state();
  const stored = fetched.get(url);
  const hasFailed = stored !== undefined && stored.requestedAt !== stored.fetchedAt;
  const waitMs = isNewer || hasFailed ? PAUSE_MS : FRESH_MS;
  if (stored !== undefined && deps.clock().getTime() - stored.requestedAt < waitMs) return stored;
  const request = pending.get(url) ?? load(deps, url, stored).finally(() => pending.delete(url));
  pending.set(url, request);
  const loaded = await request;
  if (fetched.size >= URLS_MAX) fetched.clear();
  fetched.set(url, loaded);
  return loaded;
}

/** Requests a JWK Set. After a failed request, the result contains the JWK Set of the last day. */
async function load(deps: Deps, url: string, stored: FetchedKeys | undefined): Promise<FetchedKeys> {
  const requestedAt = deps.clock().getTime();
  const received = await requestKeySet(deps, url);
  if (received.text !== null) return { ...received, fetchedAt: requestedAt, requestedAt };
  const fetchedAt = stored?.fetchedAt ?? 0;
  const text = requestedAt - fetchedAt < KEPT_MS ? (stored?.text ?? null) : null;
  return { ...received, text, fetchedAt, requestedAt };
}

async function requestKeySet(deps: Deps, url: string): Promise<KeySetAtUrl> {
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
    return status === 200
      ? { text: Buffer.from(body).toString("utf8"), isUnavailable: false }
      : { text: null, isUnavailable: isTemporaryStatus(status) };
  } catch (cause) {
    if (!(cause instanceof OutboundRequestError)) throw cause;
    deps.log.info({ event: "client_keys.not_fetched", reason: cause.failure });
    return { text: null, isUnavailable: isTemporaryFailure(cause.failure) };
  }
}
