import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";

/** A resource server that an authorization request names and the consent page shows. */
export type NamedResourceServer = Readonly<{ name: string; uri: string }>;

export const IDENTIFIERS_MAX = 10;
const URI_CHARACTERS_MAX = 512;

/**
 * Validates the identifiers of a resource server, which are absolute URIs without a fragment (RFC 8707 §2).
 * The URIs of this instance are refused, because the URIs of this instance identify its API.
 * @param text one URI per line.
 */
export function validateIdentifiers(
  text: string,
  issuer: string,
): { readonly uris: readonly string[] } | { readonly problem: string } {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const uris = [...new Set(lines.filter((line) => line !== ""))];
  if (uris.length > IDENTIFIERS_MAX) return { problem: `Enter at most ${IDENTIFIERS_MAX} identifiers.` };
  const wrong = uris.find((uri) => !isIdentifier(uri, issuer));
  return wrong === undefined
    ? { uris }
    : {
        problem: `${wrong.slice(0, 100)} is not an absolute https URI or URN, or it belongs to this server.`,
      };
}

function isIdentifier(uri: string, issuer: string): boolean {
  if (uri.length > URI_CHARACTERS_MAX || !/^[\x21-\x7e]+$/.test(uri) || hasHiddenCharacters(uri))
    return false;
  if (uri.includes("#") || !URL.canParse(uri)) return false;
  const { protocol, username, password, origin } = new URL(uri);
  if (protocol === "urn:") return true;
  return protocol === "https:" && username === "" && password === "" && origin !== new URL(issuer).origin;
}
