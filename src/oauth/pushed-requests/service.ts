import { hkdfSync } from "node:crypto";
import { open, seal } from "@/kernel/crypto/seal";
import { digest, newToken, type TokenDigest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { OPENED_WITHIN_SECONDS, type PushedState, pushedState, REQUEST_URI_PREFIX } from "./rules";
import * as store from "./store";

/** A pushed authorization request: its state, and its parameters as a query. */
export type PushedRequest = Readonly<{ digest: TokenDigest; state: PushedState; query: string }>;

/**
 * Stores the parameters of an authorization request (RFC 9126 §2.2).
 * @param query the parameters, which the caller has validated.
 */
export async function pushRequest(
  deps: Deps,
  application: Readonly<{ id: number }>,
  query: string,
): Promise<Readonly<{ requestUri: string; expiresInSeconds: number }>> {
  const token = newToken(deps.randomBytes, "pushedRequest");
  const key = digest(token);
  const createdAt = deps.clock();
  await store.insert(deps.db, {
    digest: key,
    applicationId: application.id,
    sealedQuery: seal(deps.randomBytes, keyFrom(token), PURPOSE, query),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + OPENED_WITHIN_SECONDS * 1000),
  });
  return { requestUri: REQUEST_URI_PREFIX + token, expiresInSeconds: OPENED_WITHIN_SECONDS };
}

const PURPOSE = "pushed_request";

/** Derives the encryption key from the `request_uri`, of which the database contains only the digest. */
const keyFrom = (token: string): Buffer =>
  Buffer.from(hkdfSync("sha256", token, "", "gatehouse pushed request", 32));

/**
 * Returns the authorization request that a client has pushed under this `request_uri`; null for an unknown
 * `request_uri`, and for a request of another client (RFC 9126 §2.2).
 */
export async function findPushedRequest(
  deps: Deps,
  clientUid: string,
  requestUri: string,
): Promise<PushedRequest | null> {
  if (!requestUri.startsWith(REQUEST_URI_PREFIX)) return null;
  const token = requestUri.slice(REQUEST_URI_PREFIX.length);
  const key = digest(token);
  const row = await store.find(deps.db, key);
  if (row === null || row.application.uid !== clientUid) return null;
  const query = open(keyFrom(token), PURPOSE, row.sealedQuery);
  return query === null ? null : { digest: key, state: pushedState(row, deps.clock()), query };
}

/**
 * Records that a browser has opened a pushed authorization request. The user can then complete the pushed
 * authorization request within a day after the push.
 */
export const openPushedRequest = (deps: Deps, pushed: PushedRequest): Promise<void> =>
  store.open(deps.db, pushed.digest, deps.clock());

/**
 * Marks a pushed authorization request as used for an authorization code. Callers must be inside the
 * transaction that stores the authorization code.
 * @returns true for exactly one of several concurrent callers.
 */
export const spendPushedRequest = (deps: Deps, key: TokenDigest): Promise<boolean> =>
  store.spend(deps.db, key, deps.clock());
