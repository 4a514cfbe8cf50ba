"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { CopyField } from "@/ui/copy-field";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { UserFormState } from "../actions";
import type { UserDraft } from "../schema";

const EMPTY: UserDraft = { username: "", name: "", email: "", admin: false };

/**
 * The form that creates a user. Without JavaScript, the form also works: the action renders the whole page.
 */
export function UserForm(props: {
  readonly action: (before: UserFormState, form: FormData) => Promise<UserFormState>;
  /** The values that the administrator entered before a re-authentication. */
  readonly held: Readonly<{ draft: UserDraft; password: string }> | null;
}) {
  const [state, formAction, pending] = useActionState(props.action, {
    kind: "editing",
    draft: props.held?.draft ?? EMPTY,
    problems: {},
  });
  if (state.kind === "created") return <Made {...state} />;
  const { draft, problems } = state;
  const of = (field: string, label: string) => {
    const text = problems[field];
    return text === undefined ? undefined : [`${label} ${text}.`];
  };
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">No user was created. Correct the marked fields.</Notice>
      ) : null}
      <Field
        id="username"
        name="username"
        label="Username"
        hint="Letters, digits, dots, dashes and underscores."
        defaultValue={draft.username}
        problems={of("username", "The username")}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        id="name"
        name="name"
        label="Name"
        hint="The name that other users see. The default is the username."
        defaultValue={draft.name}
        maxLength={255}
        autoComplete="off"
      />
      <Field
        id="email"
        name="email"
        type="email"
        label="E-mail address"
        hint="The e-mail address counts as confirmed, because an administrator entered it."
        defaultValue={draft.email}
        problems={of("email", "The e-mail address")}
        maxLength={254}
        autoComplete="off"
      />
      <Field
        id="password"
        name="password"
        type="password"
        label="Password"
        hint="Leave the password empty to generate a password, which is shown once."
        defaultValue={Object.keys(problems).length === 0 ? props.held?.password : undefined}
        problems={of("password", "The password")}
        autoComplete="new-password"
      />
      <ChoiceGroup id="rights" legend="Rights">
        <ChoiceRow
          id="admin"
          type="checkbox"
          name="admin"
          value="true"
          defaultChecked={draft.admin}
          label="Administrator"
          detail="Administrators can see and change everything in the admin area."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Create user
        </Button>
        <ButtonLink href="/admin/users">Cancel</ButtonLink>
      </div>
    </form>
  );
}

function Made({ id, username, password }: Extract<UserFormState, { kind: "created" }>) {
  return (
    <div className="grid gap-6">
      <Notice kind="done" focused>
        {username} can sign in now.
      </Notice>
      {password === null ? null : (
        <div className="grid gap-4">
          <CopyField id="made_password" label="Password" value={password} />
          <Notice kind="warning">
            Copy the password now and give it to {username} through a secure channel. The password cannot be
            shown again.
          </Notice>
        </div>
      )}
      <div>
        <ButtonLink kind="primary" href={`/admin/users/${id}`}>
          Continue
        </ButtonLink>
      </div>
    </div>
  );
}
