import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { digest, newToken } from "@/platform/crypto/token";
import type { Deps } from "@/platform/deps";
import type { Application } from "../applications/rules";
import * as applications from "../applications/service";
import { SETTINGS } from "../settings/catalog";
import * as tokens from "../tokens/service";
import { proofOf } from "./pkce";
import { type Ask, type CodeAnswer, decideAuthorization, decideExchange, type Verdict } from "./rules";
import * as store from "./store";

/** A judged authorization request; `application` is null only when the verdict is an error page. */
export type Prepared = Readonly<{ verdict: Verdict; application: Application | null }>;

/** Looks up what an authorization request names and judges it. */
export async function prepareAuthorization(deps: Deps, ask: Ask, user: User | null): Promise<Prepared> {
  const uid = ask.parameters.get("client_id");
  const application = uid === undefined ? null : await applications.findByUid(deps, uid);
  const consented =
    user === null || application === null
      ? []
      : await store.consentedScopes(deps.db, user.id, application.id);
  return {
    application,
    verdict: decideAuthorization(ask, { application, signedIn: user !== null, consented }),
  };
}

export type Approval = Readonly<{
  application: Application;
  user: User;
  scopes: readonly Scope[];
  redirectUri: string;
  codeChallenge: string | null;
}>;

/** Records what the person allowed and issues a code for it, in one transaction. */
export async function approve(deps: Deps, approval: Approval): Promise<string> {
  return deps.transaction(async (db) => {
    const now = deps.clock();
    const { application, user, scopes } = approval;
    await store.recordConsent(db, { userId: user.id, applicationId: application.id, scopes, now });
    return issueCode({ ...deps, db }, approval);
  });
}

/** A code of 32 random bytes for a request that needs no (new) consent (RFC 6749 §4.1.2). */
export async function issueCode(deps: Deps, approval: Approval): Promise<string> {
  const code = newToken(deps.randomBytes, "code");
  const now = deps.clock();
  await store.insertCode(deps.db, {
    digest: digest(code),
    applicationId: approval.application.id,
    userId: approval.user.id,
    redirectUri: approval.redirectUri,
    scopes: approval.scopes.join(" "),
    codeChallenge: approval.codeChallenge,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SETTINGS.oauth_code_expires_in * 1000),
  });
  return code;
}

export type Exchange = Readonly<{ code: string; redirectUri: string; codeVerifier: string | undefined }>;
export type CodeRefusal = Exclude<CodeAnswer, "claim"> | "unknown" | "lost_race";

/**
 * Exchanges a code for tokens (RFC 6749 §4.1.3): claim and tokens are one transaction, so exactly one of any number
 * of callers gets them. A refusal is a result, so that what it revokes is not rolled back.
 */
export async function exchangeCode(
  deps: Deps,
  application: Application,
  exchange: Exchange,
): Promise<tokens.Issued | { readonly refused: CodeRefusal }> {
  return deps.transaction(async (db) => {
    const now = deps.clock();
    const code = await store.findCode(db, digest(exchange.code));
    if (code === null) return { refused: "unknown" };
    const answer = decideExchange(
      {
        ...code,
        userActive: code.user.state === "active",
        proof: proofOf(code.codeChallenge, exchange.codeVerifier),
      },
      {
        application,
        redirectUri: exchange.redirectUri,
        now,
        reuseLeewaySeconds: SETTINGS.code_reuse_leeway,
      },
    );
    if (answer === "replayed_late") await tokens.revokeDescendantsOfCode({ ...deps, db }, code.id);
    if (answer !== "claim") return { refused: answer };
    if (!(await store.claimCode(db, code.id, now))) return { refused: "lost_race" };
    return tokens.issue(
      { ...deps, db },
      {
        applicationId: application.id,
        userId: code.userId,
        scopes: code.scopes.split(" "),
        authorizationCodeId: code.id,
      },
    );
  });
}
