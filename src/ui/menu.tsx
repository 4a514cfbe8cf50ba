import type { ReactNode } from "react";

/** A button that opens a panel below the button. The panel is an HTML popover, which needs no script. */
export function Menu(props: {
  readonly id: string;
  readonly label: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="relative">
      <button
        type="button"
        popoverTarget={props.id}
        aria-label={props.label}
        className="menu-button flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2"
      >
        {props.button}
      </button>
      <div
        id={props.id}
        popover="auto"
        className="menu w-60 rounded-group border border-line bg-panel p-2 text-ink shadow-card"
      >
        {props.children}
      </div>
    </div>
  );
}
