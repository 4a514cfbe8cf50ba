import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import { KEYS_PAUSE_SECONDS } from "@/oauth/client-assertions/rules";
import {
  type AssertionOutcome,
  type AssertionRefusal,
  type AssertionUnavailability,
  claimAssertion,
  recordAssertion,
  type VerifiedAssertion,
  verifyAssertion,
} from "@/oauth/client-assertions/service";
import type { UsedJwt } from "@/oauth/used-jwts/claim-jwt";
import { documentUnavailable } from "./document-client";
import { invalidRequest, OAuthError } from "./errors";
import type { Form } from "./form";

export const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Returns whether a form contains a client assertion (RFC 7521 §4.2). */
export const presentsAssertion = (form: Form): boolean =>
  form.has("client_assertion") || form.has("client_assertion_type");

/**
 * Verifies the client assertion in a form (RFC 7523 §2.2).
 * @throws OAuthError `invalid_request` if the request is incomplete or contains additional credentials.
 */
export function verifyAssertionIn(deps: Deps, request: Request, form: Form): Promise<AssertionOutcome> {
  const assertion = form.get("client_assertion");
  if (assertion === undefined)
    throw invalidRequest("Missing required parameter: client_assertion.", "client_assertion_missing");
  if (form.get("client_assertion_type") !== JWT_BEARER)
    throw invalidRequest(`client_assertion_type must be ${JWT_BEARER}.`, "client_assertion_type");
  if (form.has("client_secret") || /^basic\b/i.test(request.headers.get("authorization") ?? ""))
    throw invalidRequest("Send a client assertion or a client secret, not both.", "two_credentials");
  const { issuer } = deps.config;
  const endpoint = issuer + new URL(request.url).pathname;
  return verifyAssertion(deps, {
    assertion,
    clientId: form.get("client_id"),
    audiences: [issuer, `${issuer}/oauth/token`, endpoint],
    network: sourceNetwork(clientIpOf(request)),
  });
}

const FAILED = "Client authentication failed: the client assertion is not valid.";

/**
 * The values of `error_description` for refused client assertions. The signature is checked before the
 * claims. Only the owner of the client's key therefore receives the description of an invalid claim.
 */
const DESCRIPTIONS: Readonly<Record<Exclude<AssertionRefusal, AssertionUnavailability>, string>> = {
  client_unknown: FAILED,
  client_blocked: "An administrator of this server has blocked this application.",
  assertion_malformed: "The client_assertion is not a JSON Web Token with the client_id as its subject.",
  assertion_unexpected: FAILED,
  assertion_algorithm: FAILED,
  assertion_signature: FAILED,
  assertion_issuer: "The iss or the sub of the client assertion is not the client_id.",
  assertion_audience:
    "The aud of the client assertion is missing or names another server. Set aud to the issuer of this server.",
  assertion_expired: "The client assertion has expired, or has no exp.",
  assertion_lifetime: "The client assertion is not valid yet, or is valid for more than 5 minutes.",
  assertion_jti: "The client assertion has no jti, or a jti of more than 255 characters.",
  assertion_reused: "The client assertion was already used. Create an assertion for each request.",
};

/**
 * Returns the error for a refused client assertion. If the server cannot check the assertion at the moment,
 * the error code is not `invalid_client`, because `invalid_client` would make clients discard valid
 * credentials.
 */
export function assertionError(refused: AssertionRefusal): OAuthError {
  if (refused === "client_document_unavailable") return documentUnavailable();
  if (refused === "client_keys_unavailable")
    return new OAuthError(
      "temporarily_unavailable",
      "The keys of the client cannot be read at the moment. Try again later.",
      refused,
      { retryAfterSeconds: KEYS_PAUSE_SECONDS },
    );
  return new OAuthError("invalid_client", DESCRIPTIONS[refused], refused);
}

/** A verified client assertion, which must be marked as used before the response of the server. */
export type PendingAssertion = Readonly<{
  /** The row for a write that also marks the assertion as used. */
  usedJwt: UsedJwt;
  /** Reports that such a write has marked the assertion as used. */
  claimed: () => void;
  /**
   * Marks the assertion as used, if that has not happened yet.
   * @throws OAuthError `invalid_client` if the assertion was used before.
   */
  claim: () => Promise<void>;
}>;

export function pendingAssertion(deps: Deps, assertion: VerifiedAssertion): PendingAssertion {
  let isClaimed = false;
  return {
    usedJwt: assertion.usedJwt,
    claimed: () => {
      isClaimed = true;
      recordAssertion(deps, assertion);
    },
    claim: async () => {
      if (isClaimed) return;
      if (!(await claimAssertion(deps, assertion))) throw assertionReused();
      isClaimed = true;
    },
  };
}

/** Returns the error for an assertion that was used before. */
export const assertionReused = (): OAuthError => assertionError("assertion_reused");
