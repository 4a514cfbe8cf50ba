import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "@/kernel/http/content-security-policy.ts";

/**
 * Gives each page its policy with a nonce of its own. It must not match an address that machines post to: Next
 * cuts off, silently, the bodies of requests that come through here. It never rewrites and knows no database.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const development = process.env["NODE_ENV"] === "development";
  const policy = contentSecurityPolicy({ url: new URL(request.url), nonce, development });
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
    "/((?!(?:-|admin/audit_events/export|api|git|jwt|_next|\\.well-known|users/(?:session|theme|recovery_codes)|oauth/(?:token|authorize|consent|authorize_device|revoke|introspect|userinfo|discovery|end_session|device))(?:/|$)|.*\\.git(?:/|$)|gatehouse\\.css$|favicon\\.ico$).*)",
  ],
};
