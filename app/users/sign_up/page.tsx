import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SignUp } from "@/features/sign-in/components/sign-up";
import { loadSignUp } from "@/features/sign-in/loaders";
import { problemText, safeReturnPath } from "@/features/sign-in/rules";
import { DecisionCard } from "@/ui/decision-card";

export const metadata: Metadata = { title: "Create an account" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function SignUpPage({ searchParams }: Props) {
  const { return_to, problem, minutes } = await searchParams;
  const open = await loadSignUp();
  if (open === null) notFound();
  const returnTo = safeReturnPath(typeof return_to === "string" ? return_to : null, "/");
  return (
    <DecisionCard title="Create an account">
      <SignUp
        draft={open.draft}
        returnTo={returnTo}
        problem={problemText(problem, minutes, "No account was made yet. Correct what is marked below.")}
      />
    </DecisionCard>
  );
}
