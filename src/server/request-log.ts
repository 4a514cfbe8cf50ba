import { REDACTED, withoutTokens } from "@/kernel/log/log.ts";
import { decodeSegment } from "./request-path.ts";

const PATH_LENGTH_MAX = 1024;

/** Returns a path for the log, without the segments that contain an escaped or unescaped token. */
export function loggablePath(path: string): string {
  if (!path.includes("%") && withoutTokens(path) === path) return path.slice(0, PATH_LENGTH_MAX);
  const segments = path.split("/").map((segment) => {
    const decoded = decodeSegment(segment) ?? segment;
    return withoutTokens(decoded) === decoded ? segment : REDACTED;
  });
  return segments.join("/").slice(0, PATH_LENGTH_MAX);
}
