"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import type { SecretState } from "../actions";
import { FullLoad } from "./full-load";

type Props = Readonly<{
  action: (before: SecretState, form: FormData) => Promise<SecretState>;
  id: number;
  /** Whether the application has the maximum number of secrets. */
  full: boolean;
}>;

/** Shows a form that adds a second secret. The new secret is shown on a separate page. */
export function NewSecret({ action, id, full }: Props) {
  const [state, formAction, pending] = useActionState(action, { secretAt: null, problem: null });
  if (state.secretAt !== null) return <FullLoad to={state.secretAt} />;
  if (full && state.problem === null) return null;
  return (
    <div className="grid gap-4">
      {state.problem === null ? null : <Notice kind="problem">{state.problem}</Notice>}
      {full ? null : (
        <form action={formAction}>
          <input type="hidden" name="id" value={id} />
          <Button size="small" disabled={pending}>
            Add a second secret
          </Button>
        </form>
      )}
    </div>
  );
}
