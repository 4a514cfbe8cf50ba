import type { Settings } from "@/instance/settings/catalog";

/**
 * The maximum length of a `client_id` that is a URL. The length is limited, because the column with the
 * `client_id` has an index.
 */
const CHARACTERS_MAX = 500;

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|\[::1\]|localhost)$/;

/**
 * Returns whether a `client_id` has the form of a URL. Application IDs of registered applications are not
 * URLs.
 */
export const isClientUrl = (uid: string): boolean => /^https?:\/\//.test(uid);

/**
 * Parses a `client_id` that is the URL of a client metadata document
 * (draft-ietf-oauth-client-id-metadata-document, "Client Identifier"). The URL of the metadata document must
 * have a path. The URL must not have a query, because URLs that differ only in the query would identify
 * different clients.
 * The URL must not be on this instance, because users can publish files of projects on this instance.
 * @param baseUrl the URL of this instance. If the scheme is http, http is also allowed on loopback hosts, for
 * development.
 * @returns null for a URL that cannot identify a client.
 */
export function readClientUrl(uid: string, baseUrl: URL): URL | null {
  if (uid.length > CHARACTERS_MAX || !isClientUrl(uid) || !URL.canParse(uid)) return null;
  const url = new URL(uid);
  if (url.origin === baseUrl.origin) return null;
  const isSecure =
    url.protocol === "https:" || (baseUrl.protocol === "http:" && LOOPBACK_HOST.test(url.hostname));
  const isPlain = url.username === "" && url.password === "" && !/[?#]/.test(uid);
  // A URL that is not in canonical form, for example a URL with dot segments, would be a second name for the
  // same client.
  return isSecure && isPlain && url.pathname !== "/" && url.href === uid ? url : null;
}

/** Returns whether an unregistered client may identify itself by this `client_id`. */
export const admitsClientUrl = (
  uid: string,
  settings: Pick<Settings, "client_id_metadata_documents">,
  baseUrl: URL,
): boolean => settings.client_id_metadata_documents !== "off" && readClientUrl(uid, baseUrl) !== null;
