"use client";

import { type ReactNode, useActionState, useState } from "react";
import { PICTURE_BYTES_MAX } from "@/kernel/picture/limits";
import { Button } from "./button";
import { FieldProblems } from "./field";

type State = Readonly<{ problem: string | null }>;

/**
 * A form that uploads a picture.
 * @param props.id the id and the name of the field.
 * @param props.held the name of the picture that was uploaded before a re-authentication.
 * @param props.children hidden fields and further buttons of the form.
 */
export function PictureForm(props: {
  readonly id: string;
  readonly action: (before: State, form: FormData) => Promise<State>;
  readonly held: string | null;
  readonly children?: ReactNode;
}) {
  const { id, held } = props;
  const [{ problem }, formAction, pending] = useActionState(props.action, { problem: null });
  const [tooLarge, setTooLarge] = useState(false);
  const shown = tooLarge ? "The image is larger than 1 MB. Choose a smaller image." : problem;
  return (
    <form action={formAction} className="grid min-w-48 flex-1 gap-2">
      <label htmlFor={id} className="font-semibold">
        Picture
      </label>
      <p id={`${id}-hint`} className="text-muted text-small">
        PNG, JPEG, WebP or GIF, at most 1 MB. The image is resized to 192 by 192 pixels.
      </p>
      <input
        id={id}
        name={id}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        required={held === null}
        aria-invalid={shown ? true : undefined}
        aria-describedby={shown ? `${id}-hint ${id}-problems` : `${id}-hint`}
        className="w-full min-w-0 text-small file:mr-3 file:min-h-8 file:cursor-pointer file:rounded-control file:border file:border-control file:bg-panel file:px-3 file:font-semibold file:text-ink"
        onChange={(event) => setTooLarge((event.currentTarget.files?.[0]?.size ?? 0) > PICTURE_BYTES_MAX)}
      />
      {held === null ? null : (
        <p className="wrap-anywhere text-small">
          <bdi>{held}</bdi> is not saved yet. Select Upload to save the image, or choose another file.
        </p>
      )}
      <div aria-live="polite">
        <FieldProblems id={`${id}-problems`} texts={shown ? [shown] : undefined} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={pending || tooLarge}>
          Upload
        </Button>
        {props.children}
      </div>
    </form>
  );
}
