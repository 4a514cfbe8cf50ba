export type Basic = Readonly<{ username: string; password: string }>;

/**
 * Returns the credentials of an `Authorization` header with HTTP Basic (RFC 7617).
 * @returns null when the header does not contain HTTP Basic credentials in UTF-8.
 */
export function basicOf(header: string): Basic | null {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const at = text.indexOf(":");
  return at === -1 || text.includes("\0")
    ? null
    : { username: text.slice(0, at), password: text.slice(at + 1) };
}
