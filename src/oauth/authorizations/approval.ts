import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { notify } from "@/identity/notices/service";
import { requireLiveSession } from "@/identity/sessions/sessions-ended";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { countEvent } from "@/instance/statistics/service";
import { digest, newToken, type TokenDigest } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { type Application, skipsConsent } from "../applications/rules";
import { recordClientSession } from "../client-sessions/service";
import { consentOf, extendConsent, lockConsent } from "../consents/service";
import { spendPushedRequest } from "../pushed-requests/service";
import { scopesForInstance } from "../tokens/resource";
import { codeOfForm, type PostedForm } from "./form-code";
import * as store from "./store";
import { trialRedirectUri } from "./trial";

/** The access that a user grants to an application. */
export type Approval = Readonly<{
  application: Application;
  user: User;
  scopes: readonly Scope[];
  redirectUri: string;
  codeChallenge: string | null;
  /** The protected resource that the authorization request names; null if it names no resource. */
  resource: string | null;
  nonce: string | null;
  /**
   * The thumbprint of the key to which the tokens must be bound; null for an authorization request without
   * `dpop_jkt`.
   */
  dpopJkt: string | null;
  /** The time at which the user last authenticated; null if the time is unknown. */
  authTime: Date | null;
  /**
   * The authentication context class of the user and the authentication methods; null if the class and the
   * methods are unknown.
   */
  acr: string | null;
  amr: string | null;
  /** The opaque id of the browser session. */
  sessionId: string;
  /** Whether the authorization request contained the scope `offline_access`. */
  offlineAccess: boolean;
  /** The digest of the pushed authorization request, if the client has pushed the request. */
  pushedDigest: TokenDigest | null;
}>;

/**
 * Thrown when a second authorization code is requested for the same pushed authorization request. A pushed
 * authorization request is valid for one authorization code (RFC 9126 §7.3).
 */
export class PushedRequestUsed extends Error {}

/** Thrown when the consent on which an authorization request relies was withdrawn during the request. */
export class ConsentWithdrawn extends Error {}

/**
 * The value of the column `authTime` for an unknown time. The column `authTime` is not nullable, because
 * SQLite cannot make a column nullable without a rebuild of the table.
 */
const UNKNOWN_TIME = new Date(0);

/**
 * The maximum number of authorization codes that one consent form can create in a day. A user submits a
 * consent form much less often.
 */
const CODES_OF_FORM_MAX = 20;

/**
 * Records the consent and issues an authorization code, in one transaction. The approval of a trial
 * authorization issues a code and records no consent (docs/decisions/0066). The approval of access to one
 * resource does not extend the consent for the whole instance (docs/decisions/0102). When the same consent form is posted
 * again, the function returns the same unused authorization code, so that a double click creates only one
 * authorization code.
 * @throws PushedRequestUsed if another form or tab has used the pushed authorization request.
 * @throws SessionEnded if the session of the user has ended.
 */
export async function approve(deps: Deps, approval: Approval, form: PostedForm): Promise<string> {
  for (let usedCount = 0; usedCount < CODES_OF_FORM_MAX; usedCount++) {
    const code = codeOfForm(deps, form, usedCount);
    const isNew = (await store.findCode(deps.db, digest(code))) === null;
    if (isNew && (await recordApproval(deps, approval, code))) return code;
    const row = await store.findCode(deps.db, digest(code));
    if (row !== null && row.usedAt === null && row.expiresAt > deps.clock()) return code;
  }
  return issueCode(deps, approval);
}

/**
 * Records the approval of a user, and stores a new authorization code.
 * @returns false when a concurrent post of the same form has already created the authorization code.
 */
async function recordApproval(deps: Deps, approval: Approval, code: string): Promise<boolean> {
  const { application, user, scopes } = approval;
  const about = { userId: user.id, applicationId: application.id };
  try {
    await deps.transaction(async (within) => {
      const session = await requireLiveSession(within, approval.sessionId);
      // Every transaction that locks a consent and stores an authorization code locks the consent first.
      await lockConsent(within, about);
      await storeCode(within, approval, code, session);
      if (approval.redirectUri === trialRedirectUri(within, application.id)) return;
      const isFirst = (await consentOf(within, about)) === null;
      const granted = scopesForInstance(scopes, approval.resource, within.config.issuer);
      await extendConsent(within, { ...about, scopes: granted });
      await audit.record(within, "consent.given", { scopes }, about);
      if (isFirst)
        await notify(within, user, "application_authorized", {
          facts: [
            ["Application", application.name],
            ["Scopes", scopes.join(" ")],
          ],
        });
    });
    return true;
  } catch (cause) {
    if (isUniqueViolation(cause)) return false;
    throw cause;
  }
}

/**
 * Issues a random authorization code of 32 bytes for a request that needs no new consent (RFC 6749 §4.1.2).
 * The transaction locks the session and the consent that the request has read. Without these locks, the
 * authorization code would be valid after a password reset or a withdrawal that ends before the code is
 * stored.
 * @throws PushedRequestUsed if another tab has used the pushed authorization request.
 * @throws SessionEnded if the session of the user has ended.
 * @throws ConsentWithdrawn if the consent of the user no longer has the scopes of the request.
 */
export async function issueCode(deps: Deps, approval: Approval): Promise<string> {
  const code = newToken(deps.randomBytes, "code");
  await deps.transaction(async (within) => {
    const session = await requireLiveSession(within, approval.sessionId);
    if (!(await isConsentStored(within, approval))) throw new ConsentWithdrawn();
    await storeCode(within, approval, code, session);
  });
  return code;
}

/** Locks the consent on which an approval relies. @returns true also for an approval that needs no consent. */
async function isConsentStored(deps: Deps, approval: Approval): Promise<boolean> {
  const { application, user, scopes } = approval;
  if (skipsConsent(application) || approval.redirectUri === trialRedirectUri(deps, application.id))
    return true;
  const consented = await lockConsent(deps, { userId: user.id, applicationId: application.id });
  return scopes.every((scope) => consented.includes(scope));
}

/** Returns whether the application signs the user in and receives a logout token when the session ends. */
const receivesLogoutTokens = ({ application, scopes }: Approval): boolean =>
  application.backchannelLogout.uri !== null && scopes.includes("openid");

type LockedSession = Awaited<ReturnType<typeof requireLiveSession>>;

const sidOf = (deps: Deps, { application, user }: Approval, session: LockedSession): Promise<string> =>
  recordClientSession(deps, session, { applicationId: application.id, userId: user.id });

async function storeCode(
  deps: Deps,
  approval: Approval,
  code: string,
  session: LockedSession,
): Promise<void> {
  const now = deps.clock();
  const settings = await readSettings(deps);
  await store.insertCode(deps.db, {
    digest: digest(code),
    applicationId: approval.application.id,
    userId: approval.user.id,
    redirectUri: approval.redirectUri,
    scopes: approval.scopes.join(" "),
    codeChallenge: approval.codeChallenge,
    resource: approval.resource,
    nonce: approval.nonce,
    dpopJkt: approval.dpopJkt,
    authTime: approval.authTime ?? UNKNOWN_TIME,
    acr: approval.acr,
    amr: approval.amr,
    sid: receivesLogoutTokens(approval) ? await sidOf(deps, approval, session) : null,
    offlineAccess: approval.offlineAccess,
    createdAt: now,
    expiresAt: new Date(now.getTime() + settings.oauth_code_expires_in * 1000),
  });
  const { pushedDigest } = approval;
  if (pushedDigest !== null && !(await spendPushedRequest(deps, pushedDigest))) throw new PushedRequestUsed();
  countEvent(deps, "authorization.granted", approval.application.uid);
}
