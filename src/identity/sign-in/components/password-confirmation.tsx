import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

type Props = Readonly<{
  username: string;
  csrfToken: string;
  returnTo: string;
  /**
   * Whether the re-authentication interrupted the submission of a form, which the user must then submit
   * again.
   */
  repeat: boolean;
  problem: string | null;
}>;

/** The form that re-authenticates a user without a second factor. */
export function PasswordConfirmation({ username, csrfToken, returnTo, repeat, problem }: Props) {
  return (
    <form method="post" action="/users/session" className="grid gap-4">
      {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
      <input type="hidden" name="intent" value="confirm" />
      <input type="hidden" name="form_token" value={csrfToken} />
      <input type="hidden" name="return_to" value={returnTo} />
      {repeat ? <input type="hidden" name="repeat" value="1" /> : null}
      {/* Password managers need the username that belongs to the password. */}
      <input type="text" value={username} autoComplete="username" readOnly hidden />
      <Field
        id="password"
        name="password"
        type="password"
        label="Password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <Button kind="primary">Continue</Button>
    </form>
  );
}
