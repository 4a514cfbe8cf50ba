import type { Metadata } from "next";
import { safeReturnPath } from "@/identity/sessions/sign-in-path";
import { SignUp } from "@/identity/sign-in/components/sign-up";
import { SignUpClosed } from "@/identity/sign-in/components/sign-up-closed";
import { loadSignUp } from "@/identity/sign-in/loaders";
import { problemText } from "@/identity/sign-in/rules";
import { DecisionCard } from "@/ui/decision-card";

export const metadata: Metadata = { title: "Create an account" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function SignUpPage({ searchParams }: Props) {
  const { return_to, problem, minutes } = await searchParams;
  const open = await loadSignUp();
  const returnTo = safeReturnPath(typeof return_to === "string" ? return_to : null, "/");
  if (open === null)
    return (
      <DecisionCard title="Registration is closed">
        <SignUpClosed returnTo={returnTo} />
      </DecisionCard>
    );
  return (
    <DecisionCard title="Create an account">
      <SignUp
        {...open}
        returnTo={returnTo}
        problem={problemText(problem, minutes, "The account was not created. Correct the marked fields.")}
      />
    </DecisionCard>
  );
}
