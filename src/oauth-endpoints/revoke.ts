import type { Deps } from "@/kernel/deps/deps";
import type { Application } from "@/oauth/applications/rules";
import { findToken, revokeGrantOf } from "@/oauth/tokens/service";
import { authenticateClient, presentsClient } from "./client-auth";
import { invalidRequest, OAuthError } from "./errors";
import { type Form, readForm } from "./form";

/**
 * `POST /oauth/revoke` (RFC 7009): revokes the grant of an access or refresh token. The response is the same for
 * unknown and revoked tokens. A wrong `token_type_hint` is ignored.
 * @throws OAuthError `unauthorized_client` with 403 when the token was not issued to the caller.
 */
export async function revoke(deps: Deps, request: Request): Promise<object> {
  const form = await readForm(request);
  const client = presentsClient(request, form) ? await clientOf(deps, request, form) : null;
  const token = form.get("token");
  if (token === undefined) throw invalidRequest("Missing required parameter: token.", "token_missing");
  const storedToken = await findToken(deps, token);
  if (storedToken === null) return {};
  // Anyone who holds a token that was issued without a client can revoke the token.
  if (storedToken.applicationId !== null && storedToken.applicationId !== client?.id)
    throw unauthorized("revoke_foreign");
  await revokeGrantOf(deps, storedToken, client === null ? "holder" : "client");
  return {};
}

/**
 * Authenticates the client before the token is looked up, so that wrong credentials reveal nothing about the
 * token.
 */
async function clientOf(deps: Deps, request: Request, form: Form): Promise<Application> {
  try {
    return await authenticateClient(deps, request, form);
  } catch (cause) {
    if (cause instanceof OAuthError && cause.code === "invalid_client")
      throw unauthorized(`revoke_${cause.reason}`);
    throw cause;
  }
}

const unauthorized = (reason: string): OAuthError =>
  new OAuthError("unauthorized_client", "You are not authorized to revoke this token.", reason, {
    status: 403,
  });
