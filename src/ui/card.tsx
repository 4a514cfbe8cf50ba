import type { ReactNode } from "react";

/** A panel of a page, with an optional heading. */
export function Card(props: {
  /** The HTML id of the panel, which is the target of links to the panel. */
  readonly id?: string;
  readonly title?: ReactNode;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  /**
   * Whether the action of the panel deletes an object, so that the border of the panel has the color for
   * dangerous actions.
   */
  readonly danger?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <section
      id={props.id}
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-card border bg-panel p-4 sm:p-6 ${
        props.danger ? "border-danger/50" : "border-line"
      }`}
    >
      {props.title === undefined ? null : (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="grid min-w-50 flex-1 gap-1">
            <h2 className="text-lead font-semibold wrap-anywhere">{props.title}</h2>
            {props.about ? <div className="text-small text-muted">{props.about}</div> : null}
          </div>
          {props.action}
        </div>
      )}
      {props.children}
    </section>
  );
}

/**
 * A description list. Terms are above their values on narrow screens, and next to their values on wide
 * screens.
 */
export function Facts({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <dl id={id} className="divide-y divide-line rounded-card border border-line bg-panel">
      {children}
    </dl>
  );
}

export function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1 px-4 py-2.5 sm:grid-cols-[140px_minmax(0,1fr)] sm:gap-4">
      <dt className="text-small text-muted">{props.name}</dt>
      <dd className="min-w-0 break-words">{props.children}</dd>
    </div>
  );
}
