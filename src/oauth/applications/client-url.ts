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
 * @param plainHttp whether http is allowed on loopback hosts, for development.
 * @returns null for a URL that cannot identify a client.
 */
export function readClientUrl(uid: string, plainHttp: boolean): URL | null {
  if (uid.length > CHARACTERS_MAX || !isClientUrl(uid) || !URL.canParse(uid)) return null;
  const url = new URL(uid);
  const isSecure = url.protocol === "https:" || (plainHttp && LOOPBACK_HOST.test(url.hostname));
  const isPlain = url.username === "" && url.password === "" && !/[?#]/.test(uid);
  // A URL that is not in canonical form, for example a URL with dot segments, would be a second name for the
  // same client.
  return isSecure && isPlain && url.pathname !== "/" && url.href === uid ? url : null;
}

/** Returns whether an unregistered client may identify itself by this `client_id`. */
export const admitsClientUrl = (
  uid: string,
  settings: Pick<Settings, "client_id_metadata_documents">,
  plainHttp: boolean,
): boolean => settings.client_id_metadata_documents !== "off" && readClientUrl(uid, plainHttp) !== null;
