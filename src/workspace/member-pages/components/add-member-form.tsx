"use client";

import { useActionState } from "react";
import type { Role } from "@/access/roles";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ProjectOrGroup } from "../../members/rules";
import type { MemberFormState } from "../actions";
import { ExpiryField, RoleField } from "./role-fields";

/**
 * The form that adds a member. The form also works without JavaScript, because the action then returns a full
 * page.
 */
export function AddMemberForm(props: {
  readonly action: (before: MemberFormState, form: FormData) => Promise<MemberFormState>;
  readonly resource: Pick<ProjectOrGroup, "kind" | "id">;
  readonly held: Role;
}) {
  const [state, formAction, pending] = useActionState(props.action, {
    draft: { username: "", role: "developer", expiresAt: "" },
    problems: {},
  });
  const { draft, problems } = state;
  return (
    <Card
      title="Add a member"
      about="The user must have an account. A membership expires at the start of the selected day in UTC. Leave the date empty for a permanent membership."
    >
      <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
        {Object.keys(problems).length > 0 ? (
          <Notice kind="problem">No member was added. Correct the marked fields.</Notice>
        ) : null}
        <input type="hidden" name="kind" value={props.resource.kind} />
        <input type="hidden" name="place" value={props.resource.id} />
        <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
          <Field
            id="username"
            name="username"
            label="Username"
            defaultValue={draft.username}
            problems={problems.username === undefined ? undefined : [problems.username]}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <RoleField id="role" held={props.held} chosen={draft.role} problem={problems.role} />
          <ExpiryField id="expires_at" day={draft.expiresAt} problem={problems.expiresAt} />
        </div>
        <div>
          <Button kind="primary" disabled={pending}>
            Add member
          </Button>
        </div>
      </form>
    </Card>
  );
}
