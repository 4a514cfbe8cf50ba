const URL_CHARACTERS_MAX = 2_048;

/**
 * Returns whether a URL on the server of an application may be registered. The URL must use https, and must
 * contain neither a username nor a fragment.
 * @param plainHttp whether http URLs of loopback addresses are allowed.
 */
export function isServerUrl(text: string, plainHttp: boolean): boolean {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "" || text.includes("#")) return false;
  return (
    protocol === "https:" ||
    (plainHttp && protocol === "http:" && /^(?:localhost|127\.0\.0\.1)$/.test(hostname))
  );
}
