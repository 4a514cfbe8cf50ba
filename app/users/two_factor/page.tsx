import type { Metadata } from "next";
import { safeReturnPath, secondFactorPath, signInPath } from "@/identity/sessions/sign-in-path";
import { CodeForm } from "@/identity/sign-in/components/code-form";
import { loadSecondFactor } from "@/identity/sign-in/loaders";
import { problemText, WRONG_CODE, WRONG_RECOVERY_CODE } from "@/identity/sign-in/rules";
import { DecisionCard } from "@/ui/decision-card";

export const metadata: Metadata = { title: "Second factor" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function SecondFactorPage({ searchParams }: Props) {
  const { return_to, problem, minutes, way } = await searchParams;
  const returnTo = safeReturnPath(typeof return_to === "string" ? return_to : null, "/");
  const { username, totp, passkey } = await loadSecondFactor(returnTo);
  const recovery = way === "recovery";
  return (
    <DecisionCard title="One more step">
      <CodeForm
        intent="second_factor"
        returnTo={returnTo}
        totp={totp}
        passkey={passkey}
        recovery={recovery}
        problem={problemText(problem, minutes, recovery ? WRONG_RECOVERY_CODE : WRONG_CODE)}
        otherWayAt={secondFactorPath({ returnTo, recovery: !recovery })}
      />
      <p className="border-t border-line pt-4 text-center text-small wrap-anywhere text-muted">
        You entered the password of <bdi>@{username}</bdi>.{" "}
        <a href={signInPath({ returnTo, again: true })}>Sign in with another account</a>
      </p>
    </DecisionCard>
  );
}
