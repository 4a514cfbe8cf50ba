import type { Deps } from "@/kernel/deps/deps";
import { basicOf } from "@/kernel/http/basic";
import { findPersonalToken, isPersonalToken } from "@/oauth/personal-access-tokens/service";
import type { Bearer } from "./image-rights";
import { accessDenied } from "./refusals";

/**
 * Authenticates a request for a registry token. Only HTTP Basic with a personal access token is accepted.
 * @returns the user and the scopes of the personal access token; null for a request without credentials.
 * @throws RegistryRefusal 401 if the credentials are invalid.
 */
export async function authenticateForRegistry(deps: Deps, request: Request): Promise<Bearer | null> {
  const header = request.headers.get("authorization");
  if (header === null) return null;
  const secret = basicOf(header)?.password ?? "";
  if (!isPersonalToken(secret)) throw accessDenied();
  const result = await findPersonalToken(deps, secret);
  if (result === null || result.state !== "live") throw accessDenied();
  return { user: result.user, scopes: result.row.scopes.split(" ") };
}
