import type { Metadata } from "next";
import { PROOF_MINUTES } from "@/identity/sessions/rules";
import { confirmPath, safeReturnPath } from "@/identity/sessions/sign-in-path";
import { CodeForm } from "@/identity/sign-in/components/code-form";
import { PasswordConfirmation } from "@/identity/sign-in/components/password-confirmation";
import { loadConfirm } from "@/identity/sign-in/loaders";
import { problemText, WRONG_CODE, WRONG_PASSWORD_ALONE, WRONG_RECOVERY_CODE } from "@/identity/sign-in/rules";
import { DecisionCard } from "@/ui/decision-card";

export const metadata: Metadata = { title: "Confirm that it is you" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function ConfirmPage({ searchParams }: Props) {
  const { return_to, problem, minutes, way, repeat: repeated } = await searchParams;
  const returnTo = safeReturnPath(typeof return_to === "string" ? return_to : null, "/");
  const { username, csrfToken, factor } = await loadConfirm(returnTo);
  const recovery = way === "recovery";
  const repeat = repeated === "1";
  const wrong = recovery ? WRONG_RECOVERY_CODE : WRONG_CODE;
  return (
    <DecisionCard title="Confirm that it is you">
      <p className="-mt-2 text-center wrap-anywhere text-muted">
        You signed in as <bdi>@{username}</bdi> more than {PROOF_MINUTES} minutes ago. To continue, confirm
        that it is you.
      </p>
      {factor === null ? (
        <PasswordConfirmation
          username={username}
          csrfToken={csrfToken}
          returnTo={returnTo}
          repeat={repeat}
          problem={problemText(problem, minutes, WRONG_PASSWORD_ALONE)}
        />
      ) : (
        <CodeForm
          intent="confirm"
          returnTo={returnTo}
          repeat={repeat}
          csrfToken={csrfToken}
          {...factor}
          recovery={recovery}
          problem={problemText(problem, minutes, wrong)}
          otherWayAt={confirmPath({ returnTo, recovery: !recovery, repeat })}
        />
      )}
    </DecisionCard>
  );
}
