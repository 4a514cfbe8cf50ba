"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Credentials } from "./credentials";

type Props = Readonly<{
  action: (before: string | null, form: FormData) => Promise<string | null>;
  id: number;
  uid: string;
  name: string;
}>;

/** The Application ID, and a new secret for it on request. */
export function SecretRenewal({ action, id, uid, name }: Props) {
  const [secret, formAction, pending] = useActionState(action, null);
  return (
    <div className="grid gap-4">
      <Credentials uid={uid} secret={secret} />
      {secret === null ? (
        <Confirm
          id="renew-secret"
          kind="plain"
          summary="Renew secret"
          title={`Renew the secret of ${name}?`}
          question={`The present secret of ${name} stops at once. Tokens that people hold go on working.`}
        >
          <form action={formAction}>
            <input type="hidden" name="id" value={id} />
            <Button disabled={pending}>Renew the secret of {name}</Button>
          </form>
        </Confirm>
      ) : null}
    </div>
  );
}
