import { z } from "zod";
import type { Principal } from "@/access/principal";
import { badRequest, notFound, unacceptable } from "@/http-api/errors";
import { flag, id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { findApplication } from "@/oauth/applications/administration";
import { ASSERTION_METHODS } from "@/oauth/applications/client-authentication";
import {
  changeOptions,
  type InstanceApplication,
  listOfKind,
  removeOfInstance,
  renewSecret,
} from "@/oauth/applications/instance-application";
import type { ApplicationProblems, ListedApplication } from "@/oauth/applications/rules";
import { register } from "@/oauth/applications/service";
import { ACCESS_TOKEN_FORMATS } from "@/oauth/applications/token-options";
import { revokeUncovered } from "@/oauth/authorizations/service";
import { SIGNING_ALGORITHMS } from "@/oauth/signing-keys/rules";

export const applicationSearch = z.object({
  owner_kind: z
    .enum(["instance", "user", "group", "nobody", "all"])
    .default("instance")
    .describe(
      "The kind of the owners of the listed applications. By default, the response contains the instance-wide applications, as in GitLab.",
    ),
});

export const listApplications = (
  deps: Deps,
  _principal: Principal,
  { owner_kind }: z.infer<typeof applicationSearch>,
  paging: Paging,
): Promise<Page<InstanceApplication>> => listOfKind(deps, owner_kind, paging);

export const newApplication = z.object({
  name: text(255),
  redirect_uri: z.string().max(65_536).describe("The redirect URIs, one per line."),
  scopes: text(1_024).min(1).describe("The scopes, separated by spaces."),
  confidential: flag.default(true).describe("Whether the application can keep a secret."),
  token_endpoint_auth_method: z
    .enum(["client_secret", ...ASSERTION_METHODS])
    .optional()
    .describe(
      "The method by which a confidential application authenticates: by default, with its client secret.",
    ),
  require_pushed_authorization_requests: flag
    .default(false)
    .describe("Whether the application must push its authorization requests (RFC 9126)."),
  dpop_bound_access_tokens: flag
    .default(false)
    .describe("Whether the tokens of the application must be bound to a key (RFC 9449)."),
  jwks: z.string().max(65_536).optional().describe("The public keys for private_key_jwt: a JWK Set as JSON."),
  id_token_signed_response_alg: z
    .enum(SIGNING_ALGORITHMS)
    .default("RS256")
    .describe("The algorithm that signs ID tokens and JWT access tokens."),
  access_token_format: z
    .enum(ACCESS_TOKEN_FORMATS)
    .default("opaque")
    .describe(
      "The format of access tokens: a random string, or a JSON Web Token that is valid for at most 10 minutes.",
    ),
  client_credentials_scopes: z
    .string()
    .max(1_024)
    .default("")
    .describe(
      "The scopes of the client credentials grant, separated by spaces. An empty value turns the client credentials grant off.",
    ),
  backchannel_logout_uri: z
    .string()
    .max(2_048)
    .optional()
    .describe("The URL that receives a logout token when a session of a user ends."),
  backchannel_logout_session_required: flag
    .default(false)
    .describe("Whether the application requires the session id (sid) in each logout token."),
  jwks_uri: z.string().max(2_048).optional().describe("The URL of the public keys for private_key_jwt."),
});

/**
 * Registers an application that the requesting administrator owns.
 * @throws ApiError 400 with the error messages of each invalid field.
 */
export async function createApplication(
  deps: Deps,
  { user }: Principal,
  fields: z.infer<typeof newApplication>,
): Promise<Readonly<{ application: ListedApplication; secret: string | null }>> {
  const { name, redirect_uri, scopes, confidential } = fields;
  const draft = {
    name,
    redirectUris: redirect_uri,
    scopes: wordsOf(scopes),
    confidential,
    requiresPkce: false,
    allowsPassword: true,
    requiresPushedRequests: fields.require_pushed_authorization_requests,
    requiresDpop: fields.dpop_bound_access_tokens,
    authentication: {
      method: fields.token_endpoint_auth_method ?? "",
      jwks: fields.jwks ?? "",
      jwksUri: fields.jwks_uri ?? "",
    },
    backchannelLogout: {
      uri: fields.backchannel_logout_uri ?? null,
      sessionRequired: fields.backchannel_logout_session_required,
    },
    tokens: {
      idTokenAlgorithm: fields.id_token_signed_response_alg,
      accessTokenFormat: fields.access_token_format,
    },
    clientCredentialsScopes: wordsOf(fields.client_credentials_scopes),
  };
  const outcome = await register(deps, user, draft);
  if (!("problems" in outcome))
    return { application: await listed(deps, outcome.application.id), secret: outcome.secret };
  throw refusedFields(outcome.problems);
}

/** Returns an API error that contains the error messages of each invalid parameter. */
const refusedFields = ({
  redirectUris,
  authentication,
  clientCredentialsScopes,
  backchannelLogout,
  ...problems
}: ApplicationProblems) =>
  unacceptable({
    ...problems,
    ...(redirectUris === undefined ? {} : { redirect_uri: redirectUris }),
    ...(authentication === undefined ? {} : { jwks: authentication }),
    ...(clientCredentialsScopes === undefined ? {} : { client_credentials_scopes: clientCredentialsScopes }),
    ...(backchannelLogout === undefined ? {} : { backchannel_logout_uri: backchannelLogout }),
  });

/** @throws ApiError 404 when another request has deleted the application. */
async function listed(deps: Deps, id: number): Promise<ListedApplication> {
  const application = await findApplication(deps, id);
  if (application === null) throw notFound("Application");
  return application;
}

const wordsOf = (scopes: string): readonly string[] => scopes.split(/[\s,]+/).filter((word) => word !== "");

export const applicationReference = z.object({ id });
type Reference = z.infer<typeof applicationReference>;

export const applicationChange = applicationReference.extend({
  scopes: text(1_024)
    .min(1)
    .optional()
    .describe("The scopes that the application can request, separated by spaces."),
  require_pushed_authorization_requests: flag.optional(),
  dpop_bound_access_tokens: flag.optional(),
  id_token_signed_response_alg: z.enum(SIGNING_ALGORITHMS).optional(),
  access_token_format: z.enum(ACCESS_TOKEN_FORMATS).optional(),
  client_credentials_scopes: z
    .string()
    .max(1_024)
    .optional()
    .describe(
      "The scopes of the client credentials grant, separated by spaces. An empty value turns the client credentials grant off.",
    ),
  revoke_uncovered: flag
    .default(false)
    .describe("Whether to revoke existing grants with a scope that the application no longer has."),
});

/**
 * Changes the scopes and the options of an application of the instance and, if requested, revokes grants with
 * a removed scope.
 * @throws ApiError 404 when no application of the instance has this id, 400 for unknown scopes and for a
 * request without a change.
 */
export async function changeApplication(
  deps: Deps,
  { user }: Principal,
  { id, revoke_uncovered, ...changes }: z.infer<typeof applicationChange>,
): Promise<ListedApplication> {
  if (Object.values(changes).every((value) => value === undefined)) throw badRequest("scopes is missing");
  const { scopes, client_credentials_scopes: machineScopes } = changes;
  const outcome = await changeOptions(deps, user, id, (before) => ({
    scopes: scopes === undefined ? before.scopes : wordsOf(scopes),
    requiresPushedRequests: changes.require_pushed_authorization_requests ?? before.requiresPushedRequests,
    requiresDpop: changes.dpop_bound_access_tokens ?? before.requiresDpop,
    tokens: {
      idTokenAlgorithm: changes.id_token_signed_response_alg ?? before.tokens.idTokenAlgorithm,
      accessTokenFormat: changes.access_token_format ?? before.tokens.accessTokenFormat,
    },
    ...(machineScopes === undefined ? {} : { clientCredentialsScopes: wordsOf(machineScopes) }),
  }));
  if (outcome === null) throw notFound("Application");
  if ("problems" in outcome) throw refusedFields(outcome.problems);
  if (revoke_uncovered) await revokeUncovered(deps, outcome, user);
  return listed(deps, id);
}

/**
 * Deletes an application of the instance.
 * @throws ApiError 404 when no application of the instance has this id.
 */
export async function deleteApplication(deps: Deps, { user }: Principal, { id }: Reference): Promise<void> {
  if (!(await removeOfInstance(deps, user, id))) throw notFound("Application");
}

/**
 * Replaces all secrets of an application of the instance with a new secret.
 * @throws ApiError 404 when no application of the instance has this id, 400 for an application without a
 * secret.
 */
export async function renewApplicationSecret(
  deps: Deps,
  { user }: Principal,
  { id }: Reference,
): Promise<Readonly<{ application: InstanceApplication; secret: string }>> {
  const renewed = await renewSecret(deps, user, id);
  if (renewed === "absent") throw notFound("Application");
  if (renewed === "public") throw badRequest("The application is not confidential: it has no secret");
  return renewed;
}
