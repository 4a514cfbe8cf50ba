import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "@/identity/sessions/loaders";
import { safeReturnPath, signUpPath } from "@/identity/sessions/sign-in-path";
import { loadSignIn, refusedLogin } from "@/identity/sign-in/loaders";
import { problemText, WRONG_PASSWORD } from "@/identity/sign-in/rules";
import { PasskeyButton } from "@/identity/two-factor/components/passkey-button";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

export const metadata: Metadata = { title: "Sign in" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function SignInPage({ searchParams }: Props) {
  const { return_to, problem, minutes, again, login_hint } = await searchParams;
  const returnTo = safeReturnPath(typeof return_to === "string" ? return_to : null, "/");
  if (again === undefined && (await currentSession()) !== null) redirect(returnTo);
  const suggested = typeof login_hint === "string" ? login_hint.slice(0, 254) : "";
  const login = (await refusedLogin()) || suggested;
  const { passkey, signUpOpen } = await loadSignIn();
  const text = problemText(problem, minutes, WRONG_PASSWORD);
  return (
    <DecisionCard title="Sign in to Gatehouse">
      <form method="post" action="/users/session" className="grid gap-4">
        {text === null ? null : <Notice kind="problem">{text}</Notice>}
        <input type="hidden" name="intent" value="sign_in" />
        <input type="hidden" name="return_to" value={returnTo} />
        {again === undefined ? null : <input type="hidden" name="again" value="1" />}
        <Field
          id="login"
          name="login"
          label="Username or e-mail"
          defaultValue={login}
          autoComplete="username webauthn"
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
      <PasskeyButton
        request={passkey}
        label="Sign in with a passkey"
        fields={{
          intent: "passkey",
          return_to: returnTo,
          ...(again === undefined ? {} : { again: "1" }),
        }}
        autofill
      />
      {signUpOpen ? (
        <p className="border-t border-line pt-4 text-center text-small text-muted">
          No account yet? <a href={signUpPath({ returnTo })}>Create an account</a>
        </p>
      ) : null}
    </DecisionCard>
  );
}
