import { decodeJwt, decodeProtectedHeader } from "jose";
import { isSignedBy } from "@/kernel/crypto/jwt";
import type { Deps } from "@/kernel/deps/deps";
import { type Application, isBlocked } from "../applications/rules";
import { type ClientWithKeys, findClientWithKeys, recordClientUse } from "../applications/service";
import { findClient } from "../client-documents/service";
import type { UsedJwt } from "../used-jwts/claim-jwt";
import { claimJwt, usedJwtOf } from "../used-jwts/service";
import { fetchKeySet } from "./fetched-keys";
import { publicKeysFor, secretKeysOf, type VerificationKey } from "./keys";
import { ALGORITHMS, type AssertionClaims, type ClaimsRefusal, checkClaims } from "./rules";

/** The assertion of a request, with the values that the claims of the assertion must match. */
export type ReceivedAssertion = Readonly<{
  assertion: string;
  /**
   * The parameter `client_id` of the request that contains the client assertion, if the request has this
   * parameter.
   */
  clientId: string | undefined;
  /** The allowed values of `aud`. */
  audiences: readonly string[];
  /**
   * The network from which the request with the client assertion was sent. The number of metadata documents
   * that are requested for a network is limited.
   */
  network: string;
}>;

/**
 * The reasons why the server cannot check an assertion at the moment: the stored metadata document of the
 * client is too old, or the server has no key that fits the assertion, and the server cannot read the URL of the
 * document or of the keys.
 */
export type AssertionUnavailability = "client_document_unavailable" | "client_keys_unavailable";

export type AssertionRefusal =
  | ClaimsRefusal
  | "client_unknown"
  | "client_blocked"
  | AssertionUnavailability
  | "assertion_malformed"
  /** The request contains a client assertion, but the application uses another authentication method. */
  | "assertion_unexpected"
  | "assertion_algorithm"
  | "assertion_signature"
  /** The assertion was used before. */
  | "assertion_reused";

/** A client assertion whose signature and claims are valid, but which may have been used before. */
export type VerifiedAssertion = Readonly<{
  application: Application;
  /** The row that marks the assertion as used. */
  usedJwt: UsedJwt;
  /** The client secret that verified the assertion; undefined for a public key. */
  secret: VerificationKey["secret"];
}>;

/**
 * The verified assertion or, after a refusal, the reason and the `client_id` that the assertion names.
 */
export type AssertionOutcome =
  | VerifiedAssertion
  | { readonly refused: AssertionRefusal; readonly clientUid: string | null };

const ASSERTION_CHARACTERS_MAX = 16_384;

/**
 * Verifies a client assertion (RFC 7523 §2.2, §3), and does not store its `jti`. The client is authenticated
 * when the assertion has been marked as used, because each assertion can be used only once. The signature is
 * verified first, so that other parties cannot mark the `jti` of a client as used.
 */
export async function verifyAssertion(deps: Deps, received: ReceivedAssertion): Promise<AssertionOutcome> {
  const decoded = decode(received.assertion);
  if (decoded === null) return { refused: "assertion_malformed", clientUid: null };
  const { uid } = decoded;
  if (received.clientId !== undefined && received.clientId !== uid)
    return { refused: "assertion_issuer", clientUid: null };
  const client = await findCurrentClient(deps, uid, received.network);
  if (client === "client_unknown") return { refused: client, clientUid: null };
  if (client === "client_document_unavailable") return { refused: client, clientUid: uid };
  const refuse = (refused: AssertionRefusal): AssertionOutcome => ({ refused, clientUid: uid });
  const { application } = client;
  const { authMethod } = application;
  if (authMethod === null) return refuse("assertion_unexpected");
  const algorithms: readonly string[] = ALGORITHMS[authMethod];
  if (!algorithms.includes(decoded.alg)) return refuse("assertion_algorithm");
  let candidates = await candidateKeys(deps, client, decoded, false);
  let verified = await verify(received.assertion, decoded.alg, candidates.keys);
  if (verified === null && client.jwksUri !== null) {
    candidates = await candidateKeys(deps, client, decoded, true);
    verified = await verify(received.assertion, decoded.alg, candidates.keys);
  }
  if (verified === null)
    return refuse(candidates.isUnavailable ? "client_keys_unavailable" : "assertion_signature");
  const checked = checkClaims(decoded.claims, { uid, audiences: received.audiences, now: deps.clock() });
  if ("refused" in checked) return refuse(checked.refused);
  if (isBlocked(application)) return refuse("client_blocked");
  const { jti, refusedAfter } = checked;
  const usedJwt = usedJwtOf({ issuer: `client ${uid}`, jti, expiresAt: refusedAfter });
  return { application, usedJwt, secret: verified.secret };
}

/**
 * Marks a verified assertion as used, in a separate transaction.
 * @returns true for exactly one of several concurrent callers; false for an assertion that was used before.
 */
export async function claimAssertion(deps: Deps, assertion: VerifiedAssertion): Promise<boolean> {
  if (!(await claimJwt(deps, assertion.usedJwt))) return false;
  recordAssertion(deps, assertion);
  return true;
}

/** Records the last use of an authenticated application and of its secret, asynchronously. */
export const recordAssertion = (deps: Deps, { application, secret }: VerifiedAssertion): void =>
  recordClientUse(deps, application, secret);

/**
 * Returns a client with the keys that can verify its assertions. If the stored metadata document of an
 * unregistered client is not fresh, the document is requested again, because the client may have removed a
 * compromised key from the document.
 */
async function findCurrentClient(
  deps: Deps,
  uid: string,
  network: string,
): Promise<ClientWithKeys | "client_unknown" | "client_document_unavailable"> {
  const client = await findClientWithKeys(deps, uid);
  if (client === null) return "client_unknown";
  if (client.application.registered) return client;
  const lookup = await findClient(deps, uid, { network });
  if (!("refused" in lookup)) return (await findClientWithKeys(deps, uid)) ?? "client_unknown";
  return lookup.refused === "client_document_unavailable" ? lookup.refused : "client_unknown";
}

type Decoded = Readonly<{ uid: string; alg: string; kid: string | undefined; claims: AssertionClaims }>;

/** Decodes an assertion without verification. Returns null for a text that is not a JWT with a subject. */
function decode(assertion: string): Decoded | null {
  if (assertion.length > ASSERTION_CHARACTERS_MAX) return null;
  try {
    const { alg, kid } = decodeProtectedHeader(assertion);
    const claims = decodeJwt(assertion);
    const { sub } = claims;
    // No ID contains the character U+0000, and PostgreSQL rejects text that contains this character.
    if (typeof sub !== "string" || sub.includes("\0") || alg === undefined) return null;
    return { uid: sub, alg, kid: typeof kid === "string" ? kid : undefined, claims };
  } catch {
    return null;
  }
}

/**
 * The keys that can verify an assertion. `isUnavailable` is true if there is no such key, but a later request
 * to the URL of the keys may return one.
 */
type CandidateKeys = Readonly<{ keys: readonly VerificationKey[]; isUnavailable: boolean }>;

/**
 * Returns the keys that can verify an assertion of a client.
 * @param isNewer whether keys that were fetched from a URL must be fetched again.
 */
async function candidateKeys(
  deps: Deps,
  client: ClientWithKeys,
  decoded: Decoded,
  isNewer: boolean,
): Promise<CandidateKeys> {
  if (client.application.authMethod === "client_secret_jwt")
    return { keys: secretKeysOf(deps, client), isUnavailable: false };
  const { jwks, jwksUri } = client;
  const { text, isUnavailable } =
    jwksUri === null ? { text: jwks, isUnavailable: false } : await fetchKeySet(deps, jwksUri, isNewer);
  const keys = text === null ? [] : publicKeysFor(text, decoded);
  return { keys, isUnavailable: isUnavailable && keys.length === 0 };
}

/**
 * Returns the key that verifies the signature of the client assertion; null if no key verifies the signature.
 */
async function verify(
  assertion: string,
  algorithm: string,
  keys: readonly VerificationKey[],
): Promise<VerificationKey | null> {
  for (const candidate of keys) if (await isSignedBy(assertion, candidate.key, algorithm)) return candidate;
  return null;
}
