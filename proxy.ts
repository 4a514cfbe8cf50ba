import { type NextRequest, NextResponse } from "next/server";
import { processConfig } from "@/kernel/config/config.ts";
import { contentSecurityPolicy } from "@/kernel/http/content-security-policy.ts";
import { cookieAttributes, cookieName, FLASH_HEADER } from "@/kernel/http/cookie.ts";

/**
 * Sets the content security policy of each page, with a nonce per response, and passes the flash message to
 * the page. The matcher must not include paths to which programs send POST requests, because Next silently
 * truncates the bodies of requests that the proxy handles.
 */
export function proxy(request: NextRequest): NextResponse {
  const config = processConfig();
  const flash =
    request.method === "GET" ? request.cookies.get(cookieName(config, "flash"))?.value : undefined;
  // After a server action with a redirect, Next itself fetches the next page, with the `Origin` header of the
  // form. The response to a request that Next itself sends cannot delete the cookie of the flash message. The
  // response status 204 therefore causes the browser itself to load the next page.
  if (flash && request.headers.has("origin")) return new NextResponse(null, { status: 204 });
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const development = process.env["NODE_ENV"] === "development";
  const policy = contentSecurityPolicy({ nonce, development });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.delete(FLASH_HEADER);
  if (flash) headers.set(FLASH_HEADER, encodeURIComponent(flash));
  const response = NextResponse.next({ request: { headers } });
  if (flash)
    response.cookies.set(cookieName(config, "flash"), "", { ...cookieAttributes(config), maxAge: 0 });
  response.headers.set("content-security-policy", policy);
  response.headers.set("cache-control", "no-store");
  return response;
}

export const config = {
  matcher: [
    {
      source:
        "/((?!(?:-|admin/audit_events/export|user_settings/export|api|git|jwt|_next|\\.well-known|users/(?:session|theme|recovery_codes|sign_in|sign_up|two_factor|confirm|confirmation|invitation|keep_account|password|auth|link_account)|oauth/(?:token|par|register|authorize|consent|authorize_device|revoke|introspect|userinfo|discovery|end_session|device))(?:/|$)|.*\\.git(?:/|$)|projects/[^/]+/raw/?$|uploads/-/system/user/avatar/[^/]+/[^/]+/?$|gatehouse\\.css$|favicon\\.ico$).*)",
      // The proxy does not run for pages whose content security policy the server has already set. The server
      // sets the policy of most pages in `src/server/page-response.ts`, which is faster than running the
      // proxy.
      missing: [{ type: "header", key: "content-security-policy" }],
    },
  ],
};
