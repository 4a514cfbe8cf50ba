import type { ReturnClient } from "@/identity/sign-in/return-client";
import type { Deps } from "@/kernel/deps/deps";
import { Malformed } from "@/kernel/http/parameters";
import { redirectUriMatches } from "../applications/redirect-uri";
import { isBlocked } from "../applications/rules";
import { findClient } from "../client-documents/service";
import { resolveAuthorizationRequest } from "./pushed-request";

const AUTHORIZE = "/oauth/authorize?";

/**
 * Returns the application of the authorization request in a return path; null for every other path. The
 * result is also null if `/oauth/authorize` would refuse the application or the redirect URI of the request.
 * Without the check of the redirect URI, the sign-in page could name an application to which
 * `/oauth/authorize` would not redirect the browser.
 */
export async function returnClient(deps: Deps, returnTo: string): Promise<ReturnClient | null> {
  const request = returnTo.startsWith(AUTHORIZE)
    ? await requestIn(deps, returnTo.slice(AUTHORIZE.length))
    : null;
  const uid = request?.parameters.get("client_id");
  const redirectUri = request?.parameters.get("redirect_uri");
  if (uid === undefined || redirectUri === undefined) return null;
  const lookup = await findClient(deps, uid, null);
  if ("refused" in lookup || isBlocked(lookup.application)) return null;
  const { application } = lookup;
  const { name, logo, redirectUris } = application;
  return redirectUriMatches(redirectUris, redirectUri) ? { name, logo } : null;
}

async function requestIn(deps: Deps, query: string) {
  try {
    return await resolveAuthorizationRequest(deps, query);
  } catch (cause) {
    if (cause instanceof Malformed) return null;
    throw cause;
  }
}
