import type { Deps } from "@/kernel/deps/deps";
import { findBearer, findToken, type TokenDetails } from "@/oauth/tokens/service";
import { bearerChallenge, presentedBearer } from "./bearer";
import { authenticateClient, presentsClient } from "./client-auth";
import { invalidRequest, OAuthError } from "./errors";
import { type Form, readForm } from "./form";

const INACTIVE = { active: false } as const;

/**
 * `POST /oauth/introspect` (RFC 7662): what a token of the asking application stands for. Two prepared look-ups: who
 * asks, and what about. Anything but a live token of the same application is inactive, and nothing more is said of it.
 * @throws OAuthError 401 when nobody who may ask does.
 */
export async function introspect(deps: Deps, request: Request): Promise<object> {
  const form = await readForm(request);
  const applicationId = await authenticatedApplication(deps, request, form);
  const token = form.get("token");
  if (token === undefined) throw invalidRequest("Missing required parameter: token.", "token_missing");
  const storedToken = await findToken(deps, token);
  if (storedToken === null || storedToken.state !== "live") return INACTIVE;
  return storedToken.applicationId === null || storedToken.applicationId !== applicationId
    ? INACTIVE
    : activeToken(deps, storedToken);
}

/** The lifetime and the type are those of the half that was asked about: a refresh token has no `token_type`. */
const activeToken = (deps: Deps, token: TokenDetails): object => ({
  active: true,
  scope: token.scopes.join(" "),
  client_id: token.applicationUid,
  username: token.user.username,
  ...(token.kind === "access" ? { token_type: "bearer" } : {}),
  ...(token.expiresAt === null ? {} : { exp: seconds(token.expiresAt) }),
  iat: seconds(token.createdAt),
  sub: String(token.user.id),
  iss: deps.config.issuer,
});

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** A confidential client by its secret, or an application by a live token of its own, other than the one in question. */
async function authenticatedApplication(deps: Deps, request: Request, form: Form): Promise<number | null> {
  const bearer = presentedBearer(request);
  if (bearer !== null && presentsClient(request, form))
    throw invalidRequest("Send client credentials or an access token, not both.", "two_credentials");
  if (bearer !== null) return applicationOfBearer(deps, bearer, form.get("token"));
  const client = await authenticateClient(deps, request, form);
  // Without a secret, anybody could scan for tokens (RFC 7662 §4).
  if (client.confidential) return client.id;
  throw new OAuthError(
    "invalid_client",
    "Introspection needs an application that authenticates with its client_secret.",
    "introspect_public_client",
  );
}

async function applicationOfBearer(
  deps: Deps,
  bearer: string,
  token: string | undefined,
): Promise<number | null> {
  const storedToken = bearer === token ? null : await findBearer(deps, bearer);
  if (storedToken !== null && storedToken.state === "live") return storedToken.row.applicationId;
  const code = "invalid_token";
  const description = "The access token that authorizes this request is not valid for it.";
  throw new OAuthError(code, description, "introspect_bearer", {
    challenge: bearerChallenge({ code, description }),
  });
}
