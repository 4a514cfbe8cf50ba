import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Returns an error message if the project has container images, which prevent a transfer of the project. The
 * names of the images contain the path of the project, and a registry cannot rename images.
 */
export const imagesProblem = async ({ db }: Pick<Deps, "db">, projectId: number): Promise<string | null> =>
  (await store.hasRepositories(db, projectId))
    ? "The project has container images, whose names contain the path of the project. Delete the images first."
    : null;
