import { countFailure, reserve, secondsBlocked } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import type { Application } from "@/oauth/applications/rules";
import { recordFailure } from "@/oauth/failed-exchanges/failed-exchange";
import { OAuthError, type OAuthErrorCode } from "./errors";

/**
 * The error codes that the rate limit counts as failed authentication. The errors of a pending poll and of a
 * malformed request do not count.
 */
const COUNTED: readonly OAuthErrorCode[] = [
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "access_denied",
];

/**
 * Counts refused client authentications and refused grants per client and network, and records the refusal
 * for the developer of the client. The rate limit does not apply to successful requests, because one broken
 * instance of a client must not block the other instances in its network.
 * @param clientUid the client of the request; null for an unknown client, so that all unknown clients share
 * one counter.
 * @returns the error to throw: the refusal itself, or an error with status 429 after too many refusals.
 */
export async function countRefusal(
  deps: Deps,
  request: Request,
  clientUid: string | null,
  refusal: unknown,
): Promise<unknown> {
  if (!(refusal instanceof OAuthError)) return refusal;
  if (clientUid !== null)
    recordFailure(deps, { clientUid, reason: refusal.reason, origin: () => originOf(request) });
  if (!COUNTED.includes(refusal.code)) return refusal;
  const from = `${clientUid ?? ""} ${sourceNetwork(clientIpOf(request))}`;
  const subjects = [limitOf(await readSettings(deps), "oauth_refused", from)];
  const retryAfterSeconds = await secondsBlocked(deps.db, subjects, deps.clock());
  if (retryAfterSeconds !== null) return rateLimited(retryAfterSeconds, `${refusal.reason}_limited`);
  await countFailure(deps.db, subjects, deps.clock());
  return refusal;
}

/** Returns the path of the endpoint and the IP address of a request. */
export const originOf = (request: Request): Readonly<{ endpoint: string; address: string }> => ({
  endpoint: new URL(request.url).pathname,
  address: clientIpOf(request),
});

/** The limits of requests that anyone can send for a public client, each with the reason for the log. */
const LIMITED_REASONS = {
  pushed_request_per_client: "push_limited",
  device_request_per_client: "device_request_limited",
} as const;

/**
 * Counts a request of a public client that stores a row, and throws an OAuthError if the limit is exceeded. Because
 * anyone can send such requests for a public client, their number is limited for each client and network.
 */
export async function reserveForPublicClient(
  deps: Deps,
  request: Request,
  { uid, confidential }: Pick<Application, "uid" | "confidential">,
  limit: keyof typeof LIMITED_REASONS,
): Promise<void> {
  if (confidential) return;
  const from = `${uid} ${sourceNetwork(clientIpOf(request))}`;
  const subjects = [limitOf(await readSettings(deps), limit, from)];
  const seconds = await reserve(deps.db, subjects, deps.clock());
  if (seconds !== null) throw rateLimited(seconds, LIMITED_REASONS[limit]);
}

/**
 * Returns the error for an exceeded limit. The error code is neither `invalid_grant` nor `invalid_client`, because
 * these error codes would make clients discard valid credentials.
 */
export const rateLimited = (retryAfterSeconds: number, reason: string): OAuthError =>
  new OAuthError(
    "temporarily_unavailable",
    `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
    reason,
    { status: 429, retryAfterSeconds },
  );
