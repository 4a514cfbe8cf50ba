import type { Deps } from "@/kernel/deps/deps";
import { basicOf } from "@/kernel/http/basic";
import { findPersonalToken, isPersonalToken } from "@/oauth/personal-access-tokens/service";
import { findDeployToken, isDeployToken } from "@/workspace/deploy-tokens/service";
import type { Bearer } from "./image-rights";
import { accessDenied } from "./refusals";

/**
 * Authenticates a request for a registry token. Only HTTP Basic with a personal access token or a
 * deploy token is accepted.
 * @returns the user and the scopes of the token; null for a request without credentials.
 * @throws RegistryRefusal 401 if the credentials are invalid.
 */
export async function authenticateForRegistry(deps: Deps, request: Request): Promise<Bearer | null> {
  const header = request.headers.get("authorization");
  if (header === null) return null;
  const { username, password: secret } = basicOf(header) ?? { username: "", password: "" };
  if (isDeployToken(secret)) return byDeployToken(deps, secret, username);
  if (!isPersonalToken(secret)) throw accessDenied();
  const result = await findPersonalToken(deps, secret);
  if (result === null || result.state !== "live") throw accessDenied();
  return { user: result.user, scopes: result.row.scopes.split(" ") };
}

async function byDeployToken(deps: Deps, secret: string, username: string): Promise<Bearer> {
  const credential = await findDeployToken(deps, secret, username);
  if (credential === null) throw accessDenied();
  const { token, user } = credential;
  return { user, scopes: token.scopes, subject: token.username, reach: token.reach };
}
