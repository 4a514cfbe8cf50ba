import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { flashCookie } from "@/kernel/http/cookie";
import { browserOf, type Fields, seeOther } from "@/kernel/http/form-response";
import type { AuthenticationMethod } from "../sessions/authentication-methods";
import {
  limitProblem,
  type SignInProblem,
  safeReturnPath,
  secondFactorPath,
  signInPath,
} from "../sessions/sign-in-path";
import { provePasskey } from "../two-factor/passkey";
import { tryCode } from "../two-factor/second-factor";
import { withCheckedPassword } from "../users/service";
import { enter } from "./entry";
import { KEEP_ACCOUNT_PATH } from "./keep-account-page";
import { knownDevices } from "./known-device";
import {
  noPendingCookie,
  type PendingSignIn,
  pendingPurpose,
  pendingSignIn,
  spendPending,
} from "./pending-sign-in";
import { admit } from "./service";

/**
 * Completes a sign-in by the second factor, which is a code or a passkey response, and creates the session.
 */
export async function completeSignIn(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const pending = await pendingSignIn(deps, request.headers.get("cookie"));
  if (pending === null) return startAgain(deps, returnTo);
  const browser = browserOf(request);
  const cookie = request.headers.get("cookie");
  const device = knownDevices(deps, cookie).find(({ userId }) => userId === pending.user.id)?.id;
  const verified = await verify(deps, pending, form, { ipAddress: browser.ipAddress, device });
  if (typeof verified !== "string") {
    deps.log.info({ event: "sign_in.second_factor_refused", reason: verified.problem });
    const recovery = form.get("way") === "recovery";
    return seeOther(deps, secondFactorPath({ returnTo, problem: verified, recovery }));
  }
  if (!(await spendPending(deps, pending))) return startAgain(deps, returnTo);
  const notice = await wrongCodesNotice(deps, pending);
  const opened = await withCheckedPassword(deps, pending, (within) =>
    admit(within, pending.user, browser, [pending.method, verified]),
  );
  if (opened === null) return startAgain(deps, returnTo);
  if ("leavingCookie" in opened)
    return seeOther(deps, KEEP_ACCOUNT_PATH, [opened.leavingCookie, noPendingCookie(deps)]);
  return enter(deps, request, { ...opened, returnTo }, [
    noPendingCookie(deps),
    ...(notice === null ? [] : [flashCookie(deps.config, notice)]),
  ]);
}

/**
 * Returns the notice about wrong codes since the last sign-in. A wrong code means that another person may
 * know the password, because the form for codes is shown only after the correct password.
 */
async function wrongCodesNotice(deps: Deps, { user }: PendingSignIn): Promise<string | null> {
  const since = await audit.lastSignIn(deps, user.id);
  const { length } = since === null ? [] : await audit.wrongSecondFactors(deps, user.id, since);
  if (length === 0) return null;
  const codes = length === 1 ? "One wrong second factor was" : `${length} wrong second factors were`;
  return `${codes} entered since you last signed in. If that was not you, change your password.`;
}

/** Redirects to the sign-in form, which is shown even if another user is signed in. */
const startAgain = (deps: Deps, returnTo: string): Response =>
  seeOther(deps, signInPath({ returnTo, again: true, problem: { problem: "expired" } }), [
    noPendingCookie(deps),
  ]);

async function verify(
  deps: Deps,
  pending: PendingSignIn,
  form: Fields,
  from: Readonly<{ ipAddress: string; device: string | undefined }>,
): Promise<AuthenticationMethod | SignInProblem> {
  const text = form.get("credential");
  if (text === undefined)
    return verifyCode(deps, { user: pending.user, typed: form.get("code") ?? "", ...from });
  return verifyPasskey(deps, { purpose: pendingPurpose(pending), text, user: pending.user });
}

/**
 * Verifies a code and marks it as used.
 * @returns the kind of a correct code, or the error.
 */
export async function verifyCode(
  deps: Deps,
  attempt: Parameters<typeof tryCode>[1],
): Promise<AuthenticationMethod | SignInProblem> {
  const outcome = await tryCode(deps, attempt);
  if (outcome === "wrong") return { problem: "wrong" };
  return typeof outcome === "string" ? outcome : limitProblem(outcome.retryAfterSeconds);
}

/**
 * Verifies the response of a passkey.
 * @returns the method of a valid response, or the error.
 */
export async function verifyPasskey(
  deps: Deps,
  assertion: Parameters<typeof provePasskey>[1],
): Promise<AuthenticationMethod | SignInProblem> {
  const outcome = await provePasskey(deps, assertion);
  if (typeof outcome !== "string") return outcome.method;
  return { problem: outcome === "expired" ? "expired" : "passkey" };
}
