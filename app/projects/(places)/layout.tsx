import type { ReactNode } from "react";
import { Frame } from "../../frame";
import { PROJECT_PLACES } from "../places";

/** The frame of the pages that are not about a single project. */
export default function ProjectsLayout({ children }: { readonly children: ReactNode }) {
  return <Frame side={PROJECT_PLACES}>{children}</Frame>;
}
