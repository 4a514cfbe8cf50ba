/** Matches paths that may contain an escape, a backslash, a control character or a dotted segment. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
const SUSPICIOUS = /[%\\#\x00-\x20\x7f]|\/\./;

/**
 * The absolute form of a request target (RFC 9112 §3.2.2). An authority with credentials does not match,
 * because RFC 9110 §4.2.4 forbids credentials.
 */
const ABSOLUTE_FORM = /^https?:\/\/([\w.\-:[\]]+)(?=[/?]|$)/i;

export type RequestTarget = Readonly<{
  /**
   * The request target in origin form, `/path?query`, in which consecutive slashes of the path are reduced to
   * one slash.
   */
  target: string;
  /**
   * The authority of a request target in absolute form, which replaces the header `Host`. The value is null
   * for a request target in another form.
   */
  host: string | null;
}>;

/**
 * Parses a request target in origin form or absolute form. For a request target in another form, the result
 * is the unchanged request target.
 */
export function readTarget(sent: string): RequestTarget {
  if (sent.startsWith("/")) return { target: squeezeSlashes(sent), host: null };
  const [prefix = "", host] = ABSOLUTE_FORM.exec(sent) ?? [];
  if (host === undefined) return { target: sent, host: null };
  const rest = sent.slice(prefix.length);
  return { target: squeezeSlashes(rest.startsWith("/") ? rest : `/${rest}`), host };
}

function squeezeSlashes(target: string): string {
  const path = pathOf(target);
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") + target.slice(path.length) : target;
}

/** Returns the path of a request target without its query, without decoding. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/**
 * Returns whether every program interprets a path in the same way. A proxy and a router can interpret dotted
 * segments, backslashes or invalid escapes differently, so the server refuses a path with any of these parts.
 */
export function pathIsPlain(path: string): boolean {
  if (!path.startsWith("/")) return false;
  if (!SUSPICIOUS.test(path)) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
  if (/[\\#\x00-\x20\x7f]/.test(path)) return false;
  return path.split("/").every((segment) => {
    const decoded = decodeSegment(segment);
    return decoded !== null && decoded !== "." && decoded !== ".." && !decoded.includes("\0");
  });
}

/** Decodes a path segment; returns null for an invalid escape. */
export function decodeSegment(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
