import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession, refusedLogin } from "@/features/sign-in/loaders";
import { safeReturnPath } from "@/features/sign-in/rules";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

export const metadata: Metadata = { title: "Sign in" };

type Props = {
  readonly searchParams: Promise<{ readonly return_to?: string | string[]; readonly problem?: string }>;
};

export default async function SignInPage({ searchParams }: Props) {
  const { return_to, problem } = await searchParams;
  const returnTo = safeReturnPath(typeof return_to === "string" ? return_to : null, "/");
  if ((await currentSession()) !== null) redirect(returnTo);
  const login = await refusedLogin();
  return (
    <DecisionCard title="Sign in to Gatehouse">
      <form method="post" action="/users/session" className="grid gap-4">
        {problem ? (
          <Notice kind="problem">The name or the password is wrong. Check both and try again.</Notice>
        ) : null}
        <input type="hidden" name="intent" value="sign_in" />
        <input type="hidden" name="return_to" value={returnTo} />
        <Field
          id="login"
          name="login"
          label="Username or e-mail"
          defaultValue={login}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
          autoFocus={login === ""}
        />
        <Field
          id="password"
          name="password"
          type="password"
          label="Password"
          autoComplete="current-password"
          required
          autoFocus={login !== ""}
        />
        <Button kind="primary">Sign in</Button>
      </form>
    </DecisionCard>
  );
}
