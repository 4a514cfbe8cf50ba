import { countFailure, secondsBlocked } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import { recordFailure } from "@/oauth/failed-exchanges/failed-exchange";
import { OAuthError, type OAuthErrorCode } from "./errors";

/** Failed proofs. A pending poll is none, nor is a request that was not understood. */
const COUNTED: readonly OAuthErrorCode[] = [
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "access_denied",
];

/**
 * Counts a refused client authentication or grant, per client and address, and keeps it for the client's developer. Successes are neither counted nor limited:
 * one broken instance of a client must not stop the others behind the same address.
 * @param clientUid the client that the request named; null when there is no such client, so that made-up ones share a
 * count.
 * @returns what to throw: the refusal itself, or a 429 once there were too many of them.
 */
export async function countRefusal(
  deps: Deps,
  request: Request,
  clientUid: string | null,
  refusal: unknown,
): Promise<unknown> {
  if (!(refusal instanceof OAuthError)) return refusal;
  if (clientUid !== null) recordFailure(deps, { clientUid, ...originOf(request), reason: refusal.reason });
  if (!COUNTED.includes(refusal.code)) return refusal;
  const from = `${clientUid ?? ""} ${sourceNetwork(clientIpOf(request))}`;
  const subjects = [limitOf(await readSettings(deps), "oauth_refused", from)];
  const retryAfterSeconds = await secondsBlocked(deps.db, subjects, deps.clock());
  if (retryAfterSeconds !== null) return rateLimited(retryAfterSeconds, `${refusal.reason}_limited`);
  await countFailure(deps.db, subjects, deps.clock());
  return refusal;
}

/** Which endpoint was asked, and from where. */
export const originOf = (request: Request): Readonly<{ endpoint: string; address: string }> => ({
  endpoint: new URL(request.url).pathname,
  address: clientIpOf(request),
});

/** A limit is never disguised as a wrong token or secret: the client would throw away what is still good. */
export const rateLimited = (retryAfterSeconds: number, reason: string): OAuthError =>
  new OAuthError(
    "temporarily_unavailable",
    `Too many failed requests. Try again in ${retryAfterSeconds} seconds.`,
    reason,
    { status: 429, retryAfterSeconds },
  );
