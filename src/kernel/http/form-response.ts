import type { Config } from "../config/config";
import { RETRY_AFTER_SECONDS } from "../db/errors";
import { BodyTooLarge, readBody } from "./body";
import { clientIpOf } from "./ip-address";
import { Malformed, parseParameters } from "./parameters";
import { plainText } from "./plain-text";

const BYTES_MAX = 65_536;

/** The fields of a posted form. */
export type Fields = ReadonlyMap<string, string>;

/**
 * Parses a posted form. The result is null for a body that is too large, has another encoding, or contains
 * invalid text.
 */
export async function readFields(request: Request): Promise<Fields | null> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return null;
  try {
    return parseParameters(Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8")).values;
  } catch (cause) {
    if (cause instanceof BodyTooLarge || cause instanceof Malformed) return null;
    throw cause;
  }
}

/**
 * The IP address and the `User-Agent` header of a request, which pages show so that users can recognize the
 * request.
 */
export type Browser = Readonly<{ ipAddress: string; userAgent: string | null }>;

export const browserOf = (request: Request): Browser => ({
  ipAddress: clientIpOf(request),
  userAgent: request.headers.get("user-agent"),
});

/** Returns a 303 redirect to a path of this site. */
export function seeOther(
  { config }: Readonly<{ config: Config }>,
  path: string,
  cookies: readonly string[] = [],
): Response {
  const headers = new Headers({ location: config.issuer + path, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

export const unavailable = (): Response =>
  plainText(503, "The service is not available. Nothing was changed. Try again in a moment.", {
    "retry-after": String(RETRY_AFTER_SECONDS),
  });

export const refused = (): Response =>
  plainText(403, "This form did not come from a page of this site. Go back, reload the page and try again.");

export const failed = (): Response =>
  plainText(500, "An unexpected error occurred on the server and was logged. Try again in a moment.");
