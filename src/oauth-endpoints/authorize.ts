import { type Session, sessionCsrfTokenMatches, sessionOf } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { parseParameters, queryOf } from "@/kernel/http/parameters";
import { REQUEST_ID_HEADER } from "@/kernel/http/request-id";
import { formOrigin } from "@/kernel/http/same-origin";
import { OUT_OF_BAND } from "@/oauth/applications/redirect-uri";
import type { Application } from "@/oauth/applications/rules";
import { type Approval, approve, issueCode } from "@/oauth/authorizations/approval";
import {
  consentPurpose,
  queryFrom,
  readAuthorizationRequest,
} from "@/oauth/authorizations/authorization-request";
import { withFirstSeen } from "@/oauth/authorizations/first-seen";
import type {
  AuthorizationErrorCode,
  AuthorizationRequest,
  PageProblem,
  Verdict,
} from "@/oauth/authorizations/rules";
import { type Prepared, prepareAuthorization } from "@/oauth/authorizations/service";
import { recordFailure } from "@/oauth/failed-exchanges/failed-exchange";
import { mismatchOf } from "./add-redirect-uri";
import { seeOther, toClient } from "./authorization-response";
import { codePage, outOfBandErrorPage, problemPage } from "./authorize-pages";
import { enrolmentFirst, proofFirst } from "./authorize-proof";
import { forBrowser, formText } from "./browser-form";
import { originOf } from "./refusals";

/** `GET /oauth/authorize` (RFC 6749 §4.1.1): judges the request and sends the browser where it belongs. */
export async function authorize(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const ask = readAuthorizationRequest(queryOf(request.url));
    const session = await sessionOf(deps, request.headers.get("cookie"));
    const prepared = await prepareAuthorization(deps, ask, session);
    const enrolment = await enrolmentFirst(deps, ask, session, prepared);
    if (enrolment !== null) return enrolment;
    if (prepared.verdict.kind === "ask_consent")
      return seeOther(`${deps.config.issuer}/oauth/consent?${queryFrom(ask)}`);
    return answer(deps, request, { ask, session, prepared, issue: issueCode });
  });
}

/**
 * `POST /oauth/authorize`: the person's decision. Origin, session and form token are checked, then the same request
 * is judged again, so that nothing is granted that was not shown. A post without a decision is an authorization
 * request by form (RFC 6749 §3.1) and continues as one.
 */
export async function decide(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const text = await formText(request);
    const ask = readAuthorizationRequest(text);
    const again = `${deps.config.issuer}/oauth/authorize?${queryFrom(ask)}`;
    const { values } = parseParameters(text);
    const decision = values.get("decision");
    if (decision === undefined) return seeOther(again);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (formOrigin(request.headers, deps.config.issuer) === "other")
      return problemPage("forged", { status: 403 });
    if (session === null) return seeOther(again);
    const token = values.get("form_token") ?? "";
    if (!sessionCsrfTokenMatches(deps, session, consentPurpose(ask), token))
      return problemPage("forged", { status: 403, tryAgainAt: again });
    const prepared = await prepareAuthorization(deps, ask, session);
    if (decision !== "allow" && mayAnswer(prepared))
      return refusal(deps, ask, { code: "access_denied", description: "The person denied the request." });
    const before =
      (await enrolmentFirst(deps, ask, session, prepared)) ?? proofFirst(deps, ask, session, prepared);
    if (before !== null) return before;
    const form = {
      sessionId: session.id,
      purpose: consentPurpose(ask),
      formId: values.get("form_id") ?? "",
    };
    const issue: Issue = (within, approval) => approve(within, approval, form);
    return answer(deps, request, { ask, session, prepared, issue });
  });
}

const mayAnswer = ({ verdict }: Prepared): boolean =>
  verdict.kind === "ask_consent" || verdict.kind === "issue_code";

type Issue = (deps: Deps, approval: Approval) => Promise<string>;

type DecidedRequest = Readonly<{
  ask: AuthorizationRequest;
  session: Session | null;
  prepared: Prepared;
  issue: Issue;
}>;

async function answer(deps: Deps, request: Request, judged: DecidedRequest): Promise<Response> {
  const { ask, session, prepared, issue } = judged;
  const { verdict, application } = prepared;
  if (verdict.kind === "show_error")
    return showError(deps, request, { ask, session, application, problem: verdict.problem });
  if (verdict.kind === "redirect_error") {
    note(deps, request, application, verdict.code);
    return refusal(deps, ask, verdict);
  }
  if (verdict.kind === "sign_in" || session === null || application === null)
    return toSignIn(deps, ask, verdict);
  const redirectUri = ask.parameters.get("redirect_uri") ?? "";
  const codeChallenge = ask.parameters.get("code_challenge") ?? null;
  const { user, signedInAt } = session;
  const code = await issue(deps, {
    application,
    user,
    scopes: verdict.scopes,
    redirectUri,
    codeChallenge,
    nonce: ask.parameters.get("nonce") ?? null,
    authTime: signedInAt,
  });
  if (redirectUri === OUT_OF_BAND) return codePage(application, user, code);
  return toClient(deps, ask, { code });
}

/** An error for the client (RFC 6749 §4.1.2.1). */
function refusal(
  deps: Deps,
  ask: AuthorizationRequest,
  error: Readonly<{ code: AuthorizationErrorCode; description: string }>,
): Promise<Response> {
  if (ask.parameters.get("redirect_uri") === OUT_OF_BAND) return outOfBandErrorPage(error.description);
  return toClient(deps, ask, { error: error.code, error_description: error.description });
}

/** To the sign-in page and back to the same request; `again` shows the form although somebody is signed in. */
function toSignIn(deps: Deps, ask: AuthorizationRequest, verdict: Verdict): Response {
  const path = signInPath({
    returnTo: `/oauth/authorize?${queryFrom(withFirstSeen(deps, ask))}`,
    again: verdict.kind === "sign_in" && verdict.again,
    loginHint: ask.parameters.get("login_hint"),
  });
  return seeOther(deps.config.issuer + path);
}

/** An error page: neutral to everybody but the owner of the application, who sees what differs. */
function showError(
  deps: Deps,
  request: Request,
  shown: Readonly<{
    ask: AuthorizationRequest;
    session: Session | null;
    application: Application | null;
    problem: PageProblem;
  }>,
): Promise<Response> {
  const { ask, session, application, problem } = shown;
  const requestId = request.headers.get(REQUEST_ID_HEADER);
  deps.log.info({ event: "authorize.refused", reason: problem, request_id: requestId });
  const mismatch = problem === "redirect_uri_unknown" ? mismatchOf(deps, ask, session, application) : null;
  if (problem === "redirect_uri_unknown" || problem === "redirect_uri_insecure")
    note(deps, request, application, problem);
  if (problem === "redirect_uri_insecure" && application?.owner.id === session?.user.id)
    return problemPage(problem, application === null ? { requestId } : { insecure: application });
  return problemPage(problem, mismatch === null ? { requestId } : { owned: mismatch });
}

/** Keeps a refused request for the application's developer. */
function note(deps: Deps, request: Request, application: Application | null, reason: string): void {
  if (application === null) return;
  recordFailure(deps, { ...originOf(request), clientUid: application.uid, reason: `authorize_${reason}` });
}
