import { z } from "zod";
import { DEFAULT_SCOPE, PASSWORD_SCOPES, type Scope } from "@/access/scopes";
import { type PasswordAttempt, type PasswordOutcome, tryPassword } from "@/identity/users/password-attempt";
import { withCheckedPassword } from "@/identity/users/service";
import { enqueueGrantUse } from "@/instance/last-use/service";
import type { Settings } from "@/instance/settings/catalog";
import { countEvent } from "@/instance/statistics/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { looksLikeToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Application } from "@/oauth/applications/rules";
import { accessTokensOf } from "@/oauth/applications/token-options";
import { requestedScopes } from "@/oauth/authorizations/request-errors";
import * as tokens from "@/oauth/tokens/service";
import { OAuthError, resourceNotSupported } from "../errors";
import { rateLimited } from "../refusals";
import { tokenTypeOf } from "../token-response";
import { defineClientlessGrant } from "./grant";

const fields = z.object({
  username: z.string(),
  password: z.string(),
  scope: z.string().optional(),
  resource: z.string().optional(),
});

/**
 * The password grant (RFC 6749 §4.3), for securely hosted first-party clients. The grant issues no refresh
 * token. An administrator cannot use the grant without a client, because such a request does not identify the
 * program that uses the password.
 */
export const password = defineClientlessGrant({
  type: "password",
  fields,
  exchange: async ({ deps, settings, client, caller, dpopJkt }, form) => {
    if (form.resource !== undefined) throw resourceNotSupported("password_resource");
    const scopes = permittedScopes(settings, client, form.scope);
    const credentials = { login: form.username, password: form.password };
    const outcome = await checkPassword(deps, settings, {
      ...credentials,
      ipAddress: caller.ipAddress,
      administrators: client !== null,
    });
    if ("refused" in outcome) throw refusal(outcome);
    const issued = await withCheckedPassword(deps, outcome, (within) =>
      tokens.issue(within, settings, {
        type: "password",
        applicationId: client?.id ?? null,
        userId: outcome.user.id,
        scopes,
        dpopJkt,
        ...(client === null ? {} : { accessToken: accessTokensOf(client) }),
      }),
    );
    if (issued === null) throw refusal({ refused: "wrong" });
    const { familyId } = issued;
    enqueueGrantUse(deps, { familyId, applicationId: client?.id ?? null, lastUsedAt: null }, () => caller);
    countEvent(deps, "token.issued", client?.uid ?? null);
    return {
      access_token: issued.accessToken,
      token_type: tokenTypeOf(issued),
      ...(issued.expiresInSeconds === null ? {} : { expires_in: issued.expiresInSeconds }),
    };
  },
});

/** Returns the scopes that the client may request. The scopes are checked before the password. */
function permittedScopes(
  settings: Settings,
  client: Application | null,
  text: string | undefined,
): readonly Scope[] {
  if (client === null && !settings.ropc_without_client_credentials)
    throw new OAuthError("invalid_client", "This grant requires client authentication.", "client_missing");
  if (client !== null && !client.allowsPassword)
    throw new OAuthError(
      "unauthorized_client",
      "This application may not use the password grant.",
      "password_grant_off",
    );
  const scopes = requestedScopes(text, client ?? { scopes: PASSWORD_SCOPES, registered: true });
  if (scopes !== null) return scopes;
  const description =
    text === undefined
      ? `Send a scope: the default scope, ${DEFAULT_SCOPE}, is not registered for this application.`
      : "A requested scope is unknown or not allowed with this grant.";
  throw new OAuthError("invalid_scope", description, "scope_not_allowed");
}

async function checkPassword(
  deps: Deps,
  settings: Settings,
  credentials: Omit<PasswordAttempt, "way">,
): Promise<PasswordOutcome> {
  if (looksLikeToken(credentials.password)) return { refused: "wrong" };
  try {
    return await tryPassword(deps, settings, { ...credentials, way: "grant" });
  } catch (cause) {
    if (!(cause instanceof PasswordsBusy)) throw cause;
    throw new OAuthError(
      "temporarily_unavailable",
      "Too many passwords are being checked at the same time. Try again in a few seconds.",
      "passwords_busy",
      { retryAfterSeconds: BUSY_RETRY_SECONDS },
    );
  }
}

const BUSY_RETRY_SECONDS = 3;

/**
 * Returns the error response for a refused password grant. The error does not reveal whether the user exists
 * or may use this grant.
 */
function refusal(outcome: Exclude<PasswordOutcome, { readonly user: object }>): OAuthError {
  if (outcome.refused === "limited") return rateLimited(outcome.retryAfterSeconds, "passwords_limited");
  return new OAuthError(
    "invalid_grant",
    "The username or the password is wrong, or this account cannot use the password grant. Accounts with two-factor authentication use a personal access token instead.",
    "password_wrong",
  );
}
