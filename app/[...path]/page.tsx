import { followFullPath } from "@/workspace/projects/loaders";
import NotFound from "../not-found";
import { orNotFound } from "../or-not-found";

/** Every address that nothing else answers. */
export default orNotFound(
  async (props: { readonly params: Promise<{ readonly path: readonly string[] }> }) =>
    followFullPath((await props.params).path),
  NotFound,
);
