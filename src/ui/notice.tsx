import type { ReactNode } from "react";
import { FocusedBox } from "./focused-box";

const KINDS = {
  done: "bg-success-soft text-success",
  info: "bg-info-soft text-info",
  warning: "bg-warning text-on-warning",
  problem: "bg-danger-soft text-danger",
} as const satisfies Record<string, string>;

/**
 * A highlighted sentence about a result or a problem.
 * @param props.focused whether the notice is the result of a form and therefore gets the focus. The default
 * is true for notices of the kind `problem`.
 */
export function Notice(props: {
  readonly kind: keyof typeof KINDS;
  readonly focused?: boolean;
  readonly children: ReactNode;
}) {
  const { kind, focused = kind === "problem", children } = props;
  const Box = focused ? FocusedBox : "div";
  return (
    <Box
      role={kind === "problem" ? "alert" : "status"}
      className={`rounded-control border border-transparent px-4 py-3 wrap-anywhere ${KINDS[kind]}`}
    >
      {children}
    </Box>
  );
}
