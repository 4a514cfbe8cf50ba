import type { User } from "@/access/principal";
import { SignedInAs } from "@/identity/sign-in/components/signed-in-as";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

export type CodeEntry = Readonly<{
  user: User;
  csrfToken: string;
  /**
   * The initial value of the field for the user code: the user code in the link, or the earlier input of the
   * user.
   */
  typed: string;
  /**
   * The path of the page on which the user can sign in with another account. After the sign-in, that page
   * redirects to the form for the user code, with the same user code.
   */
  otherAccountAt: string;
  problem: string | null;
}>;

/** Shows the form for the user code. A link can contain the user code, but the user must submit the form. */
export function CodeForm({ user, csrfToken, typed, otherAccountAt, problem }: CodeEntry) {
  const prefilled = typed !== "" && problem === null;
  return (
    <DecisionCard title="Connect a device">
      <form method="post" action="/oauth/device" className="grid gap-4">
        {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
        <input type="hidden" name="form_token" value={csrfToken} />
        <Field
          id="user_code"
          name="user_code"
          label="Code on your device"
          hint={
            prefilled
              ? "The link that you followed contains this code. Continue only if your own device shows the same code."
              : "Enter the eight letters that your device shows, such as BCDF-GHJK. Lowercase letters and spaces are accepted."
          }
          className="min-h-14 w-full rounded-control border border-control bg-panel px-3 text-center font-mono text-title font-semibold tracking-widest uppercase placeholder:text-muted placeholder:opacity-60 aria-invalid:border-danger"
          placeholder="BCDF-GHJK"
          defaultValue={typed}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          required
          // The message about a refused code gets the focus instead.
          autoFocus={problem === null}
          aria-invalid={problem === null ? undefined : true}
        />
        <Button kind="primary">Continue</Button>
      </form>
      <SignedInAs user={user} otherAccountAt={otherAccountAt} />
    </DecisionCard>
  );
}
