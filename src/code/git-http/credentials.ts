import type { User } from "@/access/principal";
import { allows, type Scope } from "@/access/scopes";
import type { RepositoryUse } from "@/code/repositories/rules";
import { tryPassword } from "@/identity/users/password-attempt";
import { enqueueGrantUse } from "@/instance/last-use/service";
import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { looksLikeToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { type Basic, basicOf } from "@/kernel/http/basic";
import { callerOf } from "@/kernel/http/caller";
import { findPersonalToken, isPersonalToken } from "@/oauth/personal-access-tokens/service";
import { findBearer } from "@/oauth/tokens/service";
import { accessDenied, busy, forbidden, tooManyAttempts } from "./refusals";

/** Whom a Git client acts for, and whether what it showed lets it do what it wants. */
export type GitCaller = Readonly<{ user: User; scopes: readonly string[]; isPersonal?: true }>;

/** The username that goes with an OAuth token. */
const OAUTH_USERNAME = "oauth2";

/** Any of these lets a token do that (decisions §6). */
const SCOPES_FOR: Readonly<Record<RepositoryUse, readonly Scope[]>> = {
  fetch: ["read_repository", "write_repository"],
  push: ["write_repository"],
};

/** A personal access token that reads the whole API reads code with it; decisions §6 counts the scopes of OAuth alone. */
const PERSONAL_FETCH: readonly Scope[] = [...SCOPES_FOR.fetch, "read_api"];

/** A person with their password may do whatever they may. */
const PASSWORD_SCOPES = ["api"];

/**
 * Whom a request acts for by HTTP Basic (RFC 7617).
 * @returns null for a request without credentials.
 * @throws GitRefusal 401, 429 or 503 for credentials that do not count.
 */
export async function authenticateGit(deps: Deps, request: Request): Promise<GitCaller | null> {
  const header = request.headers.get("authorization");
  if (header === null) return null;
  const sent = basicOf(header);
  if (sent === null) throw accessDenied();
  if (isPersonalToken(sent.password))
    return { ...live(await findPersonalToken(deps, sent.password)), isPersonal: true };
  if (looksLikeToken(sent.password)) {
    if (sent.username !== OAUTH_USERNAME) throw accessDenied();
    const found = await findBearer(deps, sent.password);
    if (found?.state === "live") enqueueGrantUse(deps, found.row, () => callerOf(request));
    return live(found);
  }
  return byPassword(deps, request, sent);
}

type CredentialOwner = Readonly<{ user: User; state: string; row: Readonly<{ scopes: string }> }>;

function live(found: CredentialOwner | null): GitCaller {
  if (found === null || found.state !== "live") throw accessDenied();
  return { user: found.user, scopes: found.row.scopes.split(" ") };
}

async function byPassword(deps: Deps, request: Request, sent: Basic): Promise<GitCaller> {
  // Never asked for by name: somebody whose name is this would only be locked out.
  if (sent.username === "" || sent.password === "" || sent.username === OAUTH_USERNAME) throw accessDenied();
  const attempt = { login: sent.username, password: sent.password, ipAddress: callerOf(request).ipAddress };
  try {
    const outcome = await tryPassword(deps, await readSettings(deps), { ...attempt, way: "grant" });
    if ("user" in outcome) return { user: outcome.user, scopes: PASSWORD_SCOPES };
    throw outcome.refused === "limited" ? tooManyAttempts(outcome.retryAfterSeconds) : accessDenied();
  } catch (cause) {
    throw cause instanceof PasswordsBusy ? busy(3) : cause;
  }
}

/** @throws GitRefusal 403 for a token that is good, and not for this. */
export function requireScope({ scopes, isPersonal }: GitCaller, use: RepositoryUse): void {
  const fitting = use === "fetch" && isPersonal ? PERSONAL_FETCH : SCOPES_FOR[use];
  if (fitting.some((scope) => allows(scopes, scope))) return;
  throw forbidden(
    use === "push"
      ? "This token may not push: it needs the scope write_repository or api."
      : "This token may not read repositories: it needs the scope read_repository, write_repository or api.",
  );
}
