import type { ReactNode } from "react";

/** The content of an empty list: the purpose of the list, and the next step. */
export function EmptyState(props: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-line bg-panel px-6 py-10 text-center">
      <p className="font-semibold">{props.title}</p>
      <div className="max-w-100 text-balance text-muted">{props.children}</div>
      {props.action ? <div className="mt-2">{props.action}</div> : null}
    </div>
  );
}
