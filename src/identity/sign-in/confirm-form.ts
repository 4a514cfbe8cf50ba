import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { flashCookie } from "@/kernel/http/cookie";
import { browserOf, type Fields, refused, seeOther } from "@/kernel/http/form-response";
import type { AuthenticationMethod } from "../sessions/authentication-methods";
import {
  recordReauthentication,
  type Session,
  sessionCsrfTokenMatches,
  sessionOf,
} from "../sessions/service";
import {
  confirmPath,
  limitProblem,
  requestedFactorIn,
  type SignInProblem,
  safeReturnPath,
  signInPath,
} from "../sessions/sign-in-path";
import { deviceOfSession, tryPassword } from "../users/password-attempt";
import { deviceCookie } from "./known-device";
import { verifyCode, verifyPasskey } from "./second-factor-form";

/**
 * The notice for a user who had to re-authenticate while submitting a form, and must submit the form again.
 */
export const REPEAT = "Your identity is confirmed. Your change is not saved yet: submit the form again.";

/**
 * The purposes for which the CSRF token of the re-authentication form and its passkey challenge are valid.
 */
export const CONFIRM = "confirm";
export const confirmPurpose = (session: Session): string => `confirm ${session.id}`;

/**
 * Re-authenticates a signed-in user by the second factor, or by the password if the user has no second
 * factor.
 */
export async function confirm(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const session = await sessionOf(deps, request.headers.get("cookie"));
  if (session === null) return seeOther(deps, signInPath({ returnTo }));
  if (!sessionCsrfTokenMatches(deps, session, CONFIRM, form.get("form_token") ?? "")) return refused();
  const { ipAddress } = browserOf(request);
  const repeat = form.has("repeat");
  const outcome = await (session.user.twoFactor ? verifyFactor : verifyPassword)(
    deps,
    session,
    form,
    ipAddress,
  );
  if (typeof outcome !== "string") {
    deps.log.info({ event: "sign_in.confirmation_refused", reason: outcome.problem });
    const recovery = form.get("way") === "recovery";
    const requested = requestedFactorIn((name) => form.get(name));
    return seeOther(deps, confirmPath({ returnTo, problem: outcome, recovery, repeat, requested }));
  }
  await recordReauthentication(deps, session, outcome, ipAddress);
  return seeOther(deps, returnTo, [
    deviceCookie(deps, request.headers.get("cookie"), session.user.id),
    ...(repeat ? [flashCookie(deps.config, REPEAT)] : []),
  ]);
}

type Verify = (
  deps: Deps,
  session: Session,
  form: Fields,
  ipAddress: string,
) => Promise<AuthenticationMethod | SignInProblem>;

const verifyFactor: Verify = async (deps, session, form, ipAddress) => {
  const { user } = session;
  const text = form.get("credential");
  if (text === undefined) {
    const device = deviceOfSession(session).id;
    return verifyCode(deps, { user, typed: form.get("code") ?? "", ipAddress, device });
  }
  return verifyPasskey(deps, { purpose: confirmPurpose(session), text, user });
};

const verifyPassword: Verify = async (deps, session, form, ipAddress) => {
  try {
    const password = form.get("password") ?? "";
    const attempt = {
      login: session.user.username,
      password,
      ipAddress,
      devices: [deviceOfSession(session)],
    };
    const outcome = await tryPassword(deps, await readSettings(deps), { ...attempt, way: "sign_in" });
    if (!("refused" in outcome)) return "password";
    return outcome.refused === "wrong" ? { problem: "wrong" } : limitProblem(outcome.retryAfterSeconds);
  } catch (cause) {
    if (cause instanceof PasswordsBusy) return { problem: "busy" };
    throw cause;
  }
};
