"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { CommentState } from "../actions";

type Props = Readonly<{
  action: (before: CommentState, form: FormData) => Promise<CommentState>;
  projectId: number;
  errorId: number;
  charactersMax: number;
}>;

/** The form for a comment on a tracked error. The form works without JavaScript. */
export function CommentForm({ action, projectId, errorId, charactersMax }: Props) {
  const [state, formAction, pending] = useActionState(action, { draft: "", problem: null });
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
      {state.problem === null ? null : (
        <Notice kind="problem">The comment was not added. Correct the error below.</Notice>
      )}
      <input type="hidden" name="project" value={projectId} />
      <input type="hidden" name="error" value={errorId} />
      <TextField
        id="comment"
        name="comment"
        label="Add a comment"
        hint="You can use Markdown."
        prose
        dir="auto"
        rows={4}
        maxLength={charactersMax}
        defaultValue={state.draft}
        problems={state.problem === null ? undefined : [state.problem]}
      />
      <div>
        <Button kind="primary" disabled={pending}>
          Add comment
        </Button>
      </div>
    </form>
  );
}
