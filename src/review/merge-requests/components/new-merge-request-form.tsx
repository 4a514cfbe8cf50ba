"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { SelectField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { MergeRequestFormState } from "../actions";
import { listed, MergeRequestTexts } from "./merge-request-texts";

type Props = Readonly<{
  action: (before: MergeRequestFormState, form: FormData) => Promise<MergeRequestFormState>;
  project: number;
  home: string;
  /** The branches that the user can select. `shown` is the branch name with escaped invisible characters. */
  branches: readonly Readonly<{ name: string; shown: string }>[];
  main: string;
  source: string;
}>;

/**
 * The form that creates a merge request. The form also works without JavaScript, because the server action
 * then returns a full page.
 */
export function NewMergeRequestForm({ action, project, home, branches, main, source }: Props) {
  const [state, formAction, pending] = useActionState(action, {
    draft: { source, target: main, title: "", description: "", squash: false, removesSource: false },
    problems: {},
  });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The merge request was not created. Correct the marked fields.</Notice>
      ) : null}
      <input type="hidden" name="project" value={project} />
      <BranchField
        name="source"
        label="Source branch"
        hint="The branch with your changes."
        branches={branches}
        state={state}
      />
      <BranchField
        name="target"
        label="Target branch"
        hint="The branch into which the source branch is merged."
        branches={branches}
        state={state}
      />
      <MergeRequestTexts draft={draft} problems={problems} rows={6} />
      <ChoiceGroup id="when-merged" legend="Merge options">
        <ChoiceRow
          id="squash"
          type="checkbox"
          name="squash"
          defaultChecked={draft.squash}
          label="Squash commits"
          detail="Combine all commits of the source branch into one commit."
        />
        <ChoiceRow
          id="removes-source"
          type="checkbox"
          name="removesSource"
          defaultChecked={draft.removesSource}
          label="Delete source branch"
          detail="The default branch and protected branches are never deleted."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Create merge request
        </Button>
        <ButtonLink href={home}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

const BranchField = (props: {
  readonly name: "source" | "target";
  readonly label: string;
  readonly hint: string;
  readonly branches: Props["branches"];
  readonly state: MergeRequestFormState;
}) => (
  <SelectField
    id={props.name}
    name={props.name}
    label={props.label}
    hint={props.hint}
    defaultValue={props.state.draft[props.name]}
    problems={listed(props.state.problems[props.name])}
  >
    <option value="">Choose a branch</option>
    {props.branches.map(({ name, shown }) => (
      <option key={name} value={name}>
        {shown}
      </option>
    ))}
  </SelectField>
);
