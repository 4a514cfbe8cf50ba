import type { User } from "@/access/principal";
import { acrOf, includesAcr, missingAuthentication } from "@/identity/sessions/authentication-methods";
import { type Session, sessionCsrfTokenMatches } from "@/identity/sessions/service";
import { STEP_UP_DECLINED } from "@/identity/sessions/sign-in-path";
import { twoFactorOf } from "@/identity/two-factor/service";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { type Application, type ShownApplication, skipsConsent } from "../applications/rules";
import * as applications from "../applications/service";
import { accessTokensOf } from "../applications/token-options";
import { findClient } from "../client-documents/service";
import * as consents from "../consents/service";
import * as devices from "../device-authorizations/service";
import { isOfResourceServer, resolveResource } from "../resource-servers/service";
import { readIdToken } from "../signing-keys/service";
import { verifyCodeChallenge } from "../tokens/pkce";
import { revokeGrantsOutside } from "../tokens/revocation";
import * as tokens from "../tokens/service";
import { type CodeDecision, decideExchange } from "./authorization-code";
import { firstSeenOf } from "./first-seen";
import { acrDemandOf, requestsOtherUser } from "./requested-claims";
import {
  type AuthorizationDecision,
  type AuthorizationRequest,
  decideAuthorization,
  type SessionContext,
  USERS_COUNTED_MAX,
} from "./rules";
import * as store from "./store";
import * as sql from "./store.sql";
import { trialRedirectUri, withTrialRedirectUri } from "./trial";

/**
 * The decision about an authorization request. `application` is null only when the decision is to show an
 * error page.
 */
export type Prepared = Readonly<{ decision: AuthorizationDecision; application: ShownApplication | null }>;

/** Returns the decision about an authorization request, and the application that sent the request. */
export async function prepareAuthorization(
  deps: Deps,
  request: AuthorizationRequest,
  session: Session | null,
): Promise<Prepared> {
  const uid = request.parameters.get("client_id");
  const requester = session && { userId: session.user.id };
  const lookup =
    uid === undefined || request.repeated.has("client_id") ? null : await findClient(deps, uid, requester);
  if (lookup !== null && "refused" in lookup && lookup.refused !== "client_unknown")
    return { application: null, decision: decisionWithoutClient(lookup.refused) };
  const registered = lookup !== null && "application" in lookup ? lookup.application : null;
  const plainHttp = applications.allowsPlainHttp(deps);
  const resource = await resourceOf(deps, request);
  const target = {
    resourceUnknown: resource === undefined,
    namesResourceServer: isOfResourceServer(deps, resource ?? null),
  };
  if (session === null || registered === null) {
    const context = { application: registered, session: null, consented: [], plainHttp, ...target };
    return { application: registered, decision: decideAuthorization(request, context) };
  }
  const application = await withTrialRedirectUri(deps, request, session, registered);
  const consented = await consents.consentedScopes(deps, session.user.id, application.id);
  const context = {
    application,
    session: await sessionContext(deps, request, session, application),
    consented,
    plainHttp,
    ...target,
    isTrial: request.parameters.get("redirect_uri") === trialRedirectUri(deps, application.id),
  };
  return { application, decision: decideAuthorization(request, context) };
}

/**
 * Returns the decision about an authorization request whose client has a metadata document that was not read.
 */
const decisionWithoutClient = (
  refused: "sign_in" | "client_document" | "client_document_unavailable",
): AuthorizationDecision =>
  refused === "sign_in"
    ? { kind: "sign_in", again: false }
    : { kind: "show_error", problem: "client_document" };

/**
 * Returns the protected resource of an authorization request (RFC 8707 §2.1). The result is null for a
 * request without the parameter `resource`, and undefined for a URI that is not a known protected resource.
 */
export async function resourceOf(
  deps: Deps,
  { parameters }: AuthorizationRequest,
): Promise<string | null | undefined> {
  const text = parameters.get("resource");
  return text === undefined ? null : ((await resolveResource(deps, text)) ?? undefined);
}

async function sessionContext(
  deps: Deps,
  request: AuthorizationRequest,
  session: Session,
  application: Application,
): Promise<SessionContext> {
  const { user, authTime, enteredAt } = session;
  const firstSeen = firstSeenOf(deps, request);
  const isDated = firstSeen !== null && authTime !== null && authTime >= firstSeen;
  return {
    secondsSinceAuthentication:
      authTime === null ? null : (deps.clock().getTime() - authTime.getTime()) / 1000,
    signedInForRequest: isDated || (firstSeen !== null && enteredAt >= firstSeen && "undated"),
    hint: requestsOtherUser(request, user)
      ? "other"
      : await hintOf(deps, request.parameters.get("id_token_hint"), user, application),
    missing: await missingFor(deps, request, session),
  };
}

/**
 * Returns the authentication that is still necessary so that a session reaches one of the requested
 * authentication context classes. The function reads the second factors of the user only if the session
 * reaches none of these classes. If several factors reach a requested class, the step-up page accepts each of
 * these factors.
 */
async function missingFor(
  deps: Deps,
  request: AuthorizationRequest,
  session: Session,
): Promise<SessionContext["missing"]> {
  const { user, methods } = session;
  const demand = acrDemandOf(request);
  if (demand === null) return "nothing";
  const declined = request.parameters.get(STEP_UP_DECLINED) ?? "";
  if (sessionCsrfTokenMatches(deps, session, STEP_UP_DECLINED, declined)) return "declined";
  const reached = acrOf(methods);
  if (demand.acrs.some((acr) => includesAcr(reached, acr))) return "nothing";
  if (demand.acrs.length === 0) return "unattainable";
  const { totp, passkeys } = await twoFactorOf(deps, user);
  const factors = { totp, passkeys: passkeys.length > 0 };
  const missing = demand.acrs.map((acr) => missingAuthentication(acr, methods, factors));
  const order = ["second_factor", "passkey", "sign_in"] as const;
  return order.find((candidate) => missing.includes(candidate)) ?? "unattainable";
}

/**
 * Compares the user of an `id_token_hint` with the signed-in user. An ID token of another application is not
 * accepted (OpenID Connect Core §3.1.2.1).
 */
async function hintOf(
  deps: Deps,
  idToken: string | undefined,
  user: User,
  application: Application,
): Promise<SessionContext["hint"]> {
  if (idToken === undefined) return "none";
  const subject = await readIdToken(deps, idToken);
  if (subject === null || subject.clientUid !== application.uid) return "invalid";
  return subject.userId === user.id ? "same" : "other";
}

/** Returns the number of users who have given consent to an application, at most `USERS_COUNTED_MAX + 1`. */
export const countUsers = (deps: Deps, application: Application): Promise<number> =>
  consents.countConsents(deps, application.id, USERS_COUNTED_MAX + 1);

export type Exchange = Readonly<{
  code: string;
  redirectUri: string;
  codeVerifier: string | undefined;
  /** The thumbprint of the key of the DPoP proof of the request; null for a request without a DPoP proof. */
  dpopJkt: string | null;
  /** The parameter `resource` of the token request. */
  resource: string | undefined;
}>;
export type CodeRefusal = Exclude<CodeDecision, "claim"> | "unknown" | "lost_race";

/**
 * Exchanges an authorization code for tokens (RFC 6749 §4.1.3), with one prepared query and one write. The
 * write marks the authorization code as used and stores the tokens, so that exactly one of several concurrent
 * callers gets tokens. The function returns a refusal instead of an exception, because an exception would
 * roll back the revocations that belong to the refusal.
 */
export async function exchangeCode(
  deps: Deps,
  application: Application,
  exchange: Exchange,
): Promise<(tokens.IssuedTokens & { readonly nonce: string | null }) | { readonly refused: CodeRefusal }> {
  const settings = await readSettings(deps);
  const now = deps.clock();
  const code = await sql.findByDigest(deps.prepared, digest(exchange.code));
  if (code === null) return { refused: "unknown" };
  const scopes = code.scopes.split(" ");
  const resource =
    exchange.resource === undefined
      ? null
      : await resourceOfExchange(deps, application, code, exchange.resource);
  const decision = decideExchange(
    {
      ...code,
      scopes,
      userActive: code.user.state === "active",
      verification: verifyCodeChallenge(code.codeChallenge, exchange.codeVerifier),
    },
    {
      application,
      redirectUri: exchange.redirectUri,
      resource: exchange.resource === undefined ? undefined : resource,
      dpopJkt: exchange.dpopJkt,
      plainHttp: applications.allowsPlainHttp(deps),
      now,
      reuseLeewaySeconds: settings.code_reuse_leeway,
    },
  );
  if (decision === "replayed_late") await deps.transaction((within) => endReplayed(within, code));
  if (decision !== "claim") return { refused: decision };
  const grant = await tokens.newGrant(deps, settings, {
    type: "authorization_code",
    applicationId: application.id,
    userId: code.userId,
    scopes,
    redirectUri: code.redirectUri,
    codeChallenge: code.codeChallenge,
    resource: code.resource ?? resource,
    ...(code.authTime.getTime() === 0 ? {} : { authTime: code.authTime }),
    acr: code.acr,
    amr: code.amr,
    sid: code.sid,
    offlineAccess: code.offlineAccess,
    authorizationCodeId: code.id,
    dpopJkt: exchange.dpopJkt,
    accessToken: accessTokensOf(application),
  });
  const familyId = await sql.exchange(deps.prepared, { codeId: code.id, now, grant: grant.rows });
  if (familyId === false) return { refused: "lost_race" };
  return { ...grant.issued, familyId, nonce: code.nonce };
}

/**
 * Returns the protected resource of a token request; null for a URI that is not known. If the authorization
 * request named no resource, the consent page named no resource server. The token request may then name a
 * resource server only if the application skips the consent page.
 */
async function resourceOfExchange(
  deps: Deps,
  application: Application,
  code: Pick<sql.CodeRow, "resource">,
  requested: string,
): Promise<string | null> {
  const resource = await resolveResource(deps, requested);
  const isAllowed =
    code.resource !== null || skipsConsent(application) || !isOfResourceServer(deps, resource);
  return isAllowed ? resource : null;
}

/**
 * Revokes the tokens of an authorization code that was used again after the reuse leeway, because the second
 * use shows that another party has the code (RFC 6749 §10.5).
 */
async function endReplayed(deps: Deps, code: sql.CodeRow): Promise<void> {
  const families = await tokens.revokeDescendantsOfCode(deps, code.id);
  if (families === 0) return;
  const about = { userId: code.userId, applicationId: code.applicationId };
  await audit.record(deps, "token.family_revoked", { because: "code_replay", codeId: code.id }, about);
}

/**
 * Cancels the authorization codes and the device approvals for which an application has not yet requested
 * tokens.
 */
export const cancelPending = (deps: Deps, applicationId: number): Promise<void> =>
  deps.transaction(async (within) => {
    await store.spendUnusedCodes(within.db, { applicationId }, within.clock());
    await devices.withdrawApprovals(within, { applicationId }, "server");
  });

/**
 * Revokes the grants with a scope that the application no longer has, including their tokens. The removed
 * scopes are also removed from consents. If a removed scope is later added to the application again, users
 * must give consent again. Authorization codes and device codes with a removed scope are not changed, because
 * the server refuses to exchange these codes.
 * @returns the number of active grants that were revoked.
 */
export async function revokeUncovered(
  deps: Deps,
  application: Readonly<{ id: number; scopes: readonly string[] }>,
  by: User,
): Promise<number> {
  // The audit event is recorded before the revocation, because the process may stop during the revocation.
  const about = { applicationId: application.id, actorId: by.id };
  await audit.record(deps, "application.tokens_revoked", { uncovered: true }, about);
  await consents.narrowConsents(deps, application);
  return revokeGrantsOutside(deps, application);
}

/**
 * Revokes all access of an application to a user's account. The tokens of the application stop working
 * immediately, and the application must ask for consent again. The function removes the consent first,
 * because an authorization request locks the consent before it stores an authorization code. Either this
 * function also revokes the new authorization code, or the authorization request finds no consent. The
 * function revokes authorization codes and device approvals before tokens, because the concurrent exchange of
 * an authorization code locks the authorization code first. Either this function revokes the new tokens, or
 * the exchange finds that the authorization code is already used.
 * @returns false when the application had no access.
 */
export async function withdrawConsent(
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }>,
): Promise<boolean> {
  return deps.transaction(async (within) => {
    const removed = await consents.removeConsent(within, about);
    const codes = await store.spendUnusedCodes(within.db, about, within.clock());
    await devices.withdrawApprovals(within, about, "user");
    const families = await tokens.revokeAllOf(within, about);
    if (codes + families + removed === 0) return false;
    await audit.record(within, "consent.withdrawn", {}, about);
    return true;
  });
}
