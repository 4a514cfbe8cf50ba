import type { ReactNode } from "react";

/**
 * A short label in a frame.
 * @param props.wraps whether the text may wrap; true for texts that users choose.
 */
export function Badge(props: { readonly wraps?: boolean; readonly children: ReactNode }) {
  return (
    <span
      className={`inline-block border border-line px-2 text-small leading-4.5 text-muted ${
        props.wraps ? "max-w-full rounded-control wrap-anywhere" : "rounded-full whitespace-nowrap"
      }`}
    >
      {props.children}
    </span>
  );
}
