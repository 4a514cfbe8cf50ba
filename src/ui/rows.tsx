import type { ReactNode } from "react";

/** A list whose entries are rows of a panel, or of a card if `nested`. */
export function Rows(props: {
  readonly label?: string;
  readonly nested?: boolean;
  readonly children: ReactNode;
}) {
  const frame = props.nested ? "rounded-group" : "rounded-card bg-panel";
  return (
    <ul aria-label={props.label} className={`divide-y divide-line border border-line ${frame}`}>
      {props.children}
    </ul>
  );
}

/**
 * A row with details on the left and buttons on the right. A row with two lines has a height of 48 px, unless
 * a line wraps.
 */
export const Row = ({ children }: { readonly children: ReactNode }) => (
  <li className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 md:py-0.5 md:leading-5">
    {children}
  </li>
);
