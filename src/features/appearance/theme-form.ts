import { systemDeps } from "@/platform/deps";
import { BodyTooLarge, readBody } from "@/platform/http/body";
import { setCookie } from "@/platform/http/cookie";
import { Malformed, parseParameters } from "@/platform/http/parameters";
import { formOrigin } from "@/platform/http/same-origin";
import { isTheme, THEME_COOKIE } from "@/platform/http/theme";

const YEAR_SECONDS = 365 * 86_400;
const BYTES_MAX = 1024;

/** `POST /users/theme`: keeps the theme that was chosen in this browser, and returns to the page before. */
export async function postTheme(request: Request): Promise<Response> {
  const { config } = systemDeps();
  if (formOrigin(request.headers, config.issuer) === "other") return refused(403);
  const theme = await chosen(request);
  if (!isTheme(theme)) return refused(400);
  const headers = new Headers({ location: config.issuer + pathBefore(request, config.issuer) });
  headers.set("cache-control", "no-store");
  headers.set("set-cookie", setCookie(config, THEME_COOKIE, theme, "/", YEAR_SECONDS));
  return new Response(null, { status: 303, headers });
}

async function chosen(request: Request): Promise<string | undefined> {
  try {
    const text = Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8");
    return parseParameters(text).values.get("theme");
  } catch (cause) {
    if (cause instanceof BodyTooLarge || cause instanceof Malformed) return undefined;
    throw cause;
  }
}

/** The page of ours that the form was on; the start when the browser does not say. */
function pathBefore(request: Request, issuer: string): string {
  const referrer = request.headers.get("referer");
  return referrer?.startsWith(`${issuer}/`) ? referrer.slice(issuer.length) : "/";
}

const refused = (status: number): Response =>
  new Response("This form did not come from a page of this site. Go back, reload the page and try again.\n", {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
