import { isServerUrl } from "./server-url";

/**
 * The settings that determine how the server notifies an application of the end of a session (OpenID Connect
 * Back-Channel Logout §2.2).
 */
export type BackchannelLogout = Readonly<{
  /** The URL that receives logout tokens; null for an application that receives no logout tokens. */
  uri: string | null;
  /**
   * Whether the application requires a session id in each logout token. Every logout token contains a session
   * id.
   */
  sessionRequired: boolean;
}>;

export const NO_BACKCHANNEL_LOGOUT: BackchannelLogout = { uri: null, sessionRequired: false };

/**
 * Validates the URL for logout tokens.
 * @param plainHttp whether http URLs of loopback addresses are allowed.
 * @returns the validated values, or the error messages of the invalid values.
 */
export function validateBackchannelLogout(
  { uri, sessionRequired }: BackchannelLogout,
  plainHttp: boolean,
): BackchannelLogout | { readonly problems: readonly string[] } {
  const text = uri?.trim() ?? "";
  if (text === "") return NO_BACKCHANNEL_LOGOUT;
  return isServerUrl(text, plainHttp)
    ? { uri: text, sessionRequired }
    : { problems: ["Enter an https URL without a username or a fragment."] };
}

/**
 * Returns the URL for logout tokens from the metadata of a client without an owner; null for metadata without
 * the URL. The URL must have the origin of one of the client's redirect URIs. Without the check of the
 * origin, the client could make this server send requests to the site of another party.
 */
export function statedBackchannelLogout(
  { uri, sessionRequired }: BackchannelLogout,
  redirectUris: readonly string[],
  plainHttp: boolean,
): BackchannelLogout | null {
  if (uri === null) return NO_BACKCHANNEL_LOGOUT;
  const isOwn = redirectUris.some((own) => URL.canParse(own) && new URL(own).origin === originOf(uri));
  return isOwn && isServerUrl(uri, plainHttp) ? { uri, sessionRequired } : null;
}

const originOf = (uri: string): string | null => (URL.canParse(uri) ? new URL(uri).origin : null);
