"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";

type Props = Readonly<{ action: (before: string | null, form: FormData) => Promise<string | null> }>;

/** Turns two-factor off, for who knows the password. */
export function TurnOff({ action }: Props) {
  const [problem, formAction, busy] = useActionState(action, null);
  return (
    <Card
      title="Turn two-factor off"
      about="Your authenticator app, your passkeys and your recovery codes stop working here, and your password alone signs you in."
    >
      <form action={formAction} className="grid max-w-80 gap-4" noValidate>
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
            Turn two-factor off
          </Button>
        </div>
      </form>
    </Card>
  );
}
