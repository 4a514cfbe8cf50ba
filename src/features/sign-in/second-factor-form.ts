import type { Deps } from "@/platform/deps";
import { provePasskey } from "../two-factor/passkey";
import { tryCode } from "../two-factor/second-factor";
import { enter } from "./entry";
import { browserOf, type Fields, seeOther } from "./form-answer";
import {
  noPendingCookie,
  type PendingSignIn,
  pendingPurpose,
  pendingSignIn,
  spendPending,
} from "./pending-sign-in";
import { limitProblem, type SignInProblem, safeReturnPath, secondFactorPath, signInPath } from "./rules";
import { openSessionFor } from "./service";

/** The second factor after a right password: a code, or a passkey's answer. The session begins here. */
export async function completeSignIn(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const pending = await pendingSignIn(deps, request.headers.get("cookie"));
  if (pending === null) return startAgain(deps, returnTo);
  const browser = browserOf(request);
  const problem = await judge(deps, pending, form, browser.address);
  if (problem !== null) {
    deps.log.info({ event: "sign_in.second_factor_refused", reason: problem.problem });
    const recovery = form.get("way") === "recovery";
    return seeOther(deps, secondFactorPath({ returnTo, problem, recovery }));
  }
  if (!(await spendPending(deps, pending))) return startAgain(deps, returnTo);
  const opened = await openSessionFor(deps, pending.user, browser);
  return enter(deps, request, { ...opened, returnTo }, [noPendingCookie(deps)]);
}

/** The password has to be given again; whoever is signed in meanwhile sees the form too. */
const startAgain = (deps: Deps, returnTo: string): Response =>
  seeOther(deps, signInPath({ returnTo, again: true, problem: { problem: "expired" } }), [
    noPendingCookie(deps),
  ]);

async function judge(
  deps: Deps,
  pending: PendingSignIn,
  form: Fields,
  address: string,
): Promise<SignInProblem | null> {
  const text = form.get("credential");
  if (text === undefined)
    return judgeCode(deps, { user: pending.user, typed: form.get("code") ?? "", address });
  const outcome = await provePasskey(deps, { purpose: pendingPurpose(pending), text, person: pending.user });
  return passkeyProblem(outcome);
}

/** What is wrong with a typed code; null when it was right, and is used up. */
export async function judgeCode(
  deps: Deps,
  attempt: Parameters<typeof tryCode>[1],
): Promise<SignInProblem | null> {
  const outcome = await tryCode(deps, attempt);
  if (outcome === "right") return null;
  return outcome === "wrong" ? { problem: "wrong" } : limitProblem(outcome.retryAfterSeconds);
}

export function passkeyProblem(outcome: Awaited<ReturnType<typeof provePasskey>>): SignInProblem | null {
  if (typeof outcome !== "string") return null;
  return { problem: outcome === "expired" ? "expired" : "passkey" };
}
