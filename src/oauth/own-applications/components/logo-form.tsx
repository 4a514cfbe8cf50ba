"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { PictureField } from "@/ui/picture-field";
import { ApplicationMark } from "../../applications/components/application-mark";
import type { LogoState } from "../actions";

type Props = Readonly<{
  application: Readonly<{ id: number; name: string; logo: string | null }>;
  /** The name of the uploaded picture while the user re-authenticates; null for no such picture. */
  held: string | null;
  upload: (before: LogoState, form: FormData) => Promise<LogoState>;
  remove: (form: FormData) => Promise<void>;
}>;

/** Shows the form that uploads or removes a logo. */
export function LogoForm({ application, held, upload, remove }: Props) {
  const [{ problem }, formAction, pending] = useActionState(upload, { problem: null });
  return (
    <Card title="Logo" about="People see this logo when the application asks for access.">
      <div className="flex flex-wrap items-start gap-4">
        <ApplicationMark application={application} />
        <form action={formAction} className="grid min-w-0 flex-1 gap-2">
          <input type="hidden" name="id" value={application.id} />
          <PictureField id="logo" problem={problem} held={held} pending={pending}>
            {application.logo === null ? null : <Removal application={application} remove={remove} />}
          </PictureField>
        </form>
      </div>
    </Card>
  );
}

/**
 * Shows the button that removes the logo. The button is in the upload form and has its own action, because
 * forms cannot be nested.
 */
function Removal({ application, remove }: Pick<Props, "application" | "remove">) {
  return (
    <Confirm
      id="remove-logo"
      size="small"
      summary="Remove logo"
      title="Remove the logo?"
      question={
        <>
          The initials of <bdi className="wrap-anywhere">{application.name}</bdi> are shown instead.
        </>
      }
    >
      <Button kind="danger" formAction={remove} formNoValidate>
        Remove the logo
      </Button>
    </Confirm>
  );
}
