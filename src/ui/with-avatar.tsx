import type { ReactNode } from "react";

/** Shows an avatar next to the name of its object, with additional lines below the name. */
export const WithAvatar = (props: { readonly avatar: ReactNode; readonly children: ReactNode }) => (
  <div className="flex min-w-0 items-start gap-3">
    {props.avatar}
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">{props.children}</div>
  </div>
);
