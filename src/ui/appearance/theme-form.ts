import { systemDeps } from "@/kernel/deps/deps";
import { setCookie } from "@/kernel/http/cookie";
import { readFields, refused, seeOther } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { isTheme } from "@/kernel/http/theme";

const YEAR_SECONDS = 365 * 86_400;

/** `POST /users/theme`: stores the chosen theme in this browser, and redirects to the previous page. */
export async function postTheme(request: Request): Promise<Response> {
  const deps = systemDeps();
  if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
  const theme = (await readFields(request))?.get("theme");
  if (!isTheme(theme)) return refused();
  const cookie = setCookie(deps.config, "theme", theme, YEAR_SECONDS);
  return seeOther(deps, pathBefore(request, deps.config.issuer), [cookie]);
}

/**
 * Returns the path of the page that contained the form. The result is `/` if the browser does not send the
 * URL of the page, or if the page is on another site.
 */
function pathBefore(request: Request, issuer: string): string {
  const referrer = request.headers.get("referer");
  return referrer?.startsWith(`${issuer}/`) ? referrer.slice(issuer.length) : "/";
}
