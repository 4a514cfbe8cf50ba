"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Notice } from "@/ui/notice";
import type { MergeMethodState } from "../actions";
import { MERGE_METHODS, type MergeMethod } from "../rules";

const METHODS: Readonly<Record<MergeMethod, Readonly<{ label: string; detail: string }>>> = {
  merge: {
    label: "Merge commit",
    detail: "Every merge creates a merge commit, even if the target branch has new commits.",
  },
  rebase_merge: {
    label: "Merge commit with semi-linear history",
    detail:
      "Every merge creates a merge commit. The source branch must be rebased onto the target branch first.",
  },
  ff: {
    label: "Fast-forward",
    detail: "Merges create no merge commits. The source branch must be rebased onto the target branch first.",
  },
};

/** The form that sets the merge method of a project. The form works without JavaScript. */
export function MergeMethodForm(props: {
  readonly action: (before: MergeMethodState, form: FormData) => Promise<MergeMethodState>;
  readonly project: number;
  readonly chosen: MergeMethod;
}) {
  const [{ problem }, formAction, pending] = useActionState(props.action, { problem: null });
  return (
    <form action={formAction} className="grid gap-4" noValidate>
      {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
      <input type="hidden" name="project" value={props.project} />
      <ChoiceGroup id="merge-method" legend="Merge method">
        {MERGE_METHODS.map((method) => (
          <ChoiceRow
            key={method}
            id={`merge-method-${method}`}
            type="radio"
            name="merge_method"
            value={method}
            defaultChecked={method === props.chosen}
            {...METHODS[method]}
          />
        ))}
      </ChoiceGroup>
      <div>
        <Button kind="primary" disabled={pending}>
          Save merge method
        </Button>
      </div>
    </form>
  );
}
