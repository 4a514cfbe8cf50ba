import type { Deps } from "@/kernel/deps/deps";
import { unixSeconds } from "@/kernel/http/unix-time";
import { isIdentifierOf } from "@/oauth/resource-servers/service";
import { isAudience } from "@/oauth/tokens/resource";
import { findBearer, findToken, type TokenDetails } from "@/oauth/tokens/service";
import { bearerChallenge, presentedBearer } from "./bearer";
import { authenticateClient, presentsClient } from "./client-auth";
import { bindingError } from "./dpop";
import { invalidRequest, OAuthError } from "./errors";
import { type Form, readForm } from "./form";
import { tokenTypeOf } from "./token-response";

const INACTIVE = { active: false } as const;

/** The application that calls the endpoint. */
type Caller = Readonly<{
  id: number | null;
  isResourceServer: boolean;
  /** The scopes of the application; empty for a caller with an access token. */
  protectedScopes: readonly string[];
}>;

/**
 * `POST /oauth/introspect` (RFC 7662): describes a token of the calling application. For a resource server,
 * the endpoint also describes two kinds of access tokens of other applications: tokens for an identifier of
 * the server, and tokens without a resource that have one of the server's scopes. For any other token, and
 * for a token that is not valid, the response contains only `"active": false`. The endpoint runs one prepared
 * statement to find the caller, and one to find the token. For a token of another application, the endpoint
 * also queries the resource of the token.
 * @throws OAuthError 401 when the caller is not authorized.
 */
export async function introspect(deps: Deps, request: Request): Promise<object> {
  const form = await readForm(request);
  const caller = await authenticatedCaller(deps, request, form);
  const token = form.get("token");
  if (token === undefined) throw invalidRequest("Missing required parameter: token.", "token_missing");
  const storedToken = await findToken(deps, token);
  if (storedToken === null || storedToken.state !== "live") return INACTIVE;
  const isOwn = storedToken.applicationId !== null && storedToken.applicationId === caller.id;
  if (isOwn) return activeToken(deps, storedToken);
  return (await concerns(deps, caller, storedToken))
    ? { ...activeToken(deps, storedToken), aud: storedToken.resource ?? deps.config.issuer }
    : INACTIVE;
}

/**
 * Returns whether an access token of another application is meant for a resource server. A token for a
 * protected resource is meant for the server if the resource is one of the server's identifiers. A token
 * without a resource is meant for the server if the token has one of the server's scopes.
 */
async function concerns(
  deps: Deps,
  caller: Caller,
  { kind, resource, scopes }: TokenDetails,
): Promise<boolean> {
  if (kind !== "access" || caller.id === null || !caller.isResourceServer) return false;
  if (resource !== null) return isIdentifierOf(deps, resource, caller.id);
  return scopes.some((scope) => caller.protectedScopes.includes(scope));
}

/** Returns the response for a valid token. A refresh token has its own lifetime and no `token_type`. */
const activeToken = (deps: Deps, token: TokenDetails): object => ({
  active: true,
  scope: token.scopes.join(" "),
  client_id: token.applicationUid,
  username: token.user.username,
  ...(token.kind === "access" ? { token_type: tokenTypeOf(token) } : {}),
  ...(token.kind === "access" && token.dpopJkt !== null ? { cnf: { jkt: token.dpopJkt } } : {}),
  ...(token.expiresAt === null ? {} : { exp: unixSeconds(token.expiresAt) }),
  iat: unixSeconds(token.createdAt),
  sub: token.subject,
  iss: deps.config.issuer,
  // RFC 9470 §6.2
  ...(token.authTime === null ? {} : { auth_time: unixSeconds(token.authTime) }),
  ...(token.acr === null ? {} : { acr: token.acr }),
  ...(token.resource === null ? {} : { aud: token.resource }),
});

/**
 * Returns the calling application, which authenticates with its secret or with a valid access token other
 * than the introspected token.
 */
async function authenticatedCaller(deps: Deps, request: Request, form: Form): Promise<Caller> {
  const bearer = presentedBearer(request);
  if (bearer !== null && presentsClient(request, form))
    throw invalidRequest("Send client credentials or an access token, not both.", "two_credentials");
  if (bearer !== null)
    return {
      id: await applicationOfBearer(deps, request, bearer, form.get("token")),
      isResourceServer: false,
      protectedScopes: [],
    };
  const client = await authenticateClient(deps, request, form);
  // Introspection requires a secret, because otherwise anyone could scan for tokens (RFC 7662 §4).
  if (client.confidential)
    return { id: client.id, isResourceServer: client.resourceServer, protectedScopes: client.scopes };
  throw new OAuthError(
    "invalid_client",
    "Introspection requires an application that authenticates with its client_secret.",
    "introspect_public_client",
  );
}

async function applicationOfBearer(
  deps: Deps,
  request: Request,
  bearer: string,
  token: string | undefined,
): Promise<number | null> {
  const storedToken = bearer === token ? null : await findBearer(deps, bearer, request);
  const binding = storedToken && bindingError(storedToken.state);
  if (binding !== null) throw binding;
  if (
    storedToken?.state === "live" &&
    isAudience(storedToken.row.resource, deps.config.issuer, new URL(request.url).pathname)
  )
    return storedToken.row.applicationId;
  const code = "invalid_token";
  const description =
    "The access token that authorizes this request is not valid, or is the introspected token itself.";
  throw new OAuthError(code, description, "introspect_bearer", {
    challenge: bearerChallenge({ code, description }),
  });
}
