import type { ReactNode } from "react";
import { Frame } from "../../frame";
import { PROJECT_PLACES } from "../../projects/places";

/** The frame of the pages that are not about a single group. */
export default function GroupsLayout({ children }: { readonly children: ReactNode }) {
  return <Frame side={PROJECT_PLACES}>{children}</Frame>;
}
