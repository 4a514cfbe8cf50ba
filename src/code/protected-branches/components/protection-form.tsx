"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field, SelectField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ProtectionFormState } from "../actions";
import { ACCESS_LEVEL_LABELS, ACCESS_LEVELS, type AccessLevel, DEFAULT_PROTECTION } from "../rules";

const EMPTY: ProtectionFormState = { draft: { name: "", ...DEFAULT_PROTECTION }, error: null };

/** A form that protects a branch. The form works without JavaScript. */
export function ProtectionForm(props: {
  readonly action: (before: ProtectionFormState, form: FormData) => Promise<ProtectionFormState>;
  readonly project: number;
}) {
  const [state, formAction, pending] = useActionState(props.action, EMPTY);
  const { draft, error } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
      {error === null ? null : (
        <Notice kind="problem">The branch was not protected. Correct the error below.</Notice>
      )}
      <input type="hidden" name="project" value={props.project} />
      <Field
        id="branch-name"
        name="name"
        label="Branch"
        hint="A name such as main, or a wildcard such as release/* for all branches that start with release/."
        defaultValue={draft.name}
        problems={error === null ? undefined : [error]}
        maxLength={255}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <LevelField name="mergeAccessLevel" label="Allowed to merge" chosen={draft.mergeAccessLevel} />
        <LevelField name="pushAccessLevel" label="Allowed to push and merge" chosen={draft.pushAccessLevel} />
      </div>
      <ChoiceGroup id="force-push" legend="Force push">
        <ChoiceRow
          id="allow-force-push"
          type="checkbox"
          name="allowForcePush"
          defaultChecked={draft.allowForcePush}
          label="Allow force push"
          detail="Users who are allowed to push can also overwrite the history of the branch."
        />
      </ChoiceGroup>
      <div>
        <Button kind="primary" disabled={pending}>
          Protect branch
        </Button>
      </div>
    </form>
  );
}

const LevelField = (props: {
  readonly name: string;
  readonly label: string;
  readonly chosen: AccessLevel;
}) => (
  <SelectField id={props.name} name={props.name} label={props.label} defaultValue={String(props.chosen)}>
    {ACCESS_LEVELS.toReversed().map((level) => (
      <option key={level} value={String(level)}>
        {ACCESS_LEVEL_LABELS[level]}
      </option>
    ))}
  </SelectField>
);
