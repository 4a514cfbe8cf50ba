/**
 * The redirect URI of programs that cannot receive a redirect. If a request contains this redirect URI, the
 * server shows the authorization code on a page instead of redirecting the browser.
 */
export const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

/** The URI schemes that the browser handles itself instead of opening an application. */
const FORBIDDEN_SCHEMES: readonly string[] = [
  "javascript",
  "data",
  "vbscript",
  "file",
  "blob",
  "about",
  "filesystem",
  "view-source",
];

/**
 * Matches a loopback http URI (RFC 8252 §7.3). The capture groups of the regular expression are the host, the
 * port, and the path with the query.
 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?([/?].*)?$/;

/**
 * Returns the reason why a redirect URI cannot be registered; null for a valid redirect URI.
 * @param plainHttp whether http is allowed on hosts other than loopback, for development.
 */
export function redirectUriProblem(uri: string, plainHttp: boolean): string | null {
  if (uri === OUT_OF_BAND) return null;
  if (uri.length > 2048) return "is longer than 2,048 characters";
  if (!/^[\x21-\x7e]+$/.test(uri)) return "contains a space or a character that must be percent-encoded";
  if (/["<>\\^`{|}]/.test(uri)) return "contains a character that must be percent-encoded";
  if (uri.includes("*")) return "contains a wildcard; register each redirect URI separately";
  if (uri.includes("#")) return "contains a fragment (#…), which redirect URIs cannot have";
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === "localhost") return "has no scheme, such as https://";
  if (FORBIDDEN_SCHEMES.includes(scheme)) return `uses the scheme ${scheme}:, which is not allowed`;
  if (scheme === "http" || scheme === "https") return webUriProblem(uri, plainHttp);
  if (!uri.startsWith("/", scheme.length + 1))
    return `needs a slash after ${scheme}:, as in ${scheme}:/callback`;
  return /[[\]]/.test(uri) ? "contains a bracket that must be percent-encoded" : null;
}

function webUriProblem(uri: string, plainHttp: boolean): string | null {
  const authority = /^https?:\/\/([^/?]*)/i.exec(uri)?.[1];
  if (!authority) return "has no host";
  if (authority.includes("@")) return "contains a username, which redirect URIs cannot have";
  if (!URL.canParse(uri)) return "is not a URL";
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const { hostname, href } = new URL(uri);
  if (hostname !== host) return `contains an unusual form of the host name; write ${hostname}`;
  if (/[[\]]/.test(href.slice(href.indexOf("/", 8))))
    return "contains a bracket that must be percent-encoded";
  if (!plainHttp && isPlainHttp(uri))
    return "uses http; this server allows only https, or http on 127.0.0.1, [::1] or localhost";
  return null;
}

/** Returns whether a redirect URI is an http URI of a loopback host (RFC 8252 §7.3). */
export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri);

/** Returns whether a redirect URI would receive an authorization code over the network without encryption. */
export const isPlainHttp = (uri: string): boolean => /^http:/i.test(uri) && !LOOPBACK.test(uri);

/**
 * Returns whether an authorization response that is sent to a redirect URI can reach only the registered web
 * site, or a program on the user's computer. A redirect URI with a private-use scheme can reach any program,
 * because every program can register the scheme on a device (RFC 8252 §8.6).
 */
export const identifiesClient = (uri: string): boolean => /^https:/i.test(uri) || LOOPBACK.test(uri);

/**
 * Returns whether `requested` is one of the registered URIs. The requested URI must be equal to a registered
 * URI as a string (RFC 9700 §2.1). Only the port of an http loopback URI may differ (RFC 8252 §7.3).
 */
export const redirectUriMatches = (registered: readonly string[], requested: string): boolean =>
  registered.some((uri) => uri === requested || sameLoopback(uri, requested));

function sameLoopback(registered: string, requested: string): boolean {
  const registeredParts = LOOPBACK.exec(registered);
  const requestedParts = LOOPBACK.exec(requested);
  if (registeredParts === null || requestedParts === null || Number(requestedParts[2] ?? 80) > 65_535)
    return false;
  return registeredParts[1] === requestedParts[1] && (registeredParts[3] ?? "") === (requestedParts[3] ?? "");
}

/**
 * Returns the target of a redirect URI, as the consent page shows it. The target of a loopback URI has the
 * kind `computer`.
 */
export function redirectTarget(uri: string): {
  readonly kind: "page" | "computer" | "app" | "web";
  name: string;
} {
  if (uri === OUT_OF_BAND) return { kind: "page", name: "" };
  if (LOOPBACK.test(uri)) return { kind: "computer", name: "" };
  if (/^https?:/i.test(uri)) return { kind: "web", name: new URL(uri).host.replace(/^www\./, "") };
  return { kind: "app", name: uri.slice(0, uri.indexOf(":")) };
}

/**
 * Returns a redirect URI with the response parameters in its query (RFC 6749 §4.1.2). The function keeps the
 * query parameters that the redirect URI already contains.
 */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const at = uri.indexOf("?");
  const own = at === -1 ? [] : uri.slice(at + 1).split("&");
  const ownPairs = own.filter((pair) => pair !== "" && !Object.hasOwn(parameters, nameOf(pair)));
  return `${at === -1 ? uri : uri.slice(0, at)}?${[...ownPairs, ...pairsOf(parameters)].join("&")}`;
}

/** Returns a redirect URI with the response parameters in its fragment, which is not sent to servers. */
export const withFragment = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string =>
  `${uri}#${pairsOf(parameters).join("&")}`;

const pairsOf = (parameters: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );

const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? "";
