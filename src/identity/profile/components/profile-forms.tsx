"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field, FieldProblems } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { EmailState, PasswordState, ProfileState } from "../actions";

type Action<State> = (before: State, form: FormData) => Promise<State>;

const listOf = (problem: string | undefined): readonly string[] | undefined =>
  problem === undefined ? undefined : [problem];

/** States that a form was refused, if the form has field errors. */
const RefusalNotice = (props: { readonly problems: object; readonly children: string }) =>
  Object.keys(props.problems).length > 0 ? (
    <Notice kind="problem">{props.children} Correct the errors below.</Notice>
  ) : null;

/** The form for the name and the visibility of the profile. */
export function ProfileForm(props: {
  readonly action: Action<ProfileState>;
  readonly name: string;
  readonly privateProfile: boolean;
}) {
  const [{ typed, problems }, formAction, pending] = useActionState(props.action, {
    typed: {},
    problems: {},
  });
  return (
    <form key={JSON.stringify([typed, problems])} action={formAction} className="grid gap-4" noValidate>
      <RefusalNotice problems={problems}>The profile was not saved.</RefusalNotice>
      <Field
        id="name"
        name="name"
        label="Name"
        hint="Visible to other people."
        dir="auto"
        defaultValue={typed.name ?? props.name}
        problems={listOf(problems.name)}
        maxLength={255}
        autoComplete="name"
      />
      <ChoiceGroup id="privacy" legend="Visibility of your profile">
        <ChoiceRow
          id="private-profile"
          type="checkbox"
          name="private_profile"
          value="true"
          defaultChecked={
            typed.privateProfile === undefined ? props.privateProfile : typed.privateProfile === "true"
          }
          label="Private profile"
          detail="Other people see only your name and username."
        />
      </ChoiceGroup>
      <div>
        <Button kind="primary" disabled={pending}>
          Save profile
        </Button>
      </div>
    </form>
  );
}

/** The form that requests a new e-mail address. The form requires the current password. */
export function EmailForm(props: { readonly action: Action<EmailState>; readonly hasPassword: boolean }) {
  const [{ typed, problems }, formAction, pending] = useActionState(props.action, {
    typed: {},
    problems: {},
  });
  return (
    <form key={JSON.stringify([typed, problems])} action={formAction} className="grid gap-4" noValidate>
      <RefusalNotice problems={problems}>The e-mail address was not changed.</RefusalNotice>
      <Field
        id="email"
        name="email"
        type="email"
        label="New e-mail address"
        defaultValue={typed.email ?? ""}
        problems={listOf(problems.email)}
        maxLength={254}
        autoComplete="email"
      />
      <CurrentPassword
        id="email-current-password"
        hasPassword={props.hasPassword}
        problem={problems.currentPassword}
      />
      <div>
        <Button disabled={pending}>Request change</Button>
      </div>
    </form>
  );
}

/**
 * Shows the field for the current password. For a user without a password, the component shows only the
 * error, if any.
 */
function CurrentPassword(props: {
  readonly id: string;
  readonly hasPassword: boolean;
  readonly problem: string | undefined;
}) {
  if (props.hasPassword)
    return (
      <Field
        id={props.id}
        name="current_password"
        type="password"
        label="Current password"
        problems={listOf(props.problem)}
        autoComplete="current-password"
      />
    );
  return <FieldProblems id={`${props.id}-problems`} texts={listOf(props.problem)} />;
}

/** The form for a new password. The form requires the current password if the user has a password. */
export function PasswordForm(props: {
  readonly action: Action<PasswordState>;
  readonly username: string;
  readonly hasPassword: boolean;
  readonly charactersMin: number;
}) {
  const [{ problems, revokesAccess }, formAction, pending] = useActionState(props.action, {
    typed: {},
    problems: {},
    revokesAccess: true,
  });
  return (
    <form
      key={JSON.stringify([problems, revokesAccess])}
      action={formAction}
      className="grid gap-4"
      noValidate
    >
      <RefusalNotice problems={problems}>The password was not changed.</RefusalNotice>
      {/* Password managers need the username that belongs to the password. */}
      <input type="hidden" name="username" autoComplete="username" value={props.username} />
      <CurrentPassword
        id="current-password"
        hasPassword={props.hasPassword}
        problem={problems.currentPassword}
      />
      <Field
        id="password"
        name="password"
        type="password"
        label="New password"
        hint={`At least ${props.charactersMin} characters. A few random words are strong and easy to remember.`}
        problems={listOf(problems.password)}
        autoComplete="new-password"
      />
      <Field
        id="password-again"
        name="password_again"
        type="password"
        label="Confirm new password"
        problems={listOf(problems.again)}
        autoComplete="new-password"
      />
      <ChoiceGroup id="elsewhere" legend="Other sessions and tokens">
        <ChoiceRow
          id="revoke-access"
          type="checkbox"
          name="revoke_access"
          value="true"
          defaultChecked={revokesAccess}
          label="Sign out everywhere and revoke tokens"
          detail="Ends your other sessions, and revokes the access of all authorized applications and all personal access tokens. You must then reconnect the programs that use your account."
        />
      </ChoiceGroup>
      <div>
        <Button disabled={pending}>{props.hasPassword ? "Change password" : "Set password"}</Button>
      </div>
    </form>
  );
}
