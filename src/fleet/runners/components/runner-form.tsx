"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { RunnerFormState } from "../actions";
import type { RunnerDraft } from "../schema";
import { NewRunnerToken } from "./new-runner-token";

type Props = Readonly<{
  action: (before: RunnerFormState, form: FormData) => Promise<RunnerFormState>;
  place: Readonly<{ kind: "instance" | "group" | "project"; id: string }>;
  draft: RunnerDraft;
  /** The path of the list of runners. */
  url: string;
}>;

/** The form that creates a runner, and then shows the token of the runner once. */
export function RunnerForm({ action, place, draft: first, url }: Props) {
  const [state, formAction, pending] = useActionState(action, {
    kind: "editing",
    draft: first,
    problems: {},
  });
  if (state.kind === "created") return <NewRunner token={state.token} url={url} />;
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The runner was not created. Correct the marked fields.</Notice>
      ) : null}
      <input type="hidden" name="kind" value={place.kind} />
      <input type="hidden" name="place" value={place.id} />
      <Field
        id="description"
        name="description"
        label="Description"
        hint="Describe the machine, so that you can recognize the runner later."
        dir="auto"
        defaultValue={draft.description}
        problems={problems["description"]?.map((text) => `The description ${text}.`)}
        maxLength={1024}
        autoComplete="off"
      />
      <Field
        id="tags"
        name="tags"
        label="Tags"
        hint="Separate tags with commas. The runner executes a job only if the runner has all tags of the job."
        defaultValue={draft.tags}
        problems={problems["tags_list"]?.map((text) => `Tags: ${text}.`)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ChoiceGroup id="options" legend="Options">
        <ChoiceRow
          id="run-untagged"
          type="checkbox"
          name="run_untagged"
          value="true"
          defaultChecked={draft.runUntagged}
          label="Run untagged jobs"
          detail="The runner also executes jobs that have no tags. Select this option if the runner has no tags."
        />
        <ChoiceRow
          id="protected"
          type="checkbox"
          name="protected"
          value="true"
          defaultChecked={draft.isProtected}
          label="Protected"
          detail="The runner executes only jobs of protected branches."
        />
        {place.kind === "project" ? (
          <ChoiceRow
            id="locked"
            type="checkbox"
            name="locked"
            value="true"
            defaultChecked={draft.locked}
            label="Lock to this project"
            detail="The runner cannot be assigned to other projects."
          />
        ) : null}
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Create runner
        </Button>
        <ButtonLink href={url}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

const NewRunner = ({ token, url }: { readonly token: string; readonly url: string }) => (
  <>
    <NewRunnerToken token={token} />
    <div>
      <ButtonLink kind="primary" href={url}>
        Done
      </ButtonLink>
    </div>
  </>
);
