import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { browserOf, type Fields, seeOther } from "@/kernel/http/form-response";
import { openSessionFor } from "../sessions/service";
import {
  checkMailPath,
  limitProblem,
  safeReturnPath,
  signInPath,
  signUpPath,
} from "../sessions/sign-in-path";
import { mustConfirmFirst } from "../users/email-confirmation";
import { type SignUpFieldErrors, type SignUpForm, signUp } from "../users/sign-up";
import { enter } from "./entry";

const SECONDS = 60;

/** The purpose with which the draft of a registration form is encrypted. */
const PURPOSE = "sign_up_draft";

/** The values that the user entered in a refused form, except the password, and the field errors. */
export type SignUpDraft = Readonly<{
  values: Omit<SignUpForm, "password">;
  problems: SignUpFieldErrors;
}>;

/** Creates an account, and signs the user in unless the user must confirm the e-mail address first. */
export async function register(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const field = (name: string) => (form.get(name) ?? "").trim().slice(0, 300);
  const values = { username: field("username"), name: field("name"), email: field("email") };
  const browser = browserOf(request);
  try {
    const typed = { ...values, password: form.get("password") ?? "" };
    const outcome = await signUp(deps, typed, browser.ipAddress);
    if (outcome === "closed") return seeOther(deps, signUpPath({ returnTo }));
    if ("retryAfterSeconds" in outcome) {
      const problem = limitProblem(outcome.retryAfterSeconds);
      return seeOther(deps, signUpPath({ returnTo, problem }), [draftCookie(deps, { values, problems: {} })]);
    }
    if ("problems" in outcome)
      return seeOther(deps, signUpPath({ returnTo, problem: { problem: "wrong" } }), [
        draftCookie(deps, { values, problems: outcome.problems }),
      ]);
    const clear = setCookie(deps.config, "sign_up", "", 0);
    if (outcome.user.state === "blocked_pending_approval")
      return seeOther(deps, signInPath({ returnTo, done: "waits_for_approval" }), [clear]);
    if (mustConfirmFirst(deps, await readSettings(deps), outcome.user))
      return seeOther(deps, checkMailPath(), [clear]);
    const opened = await openSessionFor(deps, outcome.user, browser, ["password"]);
    return await enter(deps, request, { ...opened, returnTo }, [clear]);
  } catch (cause) {
    if (cause instanceof PasswordsBusy)
      return seeOther(deps, signUpPath({ returnTo, problem: { problem: "busy" } }), [
        draftCookie(deps, { values, problems: {} }),
      ]);
    throw cause;
  }
}

/**
 * Returns the encrypted draft of a registration form. The encryption ensures that only the server can set the
 * values and errors that the form shows.
 */
function draftCookie(deps: Deps, draft: SignUpDraft): string {
  const sealed = seal(deps.randomBytes, deps.keys.sealing, PURPOSE, JSON.stringify(draft));
  return setCookie(deps.config, "sign_up", sealed, SECONDS);
}

/** Returns the draft that a `Cookie` header contains; null without a valid draft. */
export function signUpDraft(deps: Deps, cookieHeader: string | null): SignUpDraft | null {
  const sealed = cookieValue(deps.config, cookieHeader, "sign_up");
  const text = sealed === null ? null : openValue(deps.keys, PURPOSE, sealed);
  return text === null ? null : (JSON.parse(text) as SignUpDraft);
}
