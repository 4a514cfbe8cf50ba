import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import { ASSERTION_METHODS } from "@/oauth/applications/client-authentication";
import { type ListedApplication, mustUsePkce } from "@/oauth/applications/rules";
import { ACCESS_TOKEN_FORMATS } from "@/oauth/applications/token-options";
import { SIGNING_ALGORITHMS } from "@/oauth/signing-keys/rules";

const fields = {
  id: z.int(),
  application_id: z.string(),
  application_name: z.string(),
  callback_url: z.string(),
  confidential: z.boolean(),
  owner: z.object({
    kind: z
      .enum(["instance", "user", "group", "nobody"])
      .describe(
        "`instance` if an administrator owns the application; `nobody` for a client that is not registered.",
      ),
    id: z.int().describe("The id of the user or the group that owns the application; 0 for `nobody`."),
    path: z
      .string()
      .describe("The username of the owner, or the full path of the group that owns the application."),
  }),
  scopes: z.array(z.string()),
  trusted: z.boolean().describe("Whether users of the application skip consent."),
  resource_server: z.boolean().describe("Whether the application introspects tokens of other applications."),
  token_endpoint_auth_method: z
    .enum(["client_secret", ...ASSERTION_METHODS, "none"])
    .describe("The authentication method of the application; `none` for a public application."),
  jwks_uri: z.string().nullable().describe("The URL of the public keys of the application."),
  require_pkce: z.boolean(),
  require_pushed_authorization_requests: z.boolean(),
  dpop_bound_access_tokens: z.boolean(),
  id_token_signed_response_alg: z.enum(SIGNING_ALGORITHMS),
  access_token_format: z.enum(ACCESS_TOKEN_FORMATS),
  password_grant: z.boolean().describe("Whether the application may use the password grant."),
  client_credentials_scopes: z
    .array(z.string())
    .describe("The scopes of the client credentials grant; empty if the grant is off."),
  backchannel_logout_uri: z
    .string()
    .nullable()
    .describe("The URL that receives a logout token when a session of a user ends."),
  backchannel_logout_session_required: z
    .boolean()
    .describe("Whether the application requires the session id (sid) in each logout token."),
  bot: z
    .object({ id: z.int(), username: z.string() })
    .nullable()
    .describe("The bot user in whose name the application acts with the client credentials grant."),
};

const presented = (application: ListedApplication) => {
  const { owner, authMethod, confidential, tokens } = application;
  return {
    id: application.id,
    application_id: application.uid,
    application_name: application.name,
    callback_url: application.redirectUris.join("\n"),
    confidential,
    owner: { kind: owner.kind, id: owner.id, path: owner.path },
    scopes: [...application.scopes],
    trusted: application.trusted,
    resource_server: application.resourceServer,
    token_endpoint_auth_method: confidential ? (authMethod ?? ("client_secret" as const)) : ("none" as const),
    jwks_uri: application.jwksUri,
    require_pkce: mustUsePkce(application),
    require_pushed_authorization_requests: application.requiresPushedRequests,
    dpop_bound_access_tokens: application.requiresDpop,
    id_token_signed_response_alg: tokens.idTokenAlgorithm,
    access_token_format: tokens.accessTokenFormat,
    password_grant: application.allowsPassword,
    client_credentials_scopes: [...application.clientCredentialsScopes],
    backchannel_logout_uri: application.backchannelLogout.uri,
    backchannel_logout_session_required: application.backchannelLogout.sessionRequired,
    bot: application.bot && { id: application.bot.id, username: application.bot.username },
  };
};

/** A registered application, without its secret. */
export const application = defineEntity("application", fields, presented);

/**
 * An application with its new secret, which is shown once. The secret is null for an application without a
 * secret.
 */
export const applicationWithSecret = defineEntity(
  "application_with_secret",
  { ...fields, secret: z.string().nullable() },
  ({
    application: registered,
    secret,
  }: Readonly<{ application: ListedApplication; secret: string | null }>) => ({
    ...presented(registered),
    secret,
  }),
);
