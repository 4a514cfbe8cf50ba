import { decodeSegment } from "./request-path.ts";

/** Our own tokens (see `TOKEN_PREFIXES`) and signed JSON tokens, wherever they stand in a text. */
const TOKEN_LIKE = /gh[a-z]{2}_[\w-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]*)*/g;

const REDACTED = "[redacted]";
const PATH_LENGTH_MAX = 1024;

/** `text` with everything in it that looks like a token made unreadable. */
const withoutTokens = (text: string): string => text.replace(TOKEN_LIKE, REDACTED);

/** A path as the log may keep it: a segment that hides a token, escaped or not, is left out whole. */
export function loggablePath(path: string): string {
  const segments = path.split("/").map((segment) => {
    const decoded = decodeSegment(segment) ?? segment;
    return withoutTokens(decoded) === decoded ? segment : REDACTED;
  });
  return segments.join("/").slice(0, PATH_LENGTH_MAX);
}

/**
 * What the log may keep of an unexpected error: its kind, where it happened, and the last line of its message.
 * The lines before it are where a database library repeats the values of the query.
 */
export function loggableError(cause: unknown): Readonly<Record<string, unknown>> {
  if (!(cause instanceof Error)) return { error: typeof cause };
  const lastLine = cause.message.trimEnd().split("\n").at(-1) ?? "";
  const frames = (cause.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: cause.name,
    reason: withoutTokens(lastLine).slice(0, 300),
    at: frames.slice(0, 10).map((line) => line.trim()),
  };
}
