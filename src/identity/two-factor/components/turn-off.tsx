"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

type Props = Readonly<{ action: (before: string | null, form: FormData) => Promise<string | null> }>;

/** Turns off two-factor authentication after a check of the password. */
export function TurnOff({ action }: Props) {
  const [problem, formAction, busy] = useActionState(action, null);
  return (
    <Card
      title="Turn off two-factor authentication"
      about="Removes your authenticator app, your passkeys and your recovery codes. You then sign in with your password alone."
    >
      <form action={formAction} className="grid max-w-80 gap-4" noValidate>
        {problem === null ? null : (
          <Notice kind="problem">
            Two-factor authentication was not turned off. Correct the error below.
          </Notice>
        )}
        <Field
          id="password"
          name="password"
          type="password"
          label="Password"
          problems={problem === null ? undefined : [problem]}
          autoComplete="current-password"
          required
        />
        <div>
          <Button kind="danger" disabled={busy}>
            Turn off two-factor authentication{" "}
          </Button>
        </div>
      </form>
    </Card>
  );
}
