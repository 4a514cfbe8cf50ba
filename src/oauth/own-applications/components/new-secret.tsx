"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import type { SecretState } from "../actions";

type Props = Readonly<{
  action: (before: SecretState, form: FormData) => Promise<SecretState>;
  id: number;
  /** Whether the application has the maximum number of secrets. */
  full: boolean;
}>;

/** Shows a form that adds a second secret, and shows the new secret once. */
export function NewSecret({ action, id, full }: Props) {
  const [{ secret, problem }, formAction, pending] = useActionState(action, { secret: null, problem: null });
  if (full && secret === null && problem === null) return null;
  return (
    <div className="grid gap-4">
      {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
      {secret === null ? null : (
        <>
          <CopyField id="secret" label="New secret" value={secret} />
          <Notice kind="warning" focused>
            Copy the secret now. You cannot view it again. Both secrets work: update your servers, then remove
            the old secret.
          </Notice>
        </>
      )}
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
