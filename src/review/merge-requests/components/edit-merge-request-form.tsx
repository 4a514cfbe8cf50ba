"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import type { MergeRequestEditState } from "../actions";
import { MergeRequestTexts } from "./merge-request-texts";

type Props = Readonly<{
  action: (before: MergeRequestEditState, form: FormData) => Promise<MergeRequestEditState>;
  project: number;
  iid: number;
  home: string;
  draft: MergeRequestEditState["draft"];
  version: string;
}>;

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
      <MergeRequestTexts draft={draft} problems={problems} rows={12} />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Save changes
        </Button>
        <ButtonLink href={`${home}/${iid}`}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
