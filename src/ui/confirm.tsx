import type { ReactNode } from "react";

/** A step that asks before it acts, and works without JavaScript: the action is folded away until opened. */
export function Confirm(props: {
  readonly summary: string;
  readonly question: string;
  readonly children: ReactNode;
}) {
  return (
    <details className="rounded-group border border-line bg-panel">
      <summary className="cursor-pointer px-4 py-3 font-semibold">{props.summary}…</summary>
      <div className="grid gap-3 border-t border-line px-4 py-3">
        <p>{props.question}</p>
        {props.children}
      </div>
    </details>
  );
}
