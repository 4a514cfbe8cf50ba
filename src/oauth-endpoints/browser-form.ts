import { isUnavailable, RETRY_AFTER_SECONDS } from "@/kernel/db/errors";
import { systemDeps } from "@/kernel/deps/deps";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import { cookieValue } from "@/kernel/http/cookie";
import { Malformed } from "@/kernel/http/parameters";
import { requestIdOf } from "@/kernel/http/request-id";
import { themeAttribute } from "@/kernel/http/theme";
import { inTheme } from "@/ui/static-page";
import { problemPage } from "./authorize-pages";

const BYTES_MAX = 65_536;

/**
 * Returns the body of a form that a browser posted.
 * @throws Malformed for another content type or invalid UTF-8.
 */
export async function formText(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new Malformed("content_type");
  const body = await readBody(request, BYTES_MAX);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new Malformed("body_encoding");
  }
}

/**
 * Calls a handler of browser requests. Pages use the theme of the browser. Malformed requests, an unavailable
 * database and unexpected errors become error pages.
 */
export function forBrowser(request: Request, run: () => Promise<Response>): Promise<Response> {
  const theme = themeAttribute(cookieValue(systemDeps().config, request.headers.get("cookie"), "theme"));
  return inTheme(theme, () => refusingMalformed(request, run));
}

async function refusingMalformed(request: Request, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof BodyTooLarge) return problemPage("malformed", { status: 413 });
    if (cause instanceof Malformed) return problemPage("malformed");
    const requestId = requestIdOf(request);
    systemDeps().log.error({ event: "oauth.failed", request_id: requestId }, cause);
    if (!isUnavailable(cause)) return problemPage("failed", { status: 500, requestId });
    const page = await problemPage("unavailable", { status: 503, requestId });
    page.headers.set("retry-after", String(RETRY_AFTER_SECONDS));
    return page;
  }
}
