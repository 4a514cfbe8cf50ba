"use client";

import { type ReactNode, useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";

/** The state of the invitation form: the entered e-mail address, and the error text. */
export type InviteFormState = Readonly<{ email: string; problem: string | null }>;

/**
 * The form that invites a person by e-mail. The form also works without JavaScript, because the action then
 * returns a full page.
 */
export function InviteForm(props: {
  readonly action: (before: InviteFormState, form: FormData) => Promise<InviteFormState>;
  readonly about: ReactNode;
  /** The e-mail address that was submitted before a re-authentication. */
  readonly held?: string | null;
  /** Additional fields of the invitation form, such as the role. */
  readonly children?: ReactNode;
}) {
  const [state, formAction, pending] = useActionState(props.action, {
    email: props.held ?? "",
    problem: null,
  });
  return (
    <Card title="Invite by e-mail" about={props.about}>
      <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
        {state.problem === null ? null : (
          <Notice kind="problem">No invitation was sent. Correct the error below.</Notice>
        )}
        <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
          <Field
            id="invite-email"
            name="email"
            type="email"
            label="E-mail address"
            defaultValue={state.email}
            problems={state.problem === null ? undefined : [state.problem]}
            maxLength={254}
            autoComplete="off"
          />
          {props.children}
        </div>
        <div>
          <Button kind="primary" disabled={pending}>
            Send invitation
          </Button>
        </div>
      </form>
    </Card>
  );
}
