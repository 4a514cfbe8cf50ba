import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { flashCookie } from "@/kernel/http/cookie";
import { browserOf, type Fields, refused, seeOther } from "@/kernel/http/form-response";
import {
  recordReauthentication,
  type Session,
  sessionCsrfTokenMatches,
  sessionOf,
} from "../sessions/service";
import {
  confirmPath,
  limitProblem,
  type SignInProblem,
  safeReturnPath,
  signInPath,
} from "../sessions/sign-in-path";
import { provePasskey } from "../two-factor/passkey";
import { deviceOfSession, tryPassword } from "../users/password-attempt";
import { deviceCookie } from "./known-device";
import { passkeyProblem, verifyCode } from "./second-factor-form";

/** The notice for a user who re-authenticated while submitting a form: the form must be submitted again. */
export const REPEAT = "Your identity is confirmed. Your change is not saved yet: submit the form again.";

/**
 * The purposes for which the CSRF token of the re-authentication form and its passkey challenge are valid.
 */
export const CONFIRM = "confirm";
export const confirmPurpose = (session: Session): string => `confirm ${session.id}`;

/**
 * Re-authenticates a signed-in user: by the second factor if the user has a second factor, otherwise by the
 * password.
 */
export async function confirm(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const session = await sessionOf(deps, request.headers.get("cookie"));
  if (session === null) return seeOther(deps, signInPath({ returnTo }));
  if (!sessionCsrfTokenMatches(deps, session, CONFIRM, form.get("form_token") ?? "")) return refused();
  const { ipAddress } = browserOf(request);
  const repeat = form.has("repeat");
  const problem = await (session.user.twoFactor ? verifyFactor : verifyPassword)(
    deps,
    session,
    form,
    ipAddress,
  );
  if (problem !== null) {
    deps.log.info({ event: "sign_in.confirmation_refused", reason: problem.problem });
    const recovery = form.get("way") === "recovery";
    return seeOther(deps, confirmPath({ returnTo, problem, recovery, repeat }));
  }
  await recordReauthentication(deps, session, ipAddress);
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
) => Promise<SignInProblem | null>;

const verifyFactor: Verify = async (deps, session, form, ipAddress) => {
  const { user } = session;
  const text = form.get("credential");
  if (text === undefined) {
    const device = deviceOfSession(session).id;
    return verifyCode(deps, { user, typed: form.get("code") ?? "", ipAddress, device });
  }
  return passkeyProblem(await provePasskey(deps, { purpose: confirmPurpose(session), text, user }));
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
    if (!("refused" in outcome)) return null;
    return outcome.refused === "wrong" ? { problem: "wrong" } : limitProblem(outcome.retryAfterSeconds);
  } catch (cause) {
    if (cause instanceof PasswordsBusy) return { problem: "busy" };
    throw cause;
  }
};
