"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { Field, TextField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { MergeRequestEditState } from "../actions";

type Props = Readonly<{
  action: (before: MergeRequestEditState, form: FormData) => Promise<MergeRequestEditState>;
  project: number;
  iid: number;
  home: string;
  draft: MergeRequestEditState["draft"];
  version: string;
}>;

const listed = (problem: string | undefined) => (problem === undefined ? undefined : [problem]);

/** The form for the title and the description of a merge request. The form works without JavaScript. */
export function EditMergeRequestForm({ action, project, iid, home, draft: stored, version }: Props) {
  const [state, formAction, pending] = useActionState(action, { draft: stored, version, problems: {} });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {problems.form === undefined ? null : <Notice kind="problem">{problems.form}</Notice>}
      <input type="hidden" name="project" value={project} />
      <input type="hidden" name="iid" value={iid} />
      <input type="hidden" name="version" value={state.version} />
      <Field
        id="title"
        name="title"
        label="Title"
        hint="Start the title with Draft: to prevent a merge before the changes are ready."
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
        hint="Describe the changes and their purpose. Optional. You can use Markdown."
        prose
        dir="auto"
        rows={12}
        defaultValue={draft.description}
        problems={listed(problems.description)}
      />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Save changes
        </Button>
        <ButtonLink href={`${home}/${iid}`}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
