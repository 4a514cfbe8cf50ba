import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { isUnavailable } from "@/kernel/db/errors";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { setCookie } from "@/kernel/http/cookie";
import {
  browserOf,
  type Fields,
  failed,
  readFields,
  refused,
  seeOther,
  unavailable,
} from "@/kernel/http/form-response";
import { requestIdOf } from "@/kernel/http/request-id";
import { formOrigin } from "@/kernel/http/same-origin";
import { enforcedProviderOf } from "../providers/service";
import { sessionCsrfTokenMatches, sessionOf, signOut } from "../sessions/service";
import {
  checkMailPath,
  limitProblem,
  type SignInProblem,
  safeReturnPath,
  secondFactorPath,
  signInPath,
} from "../sessions/sign-in-path";
import { provePasskey } from "../two-factor/passkey";
import { mustConfirmFirst, type ResentLink, resendConfirmationLink } from "../users/email-confirmation";
import { confirm } from "./confirm-form";
import { enter } from "./entry";
import { KEEP_ACCOUNT_PATH } from "./keep-account-page";
import { knownDevices } from "./known-device";
import { completeSignIn } from "./second-factor-form";
import { admit, signIn } from "./service";
import { register } from "./sign-up-form";

/**
 * The time for which a cookie stores the entered login name of a refused form. The cookie never contains the
 * password.
 */
const LOGIN_COOKIE_SECONDS = 60;

/** The longest e-mail address (RFC 5321 §4.5.3.1.3). */
const LOGIN_CHARACTERS_MAX = 254;

/** The purpose of the passkey challenge for sign-in without a password. */
export const PASSKEY_SIGN_IN = "sign_in";

type Handler = (deps: Deps, request: Request, form: Fields) => Promise<Response>;

/** The handlers of the sign-in forms. The field `intent` of a form selects the handler. */
const INTENTS: ReadonlyMap<string, Handler> = new Map([
  ["sign_in", signInByPassword],
  ["passkey", signInByPasskey],
  ["second_factor", completeSignIn],
  ["confirm", confirm],
  ["sign_up", register],
  ["sign_out", leave],
]);

/**
 * `POST /users/session`: handles the sign-in and sign-out forms and redirects with 303. The forms work
 * without JavaScript.
 */
export async function postSession(request: Request): Promise<Response> {
  const deps = systemDeps();
  if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
  const form = await readFields(request);
  if (form === null) return refused();
  try {
    return await (INTENTS.get(form.get("intent") ?? "sign_in") ?? signInByPassword)(deps, request, form);
  } catch (cause) {
    deps.log.error({ event: "sign_in.errored", request_id: requestIdOf(request) }, cause);
    return isUnavailable(cause) ? unavailable() : failed();
  }
}

async function signInByPassword(deps: Deps, request: Request, form: Fields): Promise<Response> {
  // The login is truncated between characters, because half of a surrogate pair cannot be encoded.
  const login = [...(form.get("login") ?? "").trim()].slice(0, LOGIN_CHARACTERS_MAX).join("");
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const outcome = await attempt(deps, request, { login, password: form.get("password") ?? "" });
  if ("link" in outcome) return checkMail(deps, outcome.link, [loginCookie(deps, "")]);
  if ("leavingCookie" in outcome)
    return seeOther(deps, KEEP_ACCOUNT_PATH, [outcome.leavingCookie, loginCookie(deps, "")]);
  if ("cookie" in outcome) return enter(deps, request, { ...outcome, returnTo }, [loginCookie(deps, "")]);
  if ("pendingCookie" in outcome)
    return seeOther(deps, secondFactorPath({ returnTo }), [outcome.pendingCookie, loginCookie(deps, "")]);
  return refuse(deps, request, form, outcome, [loginCookie(deps, login)]);
}

async function attempt(
  deps: Deps,
  request: Request,
  typed: Readonly<{ login: string; password: string }>,
): Promise<
  | Exclude<Awaited<ReturnType<typeof signIn>>, { readonly refused: unknown }>
  | SignInProblem
  | Readonly<{ link: ResentLink }>
> {
  if (typed.login === "") return { problem: "wrong" };
  try {
    const outcome = await signIn(
      deps,
      typed,
      browserOf(request),
      knownDevices(deps, request.headers.get("cookie")),
    );
    if (!("refused" in outcome)) return outcome;
    if (outcome.refused === "unconfirmed") return { link: outcome.link };
    if (outcome.refused === "enforced") return { problem: "enforced", provider: outcome.provider.name };
    if (outcome.refused === "wrong") return { problem: outcome.unapproved ? "unapproved" : "wrong" };
    return limitProblem(outcome.retryAfterSeconds);
  } catch (cause) {
    if (cause instanceof PasswordsBusy) return { problem: "busy" };
    throw cause;
  }
}

/** Signs in by a passkey that identifies and verifies the user, which counts as both factors. */
async function signInByPasskey(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const text = form.get("credential") ?? "";
  const outcome = await provePasskey(deps, { purpose: PASSKEY_SIGN_IN, text, user: null });
  if (typeof outcome === "string")
    return refuse(deps, request, form, { problem: outcome === "expired" ? "expired" : "passkey" });
  const enforced = await enforcedProviderOf(deps, outcome.user);
  if (enforced !== null) return refuse(deps, request, form, { problem: "enforced", provider: enforced.name });
  if (mustConfirmFirst(deps, await readSettings(deps), outcome.user))
    return checkMail(deps, await resendConfirmationLink(deps, outcome.user));
  const opened = await deps.transaction((within) =>
    admit(within, outcome.user, browserOf(request), [outcome.method]),
  );
  if ("leavingCookie" in opened) return seeOther(deps, KEEP_ACCOUNT_PATH, [opened.leavingCookie]);
  return enter(deps, request, { ...opened, returnTo: safeReturnPath(form.get("return_to"), "/") });
}

const checkMail = (deps: Deps, link: ResentLink, cookies: readonly string[] = []): Response =>
  seeOther(deps, checkMailPath(link === "none" || link === "limited" ? link : undefined), cookies);

function refuse(
  deps: Deps,
  request: Request,
  form: Fields,
  problem: SignInProblem,
  cookies: readonly string[] = [],
): Response {
  deps.log.info({ event: "sign_in.refused", reason: problem.problem, request_id: requestIdOf(request) });
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  return seeOther(
    deps,
    signInPath({ returnTo, again: form.has("again"), recent: form.has("recent"), problem }),
    cookies,
  );
}

async function leave(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const session = await sessionOf(deps, request.headers.get("cookie"));
  if (session !== null && !sessionCsrfTokenMatches(deps, session, "sign_out", form.get("form_token") ?? ""))
    return refused();
  return seeOther(deps, "/users/sign_in", [await signOut(deps, session)]);
}

function loginCookie(deps: Deps, login: string): string {
  const seconds = login === "" ? 0 : LOGIN_COOKIE_SECONDS;
  return setCookie(deps.config, "login", encodeURIComponent(login), seconds);
}
