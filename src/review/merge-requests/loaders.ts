import { defaultBranch, listNames } from "@/code/repositories/reference";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/paging/keyset";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { LEAST_TO_MERGE } from "./rules";

/** Returns the URL path of the list of merge requests. @param home the URL path of the project. */
export const mergeRequestsPath = (home: string): string => `${home}/merge_requests`;

/** Loads the data of the form for a new merge request. */
export async function loadNewMergeRequest(id: string, query: Query) {
  const path = (home: string) => `${mergeRequestsPath(home)}/new`;
  const { project } = await requireProject(id, path, LEAST_TO_MERGE);
  const deps = systemDeps();
  const { branches } = await listNames(deps, project);
  const main = defaultBranch(deps, project);
  return {
    project: project.id,
    home: mergeRequestsPath(`${PROJECTS}/${project.id}`),
    branches,
    main: main ?? "",
    source: textOf(query, "source"),
  };
}
