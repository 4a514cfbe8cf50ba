import { seeOther } from "@/kernel/http/form-response";
import { DecisionCard } from "@/ui/decision-card";
import { secondFactorPath, signInPath } from "../sessions/sign-in-path";
import { requestOptions } from "../two-factor/passkey";
import { twoFactorOf } from "../two-factor/service";
import { CodeForm } from "./components/code-form";
import { pendingPurpose, pendingSignIn } from "./pending-sign-in";
import { problemText, WRONG_CODE, WRONG_RECOVERY_CODE } from "./rules";
import { signInDocument } from "./sign-in-document";

/**
 * `GET /users/two_factor`: shows the form for the second factor of a pending sign-in; without a pending sign-in,
 * redirects to the sign-in page.
 */
export const showSecondFactor = signInDocument(async ({ deps, cookie, query, returnTo }) => {
  const pending = await pendingSignIn(deps, cookie);
  if (pending === null)
    return seeOther(deps, signInPath({ returnTo, again: true, problem: { problem: "expired" } }));
  const { totp, passkeys } = await twoFactorOf(deps, pending.user);
  const recovery = query("way") === "recovery";
  const wrong = recovery ? WRONG_RECOVERY_CODE : WRONG_CODE;
  return {
    title: "Second factor",
    body: (
      <DecisionCard title="Sign in with your second factor">
        <CodeForm
          intent="second_factor"
          returnTo={returnTo}
          totp={totp}
          passkey={
            passkeys.length === 0 ? null : await requestOptions(deps, pendingPurpose(pending), pending.user)
          }
          recovery={recovery}
          problem={problemText(query("problem"), query("minutes"), wrong)}
          otherWayAt={secondFactorPath({ returnTo, recovery: !recovery })}
        />
        <p className="border-t border-line pt-4 text-center text-small wrap-anywhere text-muted">
          You are signing in as <bdi>@{pending.user.username}</bdi>.{" "}
          <a href={signInPath({ returnTo, again: true })}>Sign in with another account</a>
        </p>
      </DecisionCard>
    ),
  };
});
