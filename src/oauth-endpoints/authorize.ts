import { requestsOfflineAccess } from "@/access/scopes";
import { authenticationContext } from "@/identity/sessions/authentication-methods";
import { type Session, sessionCsrfTokenMatches, sessionOf } from "@/identity/sessions/service";
import { SessionEnded } from "@/identity/sessions/sessions-ended";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { parseParameters, queryOf } from "@/kernel/http/parameters";
import { REQUEST_ID_HEADER } from "@/kernel/http/request-id";
import { formOrigin } from "@/kernel/http/same-origin";
import { inSpan } from "@/kernel/tracing/tracing";
import { findManaged } from "@/oauth/applications/management";
import { OUT_OF_BAND } from "@/oauth/applications/redirect-uri";
import type { Application } from "@/oauth/applications/rules";
import {
  type Approval,
  approve,
  ConsentWithdrawn,
  issueCode,
  PushedRequestUsed,
} from "@/oauth/authorizations/approval";
import { consentPurpose, queryFrom, returnPathFrom } from "@/oauth/authorizations/authorization-request";
import { withFirstSeen } from "@/oauth/authorizations/first-seen";
import { resolveAuthorizationRequest } from "@/oauth/authorizations/pushed-request";
import { REQUEST_USED, type RedirectError } from "@/oauth/authorizations/request-errors";
import { statedAcr } from "@/oauth/authorizations/requested-claims";
import type {
  AuthorizationDecision,
  AuthorizationErrorCode,
  AuthorizationRequest,
  PageProblem,
} from "@/oauth/authorizations/rules";
import { type Prepared, prepareAuthorization, resourceOf } from "@/oauth/authorizations/service";
import { trialRedirectUri } from "@/oauth/authorizations/trial";
import { trialPath } from "@/oauth/authorizations/trial-path";
import { recordFailure } from "@/oauth/failed-exchanges/failed-exchange";
import { openPushedRequest } from "@/oauth/pushed-requests/service";
import { mismatchOf } from "./add-redirect-uri";
import { respondToClient, seeOther } from "./authorization-response";
import { codePage, outOfBandErrorPage, problemPage } from "./authorize-pages";
import { enrollmentRedirect, requestedFactorRedirect, stepUpRedirect } from "./authorize-step-up";
import { forBrowser, formText } from "./browser-form";
import { originOf } from "./refusals";

/**
 * `GET /oauth/authorize` (RFC 6749 §4.1.1): checks the request, and then redirects to the sign-in page, to
 * the consent page or to the client.
 */
export async function authorize(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const authorizationRequest = await resolveAuthorizationRequest(deps, queryOf(request.url));
    const { pushed } = authorizationRequest;
    if (pushed?.state === "new") await openPushedRequest(deps, pushed);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    const prepared = await inSpan("prepare authorization", () =>
      prepareAuthorization(deps, authorizationRequest, session),
    );
    const enrollment = await enrollmentRedirect(deps, authorizationRequest, session, prepared);
    if (enrollment !== null) return enrollment;
    if (prepared.decision.kind === "ask_consent")
      return seeOther(`${deps.config.issuer}/oauth/consent?${queryFrom(authorizationRequest)}`);
    return respond(deps, request, { authorizationRequest, session, prepared, issue: issueCode });
  });
}

/**
 * `POST /oauth/authorize`: records whether the user allows or denies access. The endpoint checks the origin,
 * the session and the CSRF token, and then checks the authorization request of the page again. The user
 * therefore grants only the access that the page showed. A posted form without the field `decision` is an
 * authorization request (RFC 6749 §3.1) and continues as a GET request.
 */
export async function decide(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const text = await formText(request);
    const resolved = await resolveAuthorizationRequest(deps, text);
    // A consent form that is posted twice returns the same authorization code. The function that stores a new
    // authorization code prevents a second use of the pushed authorization request.
    const authorizationRequest: AuthorizationRequest =
      resolved.pushed?.state === "used"
        ? { ...resolved, pushed: { ...resolved.pushed, state: "opened" } }
        : resolved;
    const retryUrl = retryUrlOf(deps, authorizationRequest);
    const { values } = parseParameters(text);
    const decision = values.get("decision");
    if (decision === undefined) return seeOther(retryUrl);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (formOrigin(request.headers, deps.config.issuer) === "other")
      return problemPage("forged", { status: 403 });
    if (session === null) return seeOther(retryUrl);
    const token = values.get("form_token") ?? "";
    if (!sessionCsrfTokenMatches(deps, session, consentPurpose(authorizationRequest), token))
      return problemPage("forged", { status: 403, tryAgainAt: retryUrl });
    const prepared = await prepareAuthorization(deps, authorizationRequest, session);
    if (decision !== "allow" && canBeDecided(prepared))
      return refusal(deps, authorizationRequest, {
        code: "access_denied",
        description: "The user denied the request.",
      });
    const before =
      (await enrollmentRedirect(deps, authorizationRequest, session, prepared)) ??
      stepUpRedirect(deps, authorizationRequest, session, prepared);
    if (before !== null) return before;
    const form = {
      sessionId: session.id,
      purpose: consentPurpose(authorizationRequest),
      formId: values.get("form_id") ?? "",
    };
    const issue: Issue = (within, approval) => approve(within, approval, form);
    return respond(deps, request, { authorizationRequest, session, prepared, issue });
  });
}

/** Returns the URL at which the browser sends the authorization request again. */
const retryUrlOf = (deps: Deps, authorizationRequest: AuthorizationRequest): string =>
  `${deps.config.issuer}/oauth/authorize?${queryFrom(authorizationRequest)}`;

/** The step-up interrupts only the grant of access, so that a user can deny access without the requested factor. */
const canBeDecided = ({ decision }: Prepared): boolean =>
  decision.kind === "ask_consent" || decision.kind === "issue_code" || decision.kind === "step_up";

type Issue = (deps: Deps, approval: Approval) => Promise<string>;

type DecidedRequest = Readonly<{
  authorizationRequest: AuthorizationRequest;
  session: Session | null;
  prepared: Prepared;
  issue: Issue;
}>;

async function respond(deps: Deps, request: Request, decided: DecidedRequest): Promise<Response> {
  const { authorizationRequest, session, prepared, issue } = decided;
  const { decision, application } = prepared;
  if (decision.kind === "show_error")
    return showError(deps, request, {
      authorizationRequest,
      session,
      application,
      problem: decision.problem,
    });
  const refuse = (error: RedirectError) => {
    recordRefusal(deps, request, application, error.code);
    return refusal(deps, authorizationRequest, error);
  };
  if (decision.kind === "redirect_error") return refuse(decision);
  if (decision.kind === "ask_consent" && decision.refusal !== null) return refuse(decision.refusal);
  if (decision.kind === "sign_in" || session === null || application === null)
    return toSignIn(deps, authorizationRequest, decision);
  if (decision.kind === "step_up") return requestedFactorRedirect(deps, authorizationRequest, decision);
  const redirectUri = authorizationRequest.parameters.get("redirect_uri") ?? "";
  const codeChallenge = authorizationRequest.parameters.get("code_challenge") ?? null;
  const { user, authTime, methods } = session;
  const { acr, amr } = authenticationContext(methods);
  const approval: Approval = {
    application,
    user,
    scopes: decision.scopes,
    redirectUri,
    codeChallenge,
    resource: (await resourceOf(deps, authorizationRequest)) ?? null,
    nonce: authorizationRequest.parameters.get("nonce") ?? null,
    authTime,
    acr: statedAcr(authorizationRequest, acr),
    amr,
    sessionId: session.id,
    offlineAccess: requestsOfflineAccess(authorizationRequest.parameters.get("scope") ?? ""),
    dpopJkt: authorizationRequest.parameters.get("dpop_jkt") ?? null,
    pushedDigest: authorizationRequest.pushed?.digest ?? null,
  };
  const code = await issue(deps, approval).catch((cause: unknown) => {
    if (cause instanceof PushedRequestUsed) return null;
    if (cause instanceof SessionEnded || cause instanceof ConsentWithdrawn) return "changed" as const;
    throw cause;
  });
  // The session or the consent ended during this request. The next request reads the current state.
  if (code === "changed") return seeOther(retryUrlOf(deps, authorizationRequest));
  if (code === null) return refusal(deps, authorizationRequest, REQUEST_USED);
  if (redirectUri === OUT_OF_BAND) return codePage(application, user, code);
  return respondToClient(deps, authorizationRequest, { code });
}

/** Returns the error response to the client (RFC 6749 §4.1.2.1). */
function refusal(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  error: Readonly<{ code: AuthorizationErrorCode; description: string }>,
): Promise<Response> {
  if (authorizationRequest.parameters.get("redirect_uri") === OUT_OF_BAND)
    return outOfBandErrorPage(error.description);
  return respondToClient(deps, authorizationRequest, {
    error: error.code,
    error_description: error.description,
  });
}

/** Redirects to the sign-in page, which returns to the same authorization request. */
function toSignIn(
  deps: Deps,
  authorizationRequest: AuthorizationRequest,
  decision: AuthorizationDecision,
): Response {
  const path = signInPath({
    returnTo: returnPathFrom(withFirstSeen(deps, authorizationRequest)),
    again: decision.kind === "sign_in" && decision.again,
    recent: decision.kind === "sign_in" && decision.recent === true,
    loginHint: authorizationRequest.parameters.get("login_hint"),
  });
  return seeOther(deps.config.issuer + path);
}

/** Returns the error page. Only the users who manage the application see the registered redirect URIs. */
async function showError(
  deps: Deps,
  request: Request,
  shown: Readonly<{
    authorizationRequest: AuthorizationRequest;
    session: Session | null;
    application: Application | null;
    problem: PageProblem;
  }>,
): Promise<Response> {
  const { authorizationRequest, session, application, problem } = shown;
  const requestId = request.headers.get(REQUEST_ID_HEADER);
  const redirectUri = authorizationRequest.parameters.get("redirect_uri");
  // If a trial authorization has expired, the page that starts a trial authorization is shown. The usual
  // error page would offer to register the redirect URI of the trial authorization.
  if (problem === "redirect_uri_unknown" && application !== null)
    if (redirectUri === trialRedirectUri(deps, application.id))
      return seeOther(deps.config.issuer + trialPath(application.id));
  deps.log.info({ event: "authorize.refused", reason: problem, request_id: requestId });
  const mismatch =
    problem === "redirect_uri_unknown"
      ? await mismatchOf(deps, authorizationRequest, session, application)
      : null;
  if (problem === "redirect_uri_unknown" || problem === "redirect_uri_insecure")
    recordRefusal(deps, request, application, problem);
  if (problem === "redirect_uri_insecure" && application !== null && session !== null)
    if ((await findManaged(deps, session.user, application.id)) !== null)
      return problemPage(problem, { insecure: application });
  return problemPage(problem, mismatch === null ? { requestId } : { owned: mismatch });
}

/** Records a refused authorization request for the developer of the application. */
function recordRefusal(deps: Deps, request: Request, application: Application | null, reason: string): void {
  if (application === null) return;
  recordFailure(deps, {
    origin: () => originOf(request),
    clientUid: application.uid,
    reason: `authorize_${reason}`,
  });
}
