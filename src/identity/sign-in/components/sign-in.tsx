import type { ReactNode } from "react";
import { PasskeyButton } from "@/identity/two-factor/components/passkey-button";
import type { PasskeyRequest } from "@/identity/two-factor/passkey";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { passwordResetPath, signUpPath } from "../../sessions/sign-in-path";

type Props = Readonly<{
  returnTo: string;
  /** Whether the form is shown although a user is signed in. */
  again: boolean;
  /** Whether the client requires a new sign-in. */
  recent: boolean;
  login: string;
  problem: string | null;
  /** The message about the change that the previous page has completed. */
  done: string | null;
  passkey: PasskeyRequest;
  /** The buttons for the sign-in with other providers. */
  providers: ReactNode;
  signUpOpen: boolean;
}>;

/** The form for a sign-in with a password or a passkey. The form for passwords works without JavaScript. */
export function SignIn({
  returnTo,
  again,
  recent,
  login,
  problem,
  done,
  passkey,
  providers,
  signUpOpen,
}: Props) {
  return (
    <>
      <form method="post" action="/users/session" className="grid gap-4">
        {done === null ? null : <Notice kind="done">{done}</Notice>}
        {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
        <input type="hidden" name="intent" value="sign_in" />
        <input type="hidden" name="return_to" value={returnTo} />
        {again ? <input type="hidden" name="again" value="1" /> : null}
        {recent ? <input type="hidden" name="recent" value="1" /> : null}
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
        <button
          type="button"
          hidden
          data-shows="password"
          aria-pressed="false"
          className="-mt-2 min-h-8 cursor-pointer justify-self-start text-accent text-small underline underline-offset-4"
        >
          Show password
        </button>
        <Button kind="primary">Sign in</Button>
        <p className="text-center text-small">
          <a href={passwordResetPath({ returnTo })}>Forgot your password?</a>
        </p>
      </form>
      <PasskeyButton
        request={passkey}
        label="Sign in with a passkey"
        fields={{
          intent: "passkey",
          return_to: returnTo,
          ...(again ? { again: "1" } : {}),
          ...(recent ? { recent: "1" } : {}),
        }}
        autofill
      />
      {providers}
      {signUpOpen ? (
        <p className="border-t border-line pt-4 text-center text-small text-muted">
          No account yet? <a href={signUpPath({ returnTo })}>Create an account</a>
        </p>
      ) : null}
    </>
  );
}
