import type { ReactNode } from "react";
import { type ButtonKind, buttonLooks } from "./button";

/**
 * A dialog that asks for confirmation. The dialog is an HTML popover, which the browser opens and closes
 * without a script. @param props.id an id that is unique on the page. @param props.summary the label of the
 * button that opens the dialog. @param props.children the form of the confirmed action; the label of its
 * button names the object.
 */
export function Confirm(props: {
  readonly id: string;
  readonly summary: string;
  readonly title: string;
  readonly question: ReactNode;
  readonly kind?: ButtonKind;
  readonly size?: "small";
  readonly children: ReactNode;
}) {
  return (
    <>
      <button
        type="button"
        popoverTarget={props.id}
        className={buttonLooks({ kind: props.kind ?? "danger", size: props.size })}
      >
        {props.summary}…
      </button>
      <div
        id={props.id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${props.id}-title`}
        className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card border border-line bg-panel p-6 text-left text-ink shadow-card backdrop:bg-black/40"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <h2 id={`${props.id}-title`} className="font-semibold wrap-anywhere">
            {props.title}
          </h2>
          <div className="text-muted">{props.question}</div>
          <div className="flex flex-wrap justify-end gap-3">
            <button
              type="button"
              popoverTarget={props.id}
              popoverTargetAction="hide"
              className={buttonLooks({ kind: "plain" })}
            >
              Cancel
            </button>
            {props.children}
          </div>
        </div>
      </div>
    </>
  );
}
