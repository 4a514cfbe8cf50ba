import { isRecentlyAuthenticated } from "@/identity/sessions/rules";
import {
  enrollsFirst,
  type Session,
  sessionCsrfToken,
  sessionCsrfTokenMatches,
  sessionOf,
} from "@/identity/sessions/service";
import { confirmPath } from "@/identity/sessions/sign-in-path";
import { enrollmentPath } from "@/identity/sessions/two-factor-enrollment";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { parseParameters } from "@/kernel/http/parameters";
import { formOrigin } from "@/kernel/http/same-origin";
import { findManaged } from "@/oauth/applications/management";
import { redirectUriProblem } from "@/oauth/applications/redirect-uri";
import { REDIRECT_URIS_MAX } from "@/oauth/applications/redirect-uris";
import type { Application } from "@/oauth/applications/rules";
import { addRedirectUri, allowsPlainHttp, findByUid } from "@/oauth/applications/service";
import { queryFrom, readAuthorizationRequest } from "@/oauth/authorizations/authorization-request";
import type { AuthorizationRequest } from "@/oauth/authorizations/rules";
import { seeOther } from "./authorization-response";
import { type Mismatch, problemPage } from "./authorize-pages";
import { forBrowser, formText } from "./browser-form";

/**
 * Returns the purpose of the CSRF token, which binds the token to the application and to the redirect URI in
 * the form.
 */
const purposeOf = (application: Application, uri: string): string =>
  `add_redirect_uri ${application.id} ${uri}`;

/**
 * Returns the unregistered redirect URI of an authorization request and the closest registered URI, which the
 * error page shows to a user who manages the application.
 * @returns null when no user who manages the application is signed in, or when the request has no redirect
 * URI.
 */
export async function mismatchOf(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  session: Session | null,
  application: Application | null,
): Promise<Mismatch | null> {
  const requestedUri = authorizationRequest.parameters.get("redirect_uri");
  if (requestedUri === undefined || application === null || session === null) return null;
  if ((await findManaged(deps, session.user, application.id)) === null) return null;
  const full = application.redirectUris.length >= REDIRECT_URIS_MAX;
  return {
    application,
    requested: requestedUri,
    addable: !full && redirectUriProblem(requestedUri, allowsPlainHttp(deps)) === null,
    parameters: [...authorizationRequest.parameters],
    csrfToken: sessionCsrfToken(deps, session, purposeOf(application, requestedUri)),
  };
}

/**
 * `POST /oauth/authorize/redirect_uri`: registers the redirect URI of an authorization request for its
 * application, and continues the request. Only a user who manages the application can register the URI, and
 * only shortly after authentication. The endpoint checks the origin, the session and the CSRF token. The
 * endpoint also checks the redirect URI by the rules of the registration form.
 */
export async function postRedirectUri(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const text = await formText(request);
    const authorizationRequest = readAuthorizationRequest(text);
    const retryUrl = `${deps.config.issuer}/oauth/authorize?${queryFrom(authorizationRequest)}`;
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (formOrigin(request.headers, deps.config.issuer) === "other")
      return problemPage("forged", { status: 403 });
    const application = await findByUid(deps, authorizationRequest.parameters.get("client_id") ?? "");
    const uri = authorizationRequest.parameters.get("redirect_uri");
    if (session === null || application === null || uri === undefined) return seeOther(retryUrl);
    const token = parseParameters(text).values.get("form_token") ?? "";
    if (!sessionCsrfTokenMatches(deps, session, purposeOf(application, uri), token))
      return problemPage("forged", { status: 403, tryAgainAt: retryUrl });
    if (await enrollsFirst(deps, session))
      return seeOther(deps.config.issuer + enrollmentPath(retryUrl.slice(deps.config.issuer.length)));
    if (!isRecentlyAuthenticated(session.signedInAt, deps.clock())) {
      const returnTo = retryUrl.slice(deps.config.issuer.length);
      return seeOther(deps.config.issuer + confirmPath({ returnTo }));
    }
    await addRedirectUri(deps, session.user, application.id, uri);
    return seeOther(retryUrl);
  });
}
