import { followFullPath } from "@/workspace/projects/loaders";
import NotFound from "../not-found";
import { orNotFound } from "../or-not-found";

/** The page for every URL that no other route matches. */
export default orNotFound(
  async (props: { readonly params: Promise<{ readonly path: readonly string[] }> }) =>
    followFullPath((await props.params).path),
  NotFound,
);
