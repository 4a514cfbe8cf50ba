import { NewNameField, NewUsernameField } from "@/identity/sign-in/components/new-account-fields";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

/**
 * The entered values of the form, and the field errors. Each error text continues a sentence that begins with
 * the name of the field.
 */
export type AccountDraft = Readonly<{
  username: string;
  name: string;
  problems: Readonly<Record<string, string>>;
}>;

/** The form with which an invited person creates an account. The form works without JavaScript. */
export function AccountForm(props: {
  readonly action: string;
  readonly draft: AccountDraft;
  readonly passwordCharactersMin: number;
}) {
  const { username, name, problems } = props.draft;
  const wrong = (field: string, label: string) => {
    const text = problems[field];
    return text === undefined ? [] : [`${label} ${text}.`];
  };
  const email = problems["email"];
  return (
    <form method="post" action={props.action} className="grid gap-4" noValidate>
      {Object.keys(problems).length === 0 ? null : (
        <Notice kind="problem">
          {email === undefined
            ? "The account was not created. Correct the marked fields."
            : `The account was not created: the e-mail address ${email}.`}
        </Notice>
      )}
      <NewUsernameField value={username} problems={wrong("username", "The username")} />
      <NewNameField value={name} problems={wrong("name", "The name")} />
      <Field
        id="password"
        name="password"
        type="password"
        label="Password"
        hint={`At least ${props.passwordCharactersMin} characters. A few random words are strong and easy to remember.`}
        problems={wrong("password", "The password")}
        autoComplete="new-password"
      />
      <Button kind="primary">Create account</Button>
      <Button kind="plain" name="way" value="passkey">
        Create account with a passkey
      </Button>
    </form>
  );
}
