import { enrolmentPath } from "@/identity/sessions/enrolment";
import { isRecentProof } from "@/identity/sessions/rules";
import {
  enrolsFirst,
  type Session,
  sessionCsrfToken,
  sessionCsrfTokenMatches,
  sessionOf,
} from "@/identity/sessions/service";
import { confirmPath } from "@/identity/sessions/sign-in-path";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { parseParameters } from "@/kernel/http/parameters";
import { formOrigin } from "@/kernel/http/same-origin";
import { redirectUriProblem } from "@/oauth/applications/redirect-uri";
import { type Application, REDIRECT_URIS_MAX } from "@/oauth/applications/rules";
import { addRedirectUri, allowsPlainHttp, findByUid } from "@/oauth/applications/service";
import { queryFrom, readAuthorizationRequest } from "@/oauth/authorizations/authorization-request";
import type { AuthorizationRequest } from "@/oauth/authorizations/rules";
import { seeOther } from "./authorization-response";
import { type Mismatch, problemPage } from "./authorize-pages";
import { forBrowser, formText } from "./browser-form";

/** Binds the form to the application and to the address that was shown. */
const purposeOf = (application: Application, uri: string): string =>
  `add_redirect_uri ${application.id} ${uri}`;

/** What the owner of an application is shown when a request names an unregistered redirect URI; null for others. */
export function mismatchOf(
  deps: Deps,
  ask: AuthorizationRequest,
  session: Session | null,
  application: Application | null,
): Mismatch | null {
  const asked = ask.parameters.get("redirect_uri");
  if (asked === undefined || application === null || session === null) return null;
  if (application.owner.id !== session.user.id) return null;
  const full = application.redirectUris.length >= REDIRECT_URIS_MAX;
  return {
    application,
    asked,
    addable: !full && redirectUriProblem(asked, allowsPlainHttp(deps)) === null,
    parameters: [...ask.parameters],
    csrfToken: sessionCsrfToken(deps, session, purposeOf(application, asked)),
  };
}

/**
 * `POST /oauth/authorize/redirect_uri`: the owner of an application registers the redirect URI that a request named,
 * and the request goes on. Origin, session, form token and a recent proof are checked, and the rule of the registration
 * form.
 */
export async function postRedirectUri(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const text = await formText(request);
    const ask = readAuthorizationRequest(text);
    const again = `${deps.config.issuer}/oauth/authorize?${queryFrom(ask)}`;
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (formOrigin(request.headers, deps.config.issuer) === "other")
      return problemPage("forged", { status: 403 });
    const application = await findByUid(deps, ask.parameters.get("client_id") ?? "");
    const uri = ask.parameters.get("redirect_uri");
    if (session === null || application === null || uri === undefined) return seeOther(again);
    const token = parseParameters(text).values.get("form_token") ?? "";
    if (!sessionCsrfTokenMatches(deps, session, purposeOf(application, uri), token))
      return problemPage("forged", { status: 403, tryAgainAt: again });
    if (await enrolsFirst(deps, session))
      return seeOther(deps.config.issuer + enrolmentPath(again.slice(deps.config.issuer.length)));
    if (!isRecentProof(session.signedInAt, deps.clock())) {
      const returnTo = again.slice(deps.config.issuer.length);
      return seeOther(deps.config.issuer + confirmPath({ returnTo }));
    }
    await addRedirectUri(deps, session.user, application.id, uri);
    return seeOther(again);
  });
}
