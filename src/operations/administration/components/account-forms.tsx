"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { CopyField } from "@/ui/copy-field";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { AccountFormState } from "../actions";

type Action = (before: AccountFormState, form: FormData) => Promise<AccountFormState>;

const EDITING: Extract<AccountFormState, { kind: "editing" }> = {
  kind: "editing",
  email: null,
  problem: null,
};

/** The form with which an administrator sets the e-mail address of a user. */
export function EmailForm(props: {
  readonly id: number;
  /** The confirmed e-mail address, or null. */
  readonly email: string | null;
  /** The e-mail address that the administrator submitted before a re-authentication, or null. */
  readonly held: string | null;
  readonly action: Action;
}) {
  const [state, formAction, pending] = useActionState(props.action, { ...EDITING, email: props.held });
  const editing = state.kind === "editing" ? state : EDITING;
  return (
    <Card
      id="section-email"
      title="E-mail address"
      about="The e-mail address counts as confirmed, because an administrator entered it."
    >
      <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
        {editing.problem === null ? null : (
          <Notice kind="problem">The e-mail address was not changed. Correct the error below.</Notice>
        )}
        <input type="hidden" name="id" value={props.id} />
        <Field
          id="user-email"
          name="email"
          type="email"
          label="E-mail address of this user"
          defaultValue={editing.email ?? props.email ?? ""}
          problems={editing.problem === null ? undefined : [editing.problem]}
          maxLength={254}
          autoComplete="off"
        />
        <div>
          <Button disabled={pending}>Change e-mail address</Button>
        </div>
      </form>
    </Card>
  );
}

/** The form with which an administrator sets a new password for another user. */
export function PasswordForm(props: {
  readonly id: number;
  readonly username: string;
  /** Whether a submitted password was discarded, because the administrator had to re-authenticate first. */
  readonly discarded: boolean;
  readonly action: Action;
}) {
  const [state, formAction, pending] = useActionState(props.action, {
    ...EDITING,
    problem: props.discarded ? "Enter the new password again." : null,
  });
  const { username } = props;
  return (
    <Card
      id="section-password"
      title="Password"
      about="A new password ends all sessions of this user and revokes all grants and access tokens. Before you reset the password, make sure that the user requested the new password."
    >
      {state.kind === "reset" ? (
        <>
          <Notice kind="done" focused>
            {username} has a new password. All sessions have ended, and all grants and tokens are revoked.
          </Notice>
          {state.password === null ? null : (
            <>
              <CopyField id="new_password" label="New password" value={state.password} />
              <Notice kind="warning">
                Copy the password now and give it to {username} through a secure channel. The password cannot
                be shown again.
              </Notice>
            </>
          )}
        </>
      ) : (
        <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
          {state.problem === null ? null : (
            <Notice kind="problem">The password was not changed. Correct the error below.</Notice>
          )}
          <input type="hidden" name="id" value={props.id} />
          {/* The Enter key presses the first submit button of the form, and must not skip the confirmation. */}
          <button type="submit" disabled hidden />
          <Field
            id="user-password"
            name="password"
            type="password"
            label="New password of this user"
            hint="Leave the password empty to generate a password, which is shown once."
            problems={state.problem === null ? undefined : [state.problem]}
            autoComplete="new-password"
          />
          <div>
            <Confirm
              id="reset-password"
              summary="Reset password"
              title={`Reset the password of ${username}?`}
              question="All sessions of this user end, and all grants and access tokens are revoked."
            >
              <Button kind="danger" disabled={pending}>
                Reset the password
              </Button>
            </Confirm>
          </div>
        </form>
      )}
    </Card>
  );
}
