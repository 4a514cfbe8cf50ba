import type { ReactNode } from "react";
import { Mark } from "./mark";

/** The frame of a page on which the user makes a decision, such as the consent page: one centered card. */
export function DecisionCard(props: {
  readonly title: ReactNode;
  readonly badge?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="grid w-full max-w-110 gap-6 rounded-card border border-line bg-panel p-6 shadow-card sm:p-8">
        <header className="grid justify-items-center gap-4">
          <div className="flex items-center gap-3">
            {props.badge}
            <span className="grid size-12 place-items-center rounded-group bg-soft text-accent">
              <Mark size={28} />
            </span>
          </div>
          <h1 className="text-center text-title font-semibold text-balance break-words">{props.title}</h1>
        </header>
        {props.children}
      </div>
    </main>
  );
}
