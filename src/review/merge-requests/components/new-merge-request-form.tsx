"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field, SelectField, TextField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { MergeRequestFormState } from "../actions";

type Props = Readonly<{
  action: (before: MergeRequestFormState, form: FormData) => Promise<MergeRequestFormState>;
  project: number;
  home: string;
  /** Each branch with how it is shown. */
  branches: readonly Readonly<{ name: string; shown: string }>[];
  main: string;
  source: string;
}>;

const listed = (problem: string | undefined) => (problem === undefined ? undefined : [problem]);

/** Opens a merge request. Works without JavaScript: the action then answers with a whole page. */
export function NewMergeRequestForm({ action, project, home, branches, main, source }: Props) {
  const [state, formAction, pending] = useActionState(action, {
    draft: { source, target: main, title: "", description: "", squash: false, removesSource: false },
    problems: {},
  });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">Nothing was opened yet. Correct what is marked below.</Notice>
      ) : null}
      <input type="hidden" name="project" value={project} />
      <BranchField
        name="source"
        label="From"
        hint="The branch with the work."
        branches={branches}
        state={state}
      />
      <BranchField
        name="target"
        label="Into"
        hint="The branch that it goes to."
        branches={branches}
        state={state}
      />
      <Field
        id="title"
        name="title"
        label="Title"
        hint="Begin it with Draft: while the work goes on."
        dir="auto"
        defaultValue={draft.title}
        problems={listed(problems.title)}
        maxLength={255}
        autoComplete="off"
      />
      <TextField
        id="description"
        name="description"
        label="Description"
        hint="What it does, and why. You may leave it empty."
        prose
        dir="auto"
        rows={6}
        defaultValue={draft.description}
        problems={listed(problems.description)}
      />
      <ChoiceGroup id="when-merged" legend="When it is merged">
        <ChoiceRow
          id="squash"
          type="checkbox"
          name="squash"
          defaultChecked={draft.squash}
          label="Make one commit of all"
          detail="The commits of the branch become a single one."
        />
        <ChoiceRow
          id="removes-source"
          type="checkbox"
          name="removesSource"
          defaultChecked={draft.removesSource}
          label="Remove the branch"
          detail="The default branch always stays."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Open merge request
        </Button>
        <ButtonLink href={home}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

/** The branch at one of the two ends. */
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
