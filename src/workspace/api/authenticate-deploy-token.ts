import type { Principal } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { insufficientScope, unauthorized } from "@/http-api/errors";
import type { Deps } from "@/kernel/deps/deps";
import { basicOf } from "@/kernel/http/basic";
import { authenticate } from "@/oauth/api/authenticate";
import { findDeployToken, isDeployToken } from "@/workspace/deploy-tokens/service";

/**
 * Returns the principal of a request with an OAuth token, a personal access token, or a deploy token. Deploy
 * tokens are accepted only by some endpoints. A deploy token in HTTP Basic is accepted only together with the
 * username of the deploy token.
 * @throws ApiError 401, 403 or 400.
 */
export async function authenticateAnyToken(
  deps: Deps,
  request: Request,
  token: string | null,
  scopes: readonly Scope[],
  kinds?: "personal",
  deployScope?: string,
): Promise<Principal> {
  if (token === null || deployScope === undefined || !isDeployToken(token))
    return authenticate(deps, request, token, scopes, kinds);
  const basic = basicOf(request.headers.get("authorization") ?? "");
  const credential = await findDeployToken(deps, token, basic === null ? null : basic.username);
  if (credential === null) throw unauthorized();
  const { user, token: deployToken } = credential;
  if (!deployToken.scopes.includes(deployScope)) throw insufficientScope([deployScope]);
  return {
    user,
    scopes: deployToken.scopes,
    token: { kind: "deploy", id: deployToken.id, applicationId: null, reach: deployToken.reach },
  };
}
