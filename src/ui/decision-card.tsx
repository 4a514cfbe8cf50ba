import type { ReactNode } from "react";
import { Mark } from "./mark";

/** The frame of a page on which the user makes a decision, such as the consent page: one centered card. */
export function DecisionCard(props: {
  readonly title: ReactNode;
  readonly badge?: ReactNode;
  /** Whether the card uses less space, so that a long list and the buttons fit in the window. */
  readonly dense?: boolean;
  readonly children: ReactNode;
}) {
  const space = props.dense ? "gap-2 p-4 sm:px-6" : "gap-6 p-6 sm:p-8";
  return (
    <main className={`grid min-h-dvh place-items-center ${props.dense ? "p-2" : "p-4"}`}>
      <div
        className={`grid w-full max-w-110 grid-cols-[minmax(0,1fr)] rounded-card border border-line bg-panel shadow-card ${space}`}
      >
        <header className={`grid justify-items-center ${props.dense ? "gap-2" : "gap-4"}`}>
          <div className="flex items-center gap-3">
            {props.badge}
            <span
              className={`grid place-items-center rounded-group bg-soft text-accent ${props.dense ? "size-10" : "size-12"}`}
            >
              <Mark size={28} />
            </span>
          </div>
          <h1 className="text-center text-title font-semibold text-balance wrap-anywhere">{props.title}</h1>
        </header>
        {props.children}
      </div>
    </main>
  );
}
