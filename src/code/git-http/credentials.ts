import type { DeployReach, User } from "@/access/principal";
import { allows, type Scope } from "@/access/scopes";
import type { RepositoryUse } from "@/code/repositories/rules";
import { tryPassword } from "@/identity/users/password-attempt";
import { findWithStamp } from "@/identity/users/service";
import { enqueueGrantUse } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { looksLikeToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { type Basic, basicOf } from "@/kernel/http/basic";
import { callerOf } from "@/kernel/http/caller";
import { findPersonalToken, isPersonalToken } from "@/oauth/personal-access-tokens/service";
import { isAudience } from "@/oauth/tokens/resource";
import { findBearer } from "@/oauth/tokens/service";
import { findDeployToken, isDeployToken } from "@/workspace/deploy-tokens/service";
import { accessDenied, busy, forbidden, tooManyAttempts } from "./refusals";

/** The user of a Git client, and the scopes of the user's token or password. */
export type GitCaller = Readonly<{
  user: User;
  scopes: readonly string[];
  isPersonal?: true;
  /** The administrator who created an impersonation token; null for other tokens. */
  impersonatorId?: number | null;
  /** The project or group to which the access of a deploy token is limited. */
  reach?: DeployReach;
  /** The value that identifies the password of the user, if the caller authenticated with a password. */
  passwordStamp?: string;
}>;

/** The username that a Git client sends with an OAuth token. */
const OAUTH_USERNAME = "oauth2";

/**
 * The scopes that allow each type of repository access. A token needs one of the scopes for the requested
 * access (decisions §6).
 */
const SCOPES_FOR: Readonly<Record<RepositoryUse, readonly Scope[]>> = {
  fetch: ["read_repository", "write_repository"],
  push: ["write_repository"],
};

/**
 * The scopes that allow a personal access token to fetch. `read_api` is one of these scopes, because the rule
 * in decisions §6 applies only to OAuth tokens.
 */
const PERSONAL_FETCH: readonly Scope[] = [...SCOPES_FOR.fetch, "read_api"];

/** The scopes of a user who authenticates with a password and therefore has full access. */
const PASSWORD_SCOPES = ["api"];

/**
 * Returns the user of a request that authenticates with HTTP Basic (RFC 7617); null for a request without credentials.
 * @throws GitRefusal 401 for invalid credentials, 429 after too many attempts, 503 when password checks are overloaded.
 */
export async function authenticateGit(deps: Deps, request: Request): Promise<GitCaller | null> {
  const header = request.headers.get("authorization");
  if (header === null) return null;
  const credentials = basicOf(header);
  if (credentials === null) throw accessDenied();
  if (isPersonalToken(credentials.password)) {
    const details = await findPersonalToken(deps, credentials.password);
    const impersonatorId = details?.row.impersonatorId ?? null;
    return { ...callerOfLive(details), isPersonal: true, impersonatorId };
  }
  if (isDeployToken(credentials.password)) return byDeployToken(deps, credentials);
  if (looksLikeToken(credentials.password)) {
    if (credentials.username !== OAUTH_USERNAME) throw accessDenied();
    const bearer = await findBearer(deps, credentials.password, null);
    // A token whose audience is another resource of the instance, such as the MCP server, gives no access to
    // repositories.
    if (
      bearer !== null &&
      !isAudience(bearer.row.resource, deps.config.issuer, new URL(request.url).pathname)
    )
      throw accessDenied();
    if (bearer?.state === "live") enqueueGrantUse(deps, bearer.row, () => callerOf(request));
    return callerOfLive(bearer);
  }
  return byPassword(deps, request, credentials);
}

/**
 * Authenticates the caller of a running request again. A password is not checked again, because the check is
 * slow and limited. Instead, the user must be active and still have the password.
 * @throws GitRefusal as `authenticateGit`.
 */
export async function authenticateAgain(
  deps: Deps,
  request: Request,
  caller: GitCaller | null,
): Promise<GitCaller | null> {
  if (caller?.passwordStamp === undefined) return authenticateGit(deps, request);
  const current = await findWithStamp(deps, caller.user.id);
  if (current?.passwordStamp !== caller.passwordStamp || current.user.state !== "active")
    throw accessDenied();
  return { ...caller, user: current.user };
}

async function byDeployToken(deps: Deps, { username, password }: Basic): Promise<GitCaller> {
  const credential = await findDeployToken(deps, password, username);
  if (credential === null) throw accessDenied();
  const { token, user } = credential;
  // Of the scopes of a deploy token, only `read_repository` gives access to Git, so all other scopes are
  // removed.
  return { user, scopes: token.scopes.filter((scope) => scope === "read_repository"), reach: token.reach };
}

type CredentialOwner = Readonly<{ user: User; state: string; row: Readonly<{ scopes: string }> }>;

function callerOfLive(credential: CredentialOwner | null): GitCaller {
  if (credential === null || credential.state !== "live") throw accessDenied();
  return { user: credential.user, scopes: credential.row.scopes.split(" ") };
}

async function byPassword(deps: Deps, request: Request, credentials: Basic): Promise<GitCaller> {
  // Empty credentials and a token with the username `oauth2` do not count as login attempts, because failed
  // attempts would lock out a user named `oauth2`.
  if (credentials.username === "" || credentials.password === "" || credentials.username === OAUTH_USERNAME)
    throw accessDenied();
  const attempt = {
    login: credentials.username,
    password: credentials.password,
    ipAddress: callerOf(request).ipAddress,
  };
  try {
    const outcome = await tryPassword(deps, await readSettings(deps), { ...attempt, way: "grant" });
    if ("user" in outcome)
      return { user: outcome.user, scopes: PASSWORD_SCOPES, passwordStamp: outcome.passwordStamp };
    throw outcome.refused === "limited" ? tooManyAttempts(outcome.retryAfterSeconds) : accessDenied();
  } catch (cause) {
    throw cause instanceof PasswordsBusy ? busy(3) : cause;
  }
}

/**
 * Checks that a token has a scope that allows the requested fetch or push.
 * @throws GitRefusal 403 if no scope of the token allows the request.
 */
export function requireScope({ scopes, isPersonal }: GitCaller, use: RepositoryUse): void {
  const fitting = use === "fetch" && isPersonal ? PERSONAL_FETCH : SCOPES_FOR[use];
  if (fitting.some((scope) => allows(scopes, scope))) return;
  throw forbidden(
    use === "push"
      ? "This token may not push. A push needs the scope write_repository or api."
      : "This token may not read repositories. A fetch needs the scope read_repository, write_repository or api.",
  );
}
