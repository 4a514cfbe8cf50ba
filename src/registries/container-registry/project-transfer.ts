import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Returns the reason why a project cannot be transferred if the project has container images. The names of
 * the images contain the path of the project, and a registry cannot rename images.
 */
export const imagesProblem = async ({ db }: Pick<Deps, "db">, projectId: number): Promise<string | null> =>
  (await store.hasRepositories(db, projectId))
    ? "The project has container images, whose names contain its path. Delete the images first."
    : null;
