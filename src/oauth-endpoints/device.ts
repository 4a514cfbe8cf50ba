import type { Scope } from "@/access/scopes";
import { authenticationContext } from "@/identity/sessions/authentication-methods";
import { isRecentlyAuthenticated, needsStepUp } from "@/identity/sessions/rules";
import {
  enrollsFirst,
  type Session,
  sessionCsrfToken,
  sessionCsrfTokenMatches,
  sessionOf,
} from "@/identity/sessions/service";
import { SessionEnded } from "@/identity/sessions/sessions-ended";
import { confirmPath, signInPath } from "@/identity/sessions/sign-in-path";
import { enrollmentPath } from "@/identity/sessions/two-factor-enrollment";
import { isOn, setFlag } from "@/instance/flags/service";
import { readSettings } from "@/instance/settings/service";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { clientIpOf } from "@/kernel/http/ip-address";
import { parseParameters, queryOf } from "@/kernel/http/parameters";
import { formOrigin } from "@/kernel/http/same-origin";
import { logoOf } from "@/oauth/applications/service";
import { unregisteredDetails } from "@/oauth/client-documents/service";
import { consentedScopes } from "@/oauth/consents/service";
import { DECISIONS } from "@/oauth/device-authorizations/rules";
import * as devices from "@/oauth/device-authorizations/service";
import { readUserCode, shownUserCode } from "@/oauth/device-authorizations/user-code";
import { seeOther } from "./authorization-response";
import { problemPage } from "./authorize-pages";
import { forBrowser, formText } from "./browser-form";
import {
  codePage,
  decisionPage,
  outcomePage,
  switchedOffPage,
  tooManyCodesPage,
  wrongCodePage,
} from "./device-pages";

const FLAG = "oauth2_device_grant_flow";
const TYPED_CHARACTERS_MAX = 64;

/**
 * The purposes for which the device pages use CSRF tokens. The CSRF token of a decision is bound to the
 * device request and to its user code.
 */
const ENTER = "device_code";
const SWITCH_ON = "device_switch_on";
const decisionPurpose = (requestId: string, userCode: string): string =>
  `device_decision ${requestId} ${userCode}`;

/**
 * `GET /oauth/device` (RFC 8628 §3.3): shows the form for the user code. A user code in the query only
 * prefills the form.
 */
export async function showCodeForm(request: Request): Promise<Response> {
  return forBrowser(request, async () => {
    const deps = systemDeps();
    const session = await sessionOf(deps, request.headers.get("cookie"));
    const query = parseParameters(queryOf(request.url)).values;
    const typed = typedCode(query);
    if (!(await isOn(deps, FLAG))) return switchedOff(deps, session, typed);
    if (session === null) return seeOther(deps.config.issuer + signInPath({ returnTo: pathWith(typed) }));
    if (query.has("expired")) return outcomePage("expired", false);
    if (await enrollsFirst(deps, session))
      return seeOther(deps.config.issuer + enrollmentPath(pathWith(typed)));
    return codePage(entryOf(deps, session, typed));
  });
}

/**
 * `POST /oauth/device`: shows the device request of the entered user code. An administrator can also enable
 * the device grant.
 */
export async function enterCode(request: Request): Promise<Response> {
  return forUser(request, async ({ deps, session, form, typed, retryUrl }) => {
    const csrfToken = form.get("form_token") ?? "";
    const isBoundTo = (purpose: string) => sessionCsrfTokenMatches(deps, session, purpose, csrfToken);
    if (form.get("intent") === "switch_on") {
      if (!session.user.admin || !isBoundTo(SWITCH_ON)) return forged(retryUrl);
      if (!isRecentlyAuthenticated(session.signedInAt, deps.clock()))
        return seeOther(deps.config.issuer + confirmPath({ returnTo: pathWith(typed) }));
      await setFlag(deps, FLAG, true, session.user);
      return seeOther(retryUrl);
    }
    if (!(await isOn(deps, FLAG))) return switchedOff(deps, session, typed);
    if (!isBoundTo(ENTER)) return forged(retryUrl);
    const settings = await readSettings(deps);
    const attempt = { typed, user: session.user, ipAddress: clientIpOf(request) };
    const authorization = await devices.enterCode(deps, settings, attempt);
    if (authorization === "wrong") return wrongCodePage(entryOf(deps, session, typed));
    if ("retryAfterSeconds" in authorization) return tooManyCodesPage(authorization.retryAfterSeconds);
    return showDecision(deps, session, authorization);
  });
}

async function showDecision(
  deps: Deps,
  session: Session,
  authorization: devices.PendingDeviceRequest,
): Promise<Response> {
  const now = deps.clock();
  const returnTo = pathWith(shownUserCode(authorization.userCode));
  const otherAccountAt = signInPath({ returnTo, again: true });
  if (requiresStepUp(deps, session, authorization.scopes))
    return seeOther(deps.config.issuer + confirmPath({ returnTo }));
  const purpose = decisionPurpose(String(authorization.id), authorization.userCode);
  const csrfToken = sessionCsrfToken(deps, session, purpose);
  const { user } = session;
  const { application } = authorization;
  const registered = application.owner !== null || application.group !== null;
  const [unregistered, logo, consented] = await Promise.all([
    unregisteredDetails(deps, { ...application, registered }),
    logoOf(deps, application.id),
    consentedScopes(deps, user.id, application.id),
  ]);
  const request = authorization;
  return decisionPage({ request, unregistered, logo, user, consented, csrfToken, otherAccountAt, now });
}

/** Returns whether the user must re-authenticate before granting these scopes to a device. */
const requiresStepUp = (deps: Deps, { signedInAt, user }: Session, scopes: readonly Scope[]): boolean =>
  needsStepUp(scopes, { provenAt: signedInAt, twoFactor: user.twoFactor }, deps.clock());

/**
 * `GET /oauth/device/decision`: redirects to the form for the user code. A browser sends this request if the user reloads
 * the page about a decision from the address bar.
 */
export const leaveDecision = (request: Request): Promise<Response> =>
  forBrowser(request, async () => seeOther(`${systemDeps().config.issuer}/oauth/device`));

/**
 * `POST /oauth/device/decision`: records the decision of the user about the device request that the page
 * showed.
 */
export async function decide(request: Request): Promise<Response> {
  return forUser(request, async ({ deps, session, form, typed, retryUrl }) => {
    if (!(await isOn(deps, FLAG))) return switchedOff(deps, session, typed);
    const requestId = form.get("request") ?? "";
    const purpose = decisionPurpose(requestId, form.get("user_code") ?? "");
    const decision = DECISIONS.find((name) => name === form.get("decision"));
    const isCsrfTokenValid = sessionCsrfTokenMatches(deps, session, purpose, form.get("form_token") ?? "");
    if (!isCsrfTokenValid || decision === undefined) return forged(retryUrl);
    if (
      decision === "allow" &&
      requiresStepUp(deps, session, await devices.scopesOfRequest(deps, Number(requestId)))
    )
      return seeOther(deps.config.issuer + confirmPath({ returnTo: pathWith(typed) }));
    const attempt = {
      requestId: Number(requestId),
      decision,
      user: session.user,
      sessionId: session.id,
      authentication: { authTime: session.authTime, ...authenticationContext(session.methods) },
    };
    try {
      return await outcomePage(await devices.decide(deps, attempt), decision === "report");
    } catch (cause) {
      if (cause instanceof SessionEnded) return seeOther(retryUrl);
      throw cause;
    }
  });
}

/** A form that a signed-in user posted from this site. */
type PostedForm = Readonly<{
  deps: Deps;
  session: Session;
  form: ReadonlyMap<string, string>;
  typed: string;
  /** The URL of the form with the user code filled in. */
  retryUrl: string;
}>;

/**
 * Calls `run` if a page of this site posted the form. Rejects forms of other sites. Redirects a user without
 * a session to the sign-in page, and keeps the user code.
 */
const forUser = (request: Request, run: (posted: PostedForm) => Promise<Response>): Promise<Response> =>
  forBrowser(request, async () => {
    const deps = systemDeps();
    const form = parseParameters(await formText(request)).values;
    const typed = typedCode(form);
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (formOrigin(request.headers, deps.config.issuer) === "other") return forged();
    const retryUrl = deps.config.issuer + pathWith(typed);
    if (session === null) return seeOther(retryUrl);
    if (await enrollsFirst(deps, session))
      return seeOther(deps.config.issuer + enrollmentPath(pathWith(typed)));
    return run({ deps, session, form, typed, retryUrl });
  });

const forged = (tryAgainAt?: string): Promise<Response> =>
  problemPage("forged", { status: 403, ...(tryAgainAt === undefined ? {} : { tryAgainAt }) });

/**
 * Returns the user code in the format that the pages show. An invalid user code is returned as typed, so that
 * the user can correct it.
 */
function typedCode(parameters: ReadonlyMap<string, string>): string {
  // The entered user code is shortened at code points, because half of a surrogate pair cannot be encoded in
  // a URL.
  const typed = [...(parameters.get("user_code") ?? "")].slice(0, TYPED_CHARACTERS_MAX).join("");
  const userCode = readUserCode(typed);
  return userCode === null ? typed : shownUserCode(userCode);
}

const pathWith = (typed: string): string =>
  typed === "" ? "/oauth/device" : `/oauth/device?user_code=${encodeURIComponent(typed)}`;

const entryOf = (deps: Deps, session: Session, typed: string) => ({
  user: session.user,
  csrfToken: sessionCsrfToken(deps, session, ENTER),
  typed,
  otherAccountAt: signInPath({ returnTo: pathWith(typed), again: true }),
});

const switchedOff = (deps: Deps, session: Session | null, typed: string): Promise<Response> =>
  switchedOffPage({
    typed,
    switchOn: session?.user.admin ? sessionCsrfToken(deps, session, SWITCH_ON) : null,
    signInAt: session === null ? signInPath({ returnTo: pathWith(typed) }) : null,
  });
