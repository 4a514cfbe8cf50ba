import { sessionOf } from "@/identity/sessions/service";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { Malformed, queryOf } from "@/kernel/http/parameters";
import { ConsentCard } from "@/oauth/authorizations/components/consent-card";
import { readConsent } from "@/oauth/authorizations/consent";
import { resolveAuthorizationRequest } from "@/oauth/authorizations/pushed-request";
import type { AuthorizationRequest } from "@/oauth/authorizations/rules";
import { staticPage } from "@/ui/static-page";
import { seeOther } from "./authorization-response";
import { forBrowser } from "./browser-form";

/**
 * `GET /oauth/consent`: shows the consent page for the authorization request in the query. If the request
 * needs no consent, the endpoint redirects to `/oauth/authorize` with the same query. The consent form of the
 * page is posted to `/oauth/authorize`.
 */
export async function showConsent(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const query = queryOf(request.url);
    const authorizationRequest = await authorizationRequestOrNull(deps, query);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    const consent =
      authorizationRequest === null ? null : await readConsent(deps, authorizationRequest, session);
    if (authorizationRequest === null || consent === null)
      return seeOther(`${deps.config.issuer}/oauth/authorize?${query}`);
    return staticPage(200, "Allow access", <ConsentCard {...consent} />, { formLeaves: true });
  });
}

async function authorizationRequestOrNull(deps: Deps, query: string): Promise<AuthorizationRequest | null> {
  try {
    return await resolveAuthorizationRequest(deps, query);
  } catch (cause) {
    if (cause instanceof Malformed) return null;
    throw cause;
  }
}
