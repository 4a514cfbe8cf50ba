import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { signInPath } from "../../sessions/sign-in-path";
import type { SignUpDraft } from "../sign-up-form";
import { NewNameField, NewUsernameField } from "./new-account-fields";

type Props = Readonly<{
  draft: SignUpDraft | null;
  passwordCharactersMin: number;
  /** Whether users confirm their e-mail address with a link. */
  confirmsByLink: boolean;
  returnTo: string;
  problem: string | null;
}>;

/** The registration form. The form works without JavaScript. */
export function SignUp({ draft, passwordCharactersMin, confirmsByLink, returnTo, problem }: Props) {
  const { values, problems } = draft ?? { values: { username: "", name: "", email: "" }, problems: {} };
  const wrong = (label: string, text: string | undefined) => (text === undefined ? [] : [`${label} ${text}`]);
  return (
    <>
      <form method="post" action="/users/session" className="grid gap-4" noValidate>
        {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
        <input type="hidden" name="intent" value="sign_up" />
        <input type="hidden" name="return_to" value={returnTo} />
        <NewUsernameField value={values.username} problems={wrong("The username", problems.username)} />
        <NewNameField value={values.name} problems={wrong("The name", problems.name)} />
        <Field
          id="email"
          name="email"
          type="email"
          label="E-mail"
          hint={
            confirmsByLink
              ? "You get a link to confirm this e-mail address. Applications receive the e-mail address only after the confirmation."
              : "An administrator must confirm this e-mail address. Before the confirmation, applications do not receive the e-mail address, and you must sign in with your username."
          }
          defaultValue={values.email}
          problems={wrong("The e-mail address", problems.email)}
          autoComplete="email"
          maxLength={254}
          required
        />
        <Field
          id="password"
          name="password"
          type="password"
          label="Password"
          hint={`At least ${passwordCharactersMin} characters. A few random words are strong and easy to remember.`}
          problems={wrong("The password", problems.password)}
          autoComplete="new-password"
          required
        />
        <Button kind="primary">Create account</Button>
      </form>
      <p className="border-t border-line pt-4 text-center text-small text-muted">
        Already have an account? <a href={signInPath({ returnTo })}>Sign in</a>
      </p>
    </>
  );
}
