import type { ReactNode } from "react";

const KINDS = {
  done: "bg-soft text-ink",
  warning: "bg-warning text-on-warning",
  problem: "border border-danger text-danger",
} as const satisfies Record<string, string>;

/** A highlighted sentence about a result or a problem. */
export function Notice(props: { readonly kind: keyof typeof KINDS; readonly children: ReactNode }) {
  return (
    <div
      role={props.kind === "problem" ? "alert" : "status"}
      className={`rounded-control px-4 py-3 ${KINDS[props.kind]}`}
    >
      {props.children}
    </div>
  );
}
