import { ALL_SCOPES, isScope, parseScope, type Scope } from "@/access/scopes";
import {
  type BackchannelLogout,
  NO_BACKCHANNEL_LOGOUT,
  statedBackchannelLogout,
} from "../applications/backchannel-logout";
import {
  type ClientAuthentication,
  SECRET_AUTHENTICATION,
  validateAuthentication,
} from "../applications/client-authentication";
import { isLoopback, redirectUriProblem } from "../applications/redirect-uri";
import { REDIRECT_URIS_MAX } from "../applications/redirect-uris";
import { stateableName } from "../applications/rules";
import type { ClientDocument } from "./schema";

/** The limits on the request for a metadata document. */
export const FETCH_LIMITS = { bytesMax: 5 * 1024, deadlineMs: 3_000, redirectsMax: 1 } as const;

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
const FRESH_SECONDS_MIN = 5 * MINUTE_SECONDS;
const FRESH_SECONDS_MAX = DAY_SECONDS;

/** The client that a metadata document describes. */
export type DocumentClient = Readonly<{
  /** The name in the metadata document; null if the metadata document contains no usable name. */
  clientName: string | null;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  backchannelLogout: BackchannelLogout;
  /** The public keys of a client that authenticates with `private_key_jwt`. */
  authentication: ClientAuthentication;
}>;

/**
 * The reason why a metadata document is refused. The text of the reason completes a sentence that begins with
 * "The document".
 */
export type DocumentProblem = string;

/**
 * Returns the client that a metadata document describes, or the reason why the document is refused. The
 * result contains neither redirect URIs with custom schemes nor web redirect URIs whose origin differs from
 * the origin of the document, because the server cannot verify that these redirect URIs belong to the client.
 * The result does not contain unknown scopes.
 * @param url the `client_id`, which is the URL of the metadata document.
 * @param instance.plainHttp whether http URLs of loopback addresses are allowed for the keys.
 */
export function validateDocument(
  document: ClientDocument,
  url: URL,
  instance: Readonly<{ instanceNames: readonly string[]; plainHttp: boolean }>,
): { readonly client: DocumentClient } | { readonly problem: DocumentProblem } {
  if (document.client_id !== url.href) return { problem: "contains a client_id that differs from its URL" };
  if (document.hasSecret) return { problem: "contains a client secret, which would be public" };
  const authentication = authenticationOf(document, instance.plainHttp);
  if ("problem" in authentication) return authentication;
  const redirectUris = [...new Set(document.redirect_uris)].filter((uri) => isOwnRedirectUri(uri, url));
  if (redirectUris.length === 0)
    return { problem: "contains no redirect URI on its own origin or on a loopback address" };
  if (redirectUris.length > REDIRECT_URIS_MAX)
    return { problem: `contains more than ${REDIRECT_URIS_MAX} redirect URIs` };
  const scopes = declaredScopes(document.scope);
  if (scopes.length === 0) return { problem: "contains no scope of this server" };
  const clientName = stateableName(document.client_name, instance.instanceNames);
  const logout = {
    uri: document.backchannel_logout_uri ?? null,
    sessionRequired: document.backchannel_logout_session_required ?? false,
  };
  const backchannelLogout =
    statedBackchannelLogout(logout, [url.href], url.protocol === "http:") ?? NO_BACKCHANNEL_LOGOUT;
  return { client: { clientName, redirectUris, scopes, backchannelLogout, authentication } };
}

/**
 * Returns the client authentication that a metadata document declares. A metadata document can contain public
 * keys, but no secret.
 */
function authenticationOf(
  { token_endpoint_auth_method: method = "none", jwks, jwks_uri: jwksUri = "" }: ClientDocument,
  plainHttp: boolean,
): ClientAuthentication | { readonly problem: DocumentProblem } {
  if (method === "none") return SECRET_AUTHENTICATION;
  if (method !== "private_key_jwt")
    return { problem: "requests a token_endpoint_auth_method other than none and private_key_jwt" };
  const draft = { method, jwks: jwks === undefined ? "" : JSON.stringify(jwks), jwksUri };
  const validated = validateAuthentication(draft, plainHttp);
  if (!("problems" in validated)) return validated;
  return { problem: `contains no usable keys: ${validated.problems.join(" ")}` };
}

const isOwnRedirectUri = (uri: string, url: URL): boolean =>
  redirectUriProblem(uri, false) === null &&
  (isLoopback(uri) || (URL.canParse(uri) && new URL(uri).origin === url.origin));

/** Returns the known scopes of the member `scope`; all scopes for a document without this member. */
export const declaredScopes = (scope: string | undefined): readonly Scope[] =>
  scope === undefined ? ALL_SCOPES : (parseScope(scope) ?? []).filter(isScope);

/**
 * Returns whether a response has the media type `application/json` or `application/*+json`, which a metadata
 * document must have. Many web sites serve files of their users with other media types.
 */
export const isJson = (headers: Headers): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers.get("content-type") ?? "");

/**
 * Returns the number of seconds for which a metadata document is used without another request. The number of
 * seconds is the lifetime of the response minus the `Age` of the response (RFC 9111 §4.2), but at least 5
 * minutes and at most a day.
 * @param receivedAt the time at which the server received the response.
 */
export function freshSeconds(headers: Headers, receivedAt: Date): number {
  const directives = (headers.get("cache-control") ?? "").toLowerCase();
  const age = secondsIn(headers.get("age")) ?? 0;
  // The copy is shared by all users, so `private` forbids the copy (RFC 9111 §5.2.2.7).
  const isStored = !/(?:^|[\s,])(?:no-store|no-cache|private)(?![\w-])/.test(directives);
  const seconds = isStored ? lifetimeSeconds(directives, headers, receivedAt) - age : 0;
  return Math.min(Math.max(seconds, FRESH_SECONDS_MIN), FRESH_SECONDS_MAX);
}

/**
 * Returns the lifetime that a response states for shared caches: `s-maxage`, otherwise `max-age`, otherwise
 * `Expires` minus `Date` (RFC 9111 §4.2.1). The lifetime is 0 if the response states no valid lifetime.
 */
function lifetimeSeconds(directives: string, headers: Headers, receivedAt: Date): number {
  const stated = directiveSeconds(directives, "s-maxage") ?? directiveSeconds(directives, "max-age");
  if (stated !== null) return stated;
  const expires = Date.parse(headers.get("expires") ?? "");
  const date = Date.parse(headers.get("date") ?? "");
  // The value "0" of `Expires` is not a date, and means a response that has already expired (RFC 9111 §5.3).
  return Number.isNaN(expires) || /^\s*-?\d+\s*$/.test(headers.get("expires") ?? "")
    ? 0
    : Math.floor((expires - (Number.isNaN(date) ? receivedAt.getTime() : date)) / 1000);
}

/**
 * Returns the seconds in a directive of `Cache-Control`; null if the directive is absent. A directive without a
 * valid number means 0 seconds (RFC 9111 §4.2.1).
 */
function directiveSeconds(directives: string, name: string): number | null {
  const value = new RegExp(`(?:^|[\\s,])${name}\\s*(?:=\\s*"?([^\\s,"]*)|(?=[\\s,]|$))`).exec(directives);
  return value === null ? null : (secondsIn(value[1] ?? "") ?? 0);
}

const secondsIn = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null;

/**
 * The state of a stored metadata document: `fresh` documents are used without a new request, `stale`
 * documents only while the server of the metadata document does not respond, and `outdated` documents never.
 */
export type DocumentState = "fresh" | "stale" | "outdated";

/**
 * Returns the state of a stored metadata document. While the server of a metadata document does not respond,
 * the stored document is used for a day.
 */
export function documentState(
  stored: Readonly<{ fetchedAt: Date; freshUntil: Date }>,
  now: Date,
): DocumentState {
  if (now < stored.freshUntil) return "fresh";
  return now.getTime() - stored.fetchedAt.getTime() < FRESH_SECONDS_MAX * 1000 ? "stale" : "outdated";
}
