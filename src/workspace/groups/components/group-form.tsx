"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { FieldProblems as ErrorList } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { DescriptionField, NameField, PathField } from "../../naming/components/name-fields";
import { VisibilityChoice } from "../../naming/components/visibility";
import type { NameDraft } from "../../naming/schema";
import type { GroupFormState } from "../actions";

type Props = Readonly<{
  action: (before: GroupFormState, form: FormData) => Promise<GroupFormState>;
  draft: NameDraft;
  /** The id of the group that the form edits; absent for a new group. */
  id?: number;
  /** The id of the parent group of a new subgroup. */
  parent?: number;
  hint: string;
  submit: string;
  cancelTo: string;
}>;

/**
 * The form that creates or edits a group. The form also works without JavaScript, because the action then
 * returns a full page.
 */
export function GroupForm({ action, draft: first, id, parent, hint, submit, cancelTo }: Props) {
  const [state, formAction, pending] = useActionState(action, { draft: first, problems: {} });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The group was not saved. Correct the marked fields.</Notice>
      ) : null}
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      {parent === undefined ? null : <input type="hidden" name="parent" value={parent} />}
      <ErrorList id="parent-problems" texts={problems["parent_id"]?.map((text) => `The group ${text}.`)} />
      <NameField draft={draft} problems={problems} />
      {id === undefined ? <PathField draft={draft} problems={problems} /> : null}
      <VisibilityChoice chosen={draft.visibility} hint={hint} problems={problems["visibility_level"]} />
      <DescriptionField draft={draft} problems={problems} />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          {submit}
        </Button>
        <ButtonLink href={cancelTo}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
