import {
  type Session,
  sessionCsrfToken,
  sessionCsrfTokenMatches,
  sessionOf,
  signOut,
} from "@/identity/sessions/service";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { hasBrackets, Malformed, parseParameters, queryOf } from "@/kernel/http/parameters";
import { formOrigin } from "@/kernel/http/same-origin";
import { OUT_OF_BAND, withParameters } from "@/oauth/applications/redirect-uri";
import type { Application } from "@/oauth/applications/rules";
import * as applications from "@/oauth/applications/service";
import { type IdTokenSubject, readIdToken } from "@/oauth/signing-keys/service";
import { seeOther } from "./authorization-response";
import { problemPage } from "./authorize-pages";
import { forBrowser, formText } from "./browser-form";
import { confirmationPage, signedOutPage } from "./end-session-pages";

/** The parameters of OpenID Connect RP-Initiated Logout §2. Other parameters are ignored. */
const PARAMETERS = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"];

type Parameters = ReadonlyMap<string, string>;

/**
 * `GET /oauth/end_session`: signs the user out if the request contains an ID token of that user. For any
 * other request, the endpoint asks the user for confirmation.
 */
export async function endSession(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const parameters = readParameters(queryOf(request.url));
    const logout = await readLogoutRequest(deps, parameters);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (session !== null && logout.subject?.userId !== session.user.id)
      return confirmationPage({
        ...logout,
        user: session.user,
        parameters,
        csrfToken: sessionCsrfToken(deps, session, purposeOf(parameters)),
      });
    return endSessionAndContinue(deps, session, logout);
  });
}

/**
 * `POST /oauth/end_session`: signs the user out after the user has confirmed. The endpoint checks the origin,
 * the session and the CSRF token. A `POST` without a CSRF token or a session is redirected to `GET`, because
 * the browser does not send the session cookie with a `POST` from the site of a client.
 */
export async function confirmEndSession(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const text = await formText(request);
    const parameters = readParameters(text);
    const csrfToken = parseParameters(text).values.get("form_token");
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (csrfToken === undefined || session === null) return seeOther(urlOf(deps, parameters));
    if (formOrigin(request.headers, deps.config.issuer) === "other")
      return problemPage("forged", { status: 403 });
    if (!sessionCsrfTokenMatches(deps, session, purposeOf(parameters), csrfToken))
      return problemPage("forged", { status: 403, tryAgainAt: urlOf(deps, parameters) });
    return endSessionAndContinue(deps, session, await readLogoutRequest(deps, parameters));
  });
}

/**
 * Parses the parameters of a logout request.
 * @throws Malformed for invalid encoding, and for a parameter that is repeated or has brackets.
 */
function readParameters(text: string): Parameters {
  const parsed = parseParameters(text);
  if (hasBrackets(parsed, PARAMETERS)) throw new Malformed("parameter_in_brackets");
  if (PARAMETERS.some((name) => parsed.repeated.has(name))) throw new Malformed("repeated");
  const names = PARAMETERS.filter((name) => parsed.values.has(name));
  return new Map(names.map((name) => [name, parsed.values.get(name) ?? ""]));
}

const urlOf = (deps: Deps, parameters: Parameters): string => {
  const pairs = [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${deps.config.issuer}/oauth/end_session?${pairs.join("&")}`;
};

/** Returns the purpose that binds the CSRF token to the parameters that the form shows. */
const purposeOf = (parameters: Parameters): string => `end_session ${JSON.stringify([...parameters])}`;

/**
 * The user to sign out, the requesting application, and the redirect target, which the application has
 * registered as a redirect URI. `isTargetRefused` is true if the request names another redirect target.
 */
type LogoutRequest = Readonly<{
  subject: IdTokenSubject | null;
  application: Application | null;
  target: string | null;
  isTargetRefused: boolean;
}>;

async function readLogoutRequest(deps: Deps, parameters: Parameters): Promise<LogoutRequest> {
  const hint = parameters.get("id_token_hint");
  const subject = hint === undefined ? null : await readIdToken(deps, hint);
  const uid = parameters.get("client_id") ?? subject?.clientUid;
  const requestedUri = parameters.get("post_logout_redirect_uri");
  // `client_id` must match the client of the ID token (OpenID Connect RP-Initiated Logout §2).
  if (uid === undefined || (subject !== null && subject.clientUid !== uid))
    return { subject: null, application: null, target: null, isTargetRefused: requestedUri !== undefined };
  const application = await applications.findByUid(deps, uid);
  const registered = application?.redirectUris.find((uri) => uri === requestedUri && uri !== OUT_OF_BAND);
  const target = registered === undefined ? null : withState(registered, parameters.get("state"));
  const isTargetRefused = requestedUri !== undefined && target === null;
  return { subject: application === null ? null : subject, application, target, isTargetRefused };
}

const withState = (uri: string, state: string | undefined): string =>
  state === undefined ? uri : withParameters(uri, { state });

/**
 * Ends the session and redirects to the client. Without a session, the response is a page with a link instead
 * of a redirect. A redirect without a session would make the endpoint an open redirector, because any user
 * can create a URL with their own ID token (RFC 9700 §4.11.2).
 */
async function endSessionAndContinue(
  deps: Deps,
  session: Session | null,
  logout: LogoutRequest,
): Promise<Response> {
  if (session === null) return signedOutPage(logout);
  const cookie = await signOut(deps, session);
  const response = logout.target === null ? await signedOutPage(logout) : seeOther(logout.target);
  response.headers.append("set-cookie", cookie);
  return response;
}
