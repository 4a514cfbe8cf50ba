import type { Deps } from "@/kernel/deps/deps";
import type { Application } from "@/oauth/applications/rules";
import { findToken, revokeGrantOf } from "@/oauth/tokens/service";
import { authenticateClient, presentsClient } from "./client-auth";
import { invalidRequest, OAuthError } from "./errors";
import { type Form, readForm } from "./form";

/**
 * `POST /oauth/revoke` (RFC 7009): ends the grant of an access or refresh token. The answer to a token that is unknown
 * or has ended is the same as to one that ends now; a wrong `token_type_hint` does not matter.
 * @throws OAuthError `unauthorized_client` with 403 when the token is not the caller's to revoke.
 */
export async function revoke(deps: Deps, request: Request): Promise<object> {
  const form = await readForm(request);
  const client = presentsClient(request, form) ? await clientOf(deps, request, form) : null;
  const token = form.get("token");
  if (token === undefined) throw invalidRequest("Missing required parameter: token.", "token_missing");
  const storedToken = await findToken(deps, token);
  if (storedToken === null) return {};
  // Whoever holds a token that was issued without a client may end it.
  if (storedToken.applicationId !== null && storedToken.applicationId !== client?.id)
    throw unauthorized("revoke_foreign");
  await revokeGrantOf(deps, storedToken, client === null ? "holder" : "client");
  return {};
}

/** Wrong credentials are refused before the token is looked at, so that they tell nothing of it. */
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
