import type * as OpenId from "openid-client";
import type { Deps } from "@/kernel/deps/deps";
import { isTemporaryFailure, OutboundRequestError } from "@/kernel/http/outbound-error";
import { processWide } from "@/kernel/process/process-wide";
import type { Identity } from "../linked-identities/rules";
import type { Provider } from "../providers/rules";
import { clientSecretOf } from "../providers/service";
import { boundedFetch } from "./bounded-fetch";
import { githubIdentity, githubMetadata } from "./github";
import { readIdentity } from "./schema";

/**
 * The failure of a request to an external identity provider, or of a check of the response. `kind` is
 * `denied` if the user canceled the sign-in, and `unavailable` if the provider does not respond. The error
 * message is written to the log and contains no secret.
 */
export class ProviderFailure extends Error {
  readonly kind: "denied" | "unavailable" | "invalid";
  constructor(kind: ProviderFailure["kind"], message: string) {
    super(message);
    this.name = "ProviderFailure";
    this.kind = kind;
  }
}

/**
 * The time for which the metadata of a provider is cached. The signing keys of a provider are fetched for
 * each sign-in.
 */
const METADATA_MS = 5 * 60_000;

type CachedMetadata = Readonly<{ metadata: OpenId.ServerMetadata; expiresAt: number }>;
const METADATA_MAX = 100;
const metadataCache = processWide("identity-provider-metadata", () => new Map<string, CachedMetadata>());

/**
 * Imports the OpenID Connect library. The library is large and rarely used, so it is loaded by the first
 * sign-in with a provider.
 */
const openId = (): Promise<typeof OpenId> => import("openid-client");

/**
 * Returns the metadata of an external identity provider (OpenID Connect Discovery 1.0 §4).
 * @throws ProviderFailure
 */
async function metadataOf(deps: Deps, provider: Provider): Promise<OpenId.ServerMetadata> {
  if (provider.kind === "github") return githubMetadata(provider.issuer);
  const now = deps.clock().getTime();
  const cached = metadataCache().get(provider.issuer);
  if (cached !== undefined && cached.expiresAt > now) return cached.metadata;
  const metadata = await discover(provider);
  if (metadataCache().size >= METADATA_MAX) metadataCache().clear();
  metadataCache().set(provider.issuer, { metadata, expiresAt: now + METADATA_MS });
  return metadata;
}

async function discover({ issuer, clientId }: Provider): Promise<OpenId.ServerMetadata> {
  const client = await openId();
  const configuration = await client
    .discovery(new URL(issuer), clientId, undefined, undefined, {
      execute: insecure(client, issuer),
      [client.customFetch]: boundedFetch,
    })
    .catch((cause: unknown) => {
      throw failureOf(client, cause, "The discovery failed");
    });
  const metadata = configuration.serverMetadata();
  // The check of the issuer is necessary because the client library makes exceptions for some hosts: it
  // accepts metadata of another issuer, and tokens of all tenants.
  if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== new URL(issuer).href)
    throw new ProviderFailure("invalid", "The discovered issuer is not the issuer of the provider");
  if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
    throw new ProviderFailure(
      "invalid",
      "The metadata contains no authorization endpoint or no token endpoint",
    );
  return metadata;
}

const insecure = (client: typeof OpenId, issuer: string) =>
  new URL(issuer).protocol === "http:" ? [client.allowInsecureRequests] : [];

/**
 * Checks that a provider responds, and that the metadata of the provider belongs to its issuer.
 * @returns the problem of the provider; null if the provider works.
 */
export async function reachabilityProblem(provider: Provider): Promise<string | null> {
  if (provider.kind === "github") return null;
  try {
    await discover(provider);
    return null;
  } catch (cause) {
    if (cause instanceof ProviderFailure) return cause.message;
    throw cause;
  }
}

async function configurationOf(deps: Deps, provider: Provider) {
  const client = await openId();
  const metadata = await metadataOf(deps, provider);
  const secret = await clientSecretOf(deps, provider);
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic")
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
  const clockSkew = Math.round((deps.clock().getTime() - Date.now()) / 1000);
  const configuration = new client.Configuration(
    metadata,
    provider.clientId,
    { [client.clockSkew]: clockSkew },
    authentication,
  );
  for (const apply of insecure(client, provider.issuer)) apply(configuration);
  configuration[client.customFetch] = boundedFetch;
  // Without `enableNonRepudiationChecks`, the client library would accept an ID token from the token endpoint
  // without a valid signature.
  client.enableNonRepudiationChecks(configuration);
  return { client, metadata, configuration };
}

/** The secrets of one sign-in with a provider. The response of the provider must match these secrets. */
export type Expected = Readonly<{ state: string; nonce: string; codeVerifier: string }>;

/** Returns the path to which a provider redirects users after they have authenticated. */
export const callbackPath = (name: string): string => `/users/auth/${name}/callback`;

/**
 * Returns the URL of the authorization request (RFC 6749 §4.1.1) with PKCE (RFC 7636), a state and a nonce.
 * @param reauthenticates whether the provider must ask the user to sign in again.
 * @throws ProviderFailure when the provider does not respond, or its authorization endpoint is not an http or
 * https URL.
 */
export async function authorizationUrl(
  deps: Deps,
  provider: Provider,
  { state, nonce, codeVerifier }: Expected,
  reauthenticates: boolean,
): Promise<URL> {
  const { client, metadata, configuration } = await configurationOf(deps, provider);
  const common = {
    redirect_uri: deps.config.issuer + callbackPath(provider.name),
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
  const asksForGroups = provider.groupsClaim !== "" && metadata.scopes_supported?.includes("groups");
  // Google refuses the value `login` of the parameter `prompt`, and the parameter `max_age`.
  const prompt =
    provider.kind === "google" ? { prompt: "select_account" } : { prompt: "login", max_age: "0" };
  const parameters =
    provider.kind === "github"
      ? { scope: "read:user user:email" }
      : {
          scope: `openid email profile${asksForGroups ? " groups" : ""}`,
          nonce,
          ...(reauthenticates && prompt),
        };
  try {
    return client.buildAuthorizationUrl(configuration, { ...common, ...parameters });
  } catch (cause) {
    throw failureOf(client, cause, "The metadata of the provider was refused");
  }
}

/**
 * The identity of a user, and the time of the authentication at the provider, if the provider states the
 * time.
 */
export type Authenticated = Readonly<{ identity: Identity; authenticatedAt: Date | null }>;

/**
 * Exchanges the authorization code of an authorization response for an ID token, and returns the identity of
 * the user. The function verifies the signature, issuer, audience, nonce and lifetime of the ID token (OpenID
 * Connect Core 1.0 §3.1.3.7), and the parameters `iss` (RFC 9207) and `state` of the response.
 * @throws ProviderFailure when a check fails or the provider does not respond.
 */
export async function authenticate(
  deps: Deps,
  provider: Provider,
  response: URLSearchParams,
  { state, nonce, codeVerifier }: Expected,
): Promise<Authenticated> {
  const { client, metadata, configuration } = await configurationOf(deps, provider);
  const url = new URL(callbackPath(provider.name), deps.config.issuer);
  url.search = response.toString();
  try {
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    if (provider.kind === "github") {
      const { access_token } = await client.authorizationCodeGrant(configuration, url, checks);
      const get = (path: string): Promise<Response> =>
        client.fetchProtectedResource(
          configuration,
          access_token,
          new URL(path),
          "GET",
          null,
          GITHUB_HEADERS,
        );
      return { identity: await githubIdentity(provider, get), authenticatedAt: null };
    }
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      ...checks,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims: Claims = tokens.claims() ?? {};
    const subject = typeof claims["sub"] === "string" ? claims["sub"] : "";
    const isComplete =
      "email" in claims &&
      "name" in claims &&
      (provider.groupsClaim === "" || provider.groupsClaim in claims);
    const more =
      isComplete || metadata.userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, subject);
    // The claim `auth_time` is read from the ID token, because only the ID token is signed and contains the
    // nonce of this request.
    return readIdentity(provider, { ...mergedClaims(claims, more), auth_time: claims["auth_time"] });
  } catch (cause) {
    throw failureOf(client, cause, "The response of the provider was refused");
  }
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Merges the claims of an ID token and of a UserInfo response. The claim `email_verified` is taken from the
 * source that contains the e-mail address.
 */
function mergedClaims(ofToken: Claims, ofUserInfo: Claims): Claims {
  const { email_verified: verified, ...rest } = ofToken;
  if (!("email" in ofToken)) return { ...ofUserInfo, ...rest };
  const isSameEmail = ofUserInfo["email"] === ofToken["email"];
  const email_verified = verified ?? (isSameEmail ? ofUserInfo["email_verified"] : undefined);
  return { ...ofUserInfo, ...rest, email_verified };
}

const GITHUB_HEADERS = new Headers({ accept: "application/vnd.github+json", "user-agent": "Gatehouse" });

/**
 * Describes an error of the client library. The description contains neither tokens nor authorization codes
 * from the causes of the error.
 */
function failureOf(client: typeof OpenId, cause: unknown, what: string): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause;
  if (cause instanceof client.AuthorizationResponseError)
    return new ProviderFailure(
      cause.error === "access_denied" ? "denied" : "invalid",
      `The provider returned the error ${shortened(cause.error)}`,
    );
  if (cause instanceof client.ResponseBodyError)
    return new ProviderFailure(
      "invalid",
      `The provider refused the authorization code: ${shortened(cause.error)}`,
    );
  return new ProviderFailure(
    isUnavailable(cause) ? "unavailable" : "invalid",
    `${what}: ${detailsOf(cause).join(", ")}`,
  );
}

/** Returns whether an error was caused by a server that does not respond or is too slow. */
const isUnavailable = (cause: unknown, depth = 0): boolean => {
  if (!(cause instanceof Error) || depth > CAUSES_MAX) return false;
  if (cause instanceof OutboundRequestError) return isTemporaryFailure(cause.failure);
  return isUnavailable(cause.cause, depth + 1);
};

const nameOf = (cause: unknown): unknown => (cause as Readonly<{ name?: unknown }> | null)?.name;

/** The maximum number of nested error causes that a message describes. */
const CAUSES_MAX = 3;

/**
 * Returns the messages of an error and its causes. The messages contain the names of claims, but not the
 * values of claims.
 */
function detailsOf(cause: unknown, depth = 0): readonly string[] {
  if (typeof cause !== "object" || cause === null || depth > CAUSES_MAX) return [];
  if (nameOf(cause) === "ZodError") return ["a claim has an invalid value"];
  const { message, claim, cause: inner } = cause as Readonly<Record<"message" | "claim" | "cause", unknown>>;
  const texts = [message, claim].filter((text) => typeof text === "string" && text !== "").map(shortened);
  return [...new Set([...texts, ...detailsOf(inner, depth + 1)])];
}

const shortened = (text: unknown): string =>
  String(text)
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, 200);
