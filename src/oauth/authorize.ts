import { OUT_OF_BAND, withParameters } from "@/features/applications/redirect-uri";
import type { Application } from "@/features/applications/rules";
import { consentPurpose, queryFrom, readAsk } from "@/features/authorizations/authorization-request";
import type { Ask, AuthorizationErrorCode } from "@/features/authorizations/rules";
import {
  type Approval,
  approve,
  issueCode,
  type Prepared,
  prepareAuthorization,
} from "@/features/authorizations/service";
import { type Session, sessionFormTokenMatches, sessionOf } from "@/features/sign-in/service";
import { isUnavailable } from "@/platform/db/errors";
import { type Deps, systemDeps } from "@/platform/deps";
import { BodyTooLarge, readBody } from "@/platform/http/body";
import { Malformed, parseParameters, queryOf } from "@/platform/http/parameters";
import { formOrigin } from "@/platform/http/same-origin";
import { codePage, outOfBandErrorPage, problemPage } from "./authorize-pages";

const BYTES_MAX = 65_536;

/** `GET /oauth/authorize` (RFC 6749 §4.1.1): judges the request and sends the browser where it belongs. */
export async function authorize(request: Request): Promise<Response> {
  return refusingMalformed(async () => {
    const deps = systemDeps();
    const ask = readAsk(queryOf(request.url));
    const session = await sessionOf(deps, request.headers.get("cookie"));
    const prepared = await prepareAuthorization(deps, ask, session?.user ?? null);
    if (prepared.verdict.kind === "ask_consent")
      return seeOther(`${deps.config.issuer}/oauth/consent?${queryFrom(ask)}`);
    return answer(deps, ask, session, prepared, issueCode);
  });
}

/**
 * `POST /oauth/authorize`: the person's decision. Origin, session and form token are checked, then the same request
 * is judged again, so that nothing is granted that was not shown. A post without a decision is an authorization
 * request by form (RFC 6749 §3.1) and continues as one.
 */
export async function decide(request: Request): Promise<Response> {
  return refusingMalformed(async () => {
    const deps = systemDeps();
    const text = await formText(request);
    const ask = readAsk(text);
    const again = `${deps.config.issuer}/oauth/authorize?${queryFrom(ask)}`;
    const { values } = parseParameters(text);
    const decision = values.get("decision");
    if (decision === undefined) return seeOther(again);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (formOrigin(request.headers, deps.config.issuer) === "other")
      return problemPage("forged", { status: 403 });
    if (session === null) return seeOther(again);
    const token = values.get("form_token") ?? "";
    if (!sessionFormTokenMatches(deps, session, consentPurpose(ask), token))
      return problemPage("forged", { status: 403, tryAgainAt: again });
    const prepared = await prepareAuthorization(deps, ask, session.user);
    if (decision !== "allow" && mayAnswer(prepared))
      return toClient(deps, ask, { code: "access_denied", description: "The person denied the request." });
    return answer(deps, ask, session, prepared, approve);
  });
}

/** @throws Malformed for a body that is no form, in whatever encoding another site can post it. */
async function formText(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new Malformed("content_type");
  return new TextDecoder("utf-8", { fatal: true }).decode(await readBody(request, BYTES_MAX));
}

const mayAnswer = ({ verdict }: Prepared): boolean =>
  verdict.kind === "ask_consent" || verdict.kind === "issue_code";

type Issue = (deps: Deps, approval: Approval) => Promise<string>;

async function answer(
  deps: Deps,
  ask: Ask,
  session: Session | null,
  prepared: Prepared,
  issue: Issue,
): Promise<Response> {
  const { verdict, application } = prepared;
  if (verdict.kind === "show_error")
    return problemPage(verdict.problem, ownerHint(ask, session, application));
  if (verdict.kind === "redirect_error") return toClient(deps, ask, verdict);
  if (verdict.kind === "sign_in" || session === null || application === null) return toSignIn(deps, ask);
  const redirectUri = ask.parameters.get("redirect_uri") ?? "";
  const codeChallenge = ask.parameters.get("code_challenge") ?? null;
  const { user } = session;
  const code = await issue(deps, { application, user, scopes: verdict.scopes, redirectUri, codeChallenge });
  if (redirectUri === OUT_OF_BAND) return codePage(application, user, code);
  return seeOther(
    withParameters(redirectUri, { code, state: ask.parameters.get("state"), iss: deps.config.issuer }),
  );
}

/** An error for the client (RFC 6749 §4.1.2.1), with the issuer beside it (RFC 9207). */
function toClient(
  deps: Deps,
  ask: Ask,
  error: Readonly<{ code: AuthorizationErrorCode; description: string }>,
): Response | Promise<Response> {
  const redirectUri = ask.parameters.get("redirect_uri") ?? "";
  if (redirectUri === OUT_OF_BAND) return outOfBandErrorPage(error.description);
  return seeOther(
    withParameters(redirectUri, {
      error: error.code,
      error_description: error.description,
      state: ask.repeated.has("state") ? undefined : ask.parameters.get("state"),
      iss: deps.config.issuer,
    }),
  );
}

const toSignIn = (deps: Deps, ask: Ask): Response =>
  seeOther(
    `${deps.config.issuer}/users/sign_in?return_to=${encodeURIComponent(`/oauth/authorize?${queryFrom(ask)}`)}`,
  );

const ownerHint = (ask: Ask, session: Session | null, application: Application | null) => {
  const asked = ask.parameters.get("redirect_uri");
  return asked !== undefined && application !== null && application.owner.id === session?.user.id
    ? { owned: { application, asked } }
    : {};
};

/** 303, never 307: a form post must not be repeated at the client (RFC 9700 §4.12). */
const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, "cache-control": "no-store", pragma: "no-cache" } });

async function refusingMalformed(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof BodyTooLarge) return problemPage("malformed", { status: 413 });
    if (isUnavailable(cause)) return problemPage("unavailable", { status: 503 });
    if (cause instanceof Malformed || cause instanceof TypeError) return problemPage("malformed");
    throw cause;
  }
}
