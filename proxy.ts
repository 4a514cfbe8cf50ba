import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "@/kernel/http/content-security-policy.ts";

/**
 * Sets the content security policy of each page, with a nonce per response. The matcher must not include paths to which
 * programs post: Next silently truncates the bodies of requests that pass through here.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const development = process.env["NODE_ENV"] === "development";
  const policy = contentSecurityPolicy({ nonce, development });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("cache-control", "no-store");
  return response;
}

export const config = {
  matcher: [
    "/((?!(?:-|admin/audit_events/export|api|git|jwt|_next|\\.well-known|projects/[^/]+/raw|users/(?:session|theme|recovery_codes|sign_in|sign_up|two_factor|confirm)|oauth/(?:token|authorize|consent|authorize_device|revoke|introspect|userinfo|discovery|end_session|device))(?:/|$)|.*\\.git(?:/|$)|gatehouse\\.css$|favicon\\.ico$).*)",
  ],
};
