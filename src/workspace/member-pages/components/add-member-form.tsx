"use client";

import { useActionState } from "react";
import type { Role } from "@/access/roles";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import type { Place } from "../../members/rules";
import type { MemberFormState } from "../actions";
import { EndField, RoleField } from "./role-fields";

/** Makes somebody a member. Works without JavaScript: the action then answers with a whole page. */
export function AddMemberForm(props: {
  readonly action: (before: MemberFormState, form: FormData) => Promise<MemberFormState>;
  readonly place: Pick<Place, "kind" | "id">;
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
      about="They need an account here. Their membership ends when the day begins that you choose, in UTC; without one, it never does."
    >
      <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
        <input type="hidden" name="kind" value={props.place.kind} />
        <input type="hidden" name="place" value={props.place.id} />
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
          <EndField id="expires_at" day={draft.expiresAt} problem={problems.expiresAt} />
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
