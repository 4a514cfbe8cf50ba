/**
 * Where to go after sign-in: a path of this site, else the fallback. Refuses other origins in every spelling that
 * a browser would follow there (`//host`, `/\\host`, `https:host`), and what a URL cannot hold unescaped.
 */
export function safeReturnPath(given: string | null | undefined, fallback: string): string {
  if (!given || given.length > 16_384 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given)) return fallback;
  return new URL(given, "http://gatehouse.invalid").host === "gatehouse.invalid" ? given : fallback;
}
