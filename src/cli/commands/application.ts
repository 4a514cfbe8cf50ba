import { ASSERTION_METHODS } from "@/oauth/applications/client-authentication";
import type { ShownApplication } from "@/oauth/applications/rules";
import * as applications from "@/oauth/applications/service";
import { SIGNING_ALGORITHMS } from "@/oauth/signing-keys/rules";
import { defineCommand, required, UsageError } from "./command";
import { requireUser } from "./user";

const applicationCreate = defineCommand({
  name: "application create",
  usage:
    '--name N --redirect-uri URI … --scopes "S …" --owner U [--public] [--trusted] [--require-pkce] [--no-password-grant] [--client-credentials "S …"] [--auth-method M] [--jwks JSON | --jwks-uri URL] [--require-par] [--require-dpop] [--jwt-access-tokens] [--signing-alg ALG] [--backchannel-logout-uri URI] [--backchannel-logout-session-required]',
  about: "Register an application and print its client secret once.",
  options: {
    name: "text",
    "redirect-uri": "list",
    scopes: "text",
    owner: "text",
    public: "flag",
    "require-pkce": "flag",
    "no-password-grant": "flag",
    trusted: "flag",
    "client-credentials": "text",
    "backchannel-logout-uri": "text",
    "backchannel-logout-session-required": "flag",
    "auth-method": "text",
    jwks: "text",
    "jwks-uri": "text",
    "require-par": "flag",
    "require-dpop": "flag",
    "jwt-access-tokens": "flag",
    "signing-alg": "text",
  },
  run: async ({ open }, options) => {
    const draft = {
      name: required(options.name, "name"),
      redirectUris: options["redirect-uri"].join("\n"),
      scopes: wordsOf(required(options.scopes, "scopes")),
      confidential: !options.public,
      requiresPkce: options["require-pkce"],
      allowsPassword: !options["no-password-grant"],
      clientCredentialsScopes: wordsOf(options["client-credentials"] ?? ""),
      backchannelLogout: {
        uri: options["backchannel-logout-uri"] ?? null,
        sessionRequired: options["backchannel-logout-session-required"],
      },
      requiresPushedRequests: options["require-par"],
      requiresDpop: options["require-dpop"],
      authentication: {
        method: oneOf(ASSERTION_METHODS, options["auth-method"], "auth-method") ?? "",
        jwks: options.jwks ?? "",
        jwksUri: options["jwks-uri"] ?? "",
      },
      tokens: {
        idTokenAlgorithm: oneOf(SIGNING_ALGORITHMS, options["signing-alg"], "signing-alg") ?? "RS256",
        accessTokenFormat: options["jwt-access-tokens"] ? ("jwt" as const) : ("opaque" as const),
      },
    };
    const owner = required(options.owner, "owner");
    if (options["auth-method"] === undefined && (options.jwks ?? options["jwks-uri"]) !== undefined)
      throw new UsageError(`--jwks and --jwks-uri require --auth-method ${ASSERTION_METHODS[0]}.`);
    if (options.public && draft.clientCredentialsScopes.length > 0)
      throw new UsageError("--client-credentials requires a confidential application, without --public.");
    const { deps } = await open();
    const outcome = await applications.register(deps, await requireUser(deps, owner), draft, options.trusted);
    if ("problems" in outcome) throw new UsageError(Object.values(outcome.problems).flat().join("\n"));
    const { application, secret } = outcome;
    const json = { ...entity(application), ...(secret === null ? {} : { client_secret: secret }) };
    const lines = [`client_id      ${application.uid}`];
    if (secret !== null)
      lines.push(
        `client_secret  ${secret}`,
        "Copy the client secret now. The client secret cannot be shown again.",
      );
    return { text: lines.join("\n"), json };
  },
});

/** @throws UsageError for a value that the option does not accept. */
function oneOf<Value extends string>(
  values: readonly Value[],
  text: string | undefined,
  name: string,
): Value | undefined {
  if (text === undefined) return undefined;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw new UsageError(`--${name} must be one of ${values.join(", ")}.`);
  return value;
}

const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== "");

const applicationList = defineCommand({
  name: "application list",
  usage: "",
  about: "List every application of the instance.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const all = await applications.listAll(deps);
    const text = all.map(({ uid, name, owner }) => `${uid}  ${name} (${owner.path})`).join("\n");
    return { text: text || "There are no applications yet.", json: { applications: all.map(entity) } };
  },
});

const entity = (application: ShownApplication) => ({
  client_id: application.uid,
  name: application.name,
  redirect_uris: application.redirectUris,
  scopes: application.scopes,
  confidential: application.confidential,
  trusted: application.trusted,
  resource_server: application.resourceServer,
  token_endpoint_auth_method: application.confidential ? (application.authMethod ?? "client_secret") : "none",
  require_pushed_authorization_requests: application.requiresPushedRequests,
  dpop_bound_access_tokens: application.requiresDpop,
  id_token_signed_response_alg: application.tokens.idTokenAlgorithm,
  access_token_format: application.tokens.accessTokenFormat,
  client_credentials_scopes: application.clientCredentialsScopes,
  owner: application.owner.path,
  backchannel_logout_uri: application.backchannelLogout.uri,
});

export const commands = [applicationCreate, applicationList];
