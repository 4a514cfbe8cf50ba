/** What needs a closer look: an escape, a backslash, a control character, an empty or a dotted segment. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SUSPICIOUS = /[%\\#\x00-\x20\x7f]|\/\/|\/\./;

/** The path of a request target, as it was sent: without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/**
 * Whether a path means the same to everything that will read it. One with empty or dotted segments, backslashes
 * or broken escapes means one thing to a proxy and another to a router, so it is refused before anything else.
 */
export function pathIsPlain(path: string): boolean {
  if (!path.startsWith("/")) return false;
  if (!SUSPICIOUS.test(path)) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\\#\x00-\x20\x7f]|\/\//.test(path)) return false;
  return path.split("/").every((segment) => {
    const decoded = decodeSegment(segment);
    return decoded !== null && decoded !== "." && decoded !== ".." && !decoded.includes("\0");
  });
}

/** A path segment without its escapes; null when an escape is broken. */
export function decodeSegment(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
