import type { ReactNode } from "react";
import { type ButtonKind, buttonLooks } from "./button";

/**
 * A modal dialog that asks for confirmation. The buttons of the dialog use HTML button commands. The browser
 * therefore opens and closes the dialog without a script. The browser keeps the focus in the dialog, and
 * returns the focus to the opening button when the dialog closes. Browsers that do not support button
 * commands show the dialog as a popover.
 * @param props.id an id that is unique on the page.
 * @param props.summary the label of the button that opens the dialog.
 * @param props.children the form of the confirmed action. The label of the submit button names the object
 * that the confirmed action changes or deletes.
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
        {...command("show-modal", props.id)}
        popoverTarget={props.id}
        className={buttonLooks({ kind: props.kind ?? "danger", size: props.size })}
      >
        {props.summary}…
      </button>
      <dialog
        id={props.id}
        popover="auto"
        closedby="any"
        aria-labelledby={`${props.id}-title`}
        className="dialog"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <h2 id={`${props.id}-title`} className="font-semibold wrap-anywhere">
            {props.title}
          </h2>
          <div className="text-muted">{props.question}</div>
          <div className="flex flex-wrap justify-end gap-3">
            <button
              type="button"
              {...command("close", props.id)}
              popoverTarget={props.id}
              popoverTargetAction="hide"
              className={buttonLooks({ kind: "plain" })}
            >
              Cancel
            </button>
            {props.children}
          </div>
        </div>
      </dialog>
    </>
  );
}

/** The attributes of a button that opens or closes a dialog (HTML §4.10.18.7). */
const command = (name: "show-modal" | "close", dialog: string) => ({ command: name, commandfor: dialog });
