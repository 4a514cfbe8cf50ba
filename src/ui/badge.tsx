import type { ReactNode } from "react";

export function Badge(props: { readonly children: ReactNode }) {
  return (
    <span className="inline-block rounded-full border border-line px-2 text-small whitespace-nowrap text-muted">
      {props.children}
    </span>
  );
}
