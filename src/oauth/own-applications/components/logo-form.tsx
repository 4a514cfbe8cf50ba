"use client";

import { useActionState, useState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { FieldProblems } from "@/ui/field";
import { ApplicationMark } from "../../applications/components/application-mark";
import { LOGO_BYTES_MAX } from "../../applications/rules";
import type { LogoState } from "../actions";

type Props = Readonly<{
  application: Readonly<{ id: number; name: string; logo: string | null }>;
  /** The name of the picture that was uploaded before a re-authentication. */
  held: string | null;
  upload: (before: LogoState, form: FormData) => Promise<LogoState>;
  remove: (form: FormData) => Promise<void>;
}>;

/** Shows the form that uploads or removes a logo. */
export function LogoForm({ application, held, upload, remove }: Props) {
  const [{ problem }, formAction, pending] = useActionState(upload, { problem: null });
  const [tooLarge, setTooLarge] = useState(false);
  const shown = tooLarge ? "The picture is larger than 1 MB. Choose a smaller picture." : problem;
  return (
    <Card title="Logo" about="People see this logo when the application asks for access.">
      <div className="flex flex-wrap items-start gap-4">
        <ApplicationMark application={application} />
        <form action={formAction} className="grid min-w-0 flex-1 gap-2">
          <input type="hidden" name="id" value={application.id} />
          <label htmlFor="logo" className="font-semibold">
            Picture
          </label>
          <p id="logo-hint" className="text-muted text-small">
            PNG, JPEG, WebP or GIF, at most 1 MB. The picture is resized to 192 by 192 pixels.
          </p>
          <input
            id="logo"
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            required={held === null}
            aria-invalid={shown ? true : undefined}
            aria-describedby={shown ? "logo-hint logo-problems" : "logo-hint"}
            className="w-full min-w-0 text-small file:mr-3 file:min-h-8 file:cursor-pointer file:rounded-control file:border file:border-line file:bg-panel file:px-3 file:font-semibold file:text-ink"
            onChange={(event) => setTooLarge((event.currentTarget.files?.[0]?.size ?? 0) > LOGO_BYTES_MAX)}
          />
          {held === null ? null : (
            <p className="wrap-anywhere text-small">
              <bdi>{held}</bdi> is not saved yet. Select Upload to save it, or choose another file.
            </p>
          )}
          <div aria-live="polite">
            <FieldProblems id="logo-problems" texts={shown ? [shown] : undefined} />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button size="small" disabled={pending || tooLarge}>
              Upload
            </Button>
            {application.logo === null ? null : <Removal application={application} remove={remove} />}
          </div>
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
