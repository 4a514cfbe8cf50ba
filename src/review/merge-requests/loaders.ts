import { redirect } from "next/navigation";
import { reaches } from "@/access/roles";
import { openCode } from "@/code/repositories/loaders";
import { defaultBranch, listNames } from "@/code/repositories/reference";
import { currentSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { addressOf, type Query, textOf } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { LEAST_TO_MERGE } from "./rules";
import { parametersOf, readSearch } from "./schema";
import { listMergeRequests } from "./service";

/** The address of the list below that of a project. */
export const mergeRequestsPath = (home: string): string => `${home}/merge_requests`;

const SHOWN = 20;

/** One page of a project's merge requests, as they were last seen. */
export async function loadMergeRequests(id: string, query: Query) {
  const project = await openCode(id, mergeRequestsPath);
  const session = await currentSession();
  const deps = systemDeps();
  const search = readSearch(query);
  const page = pageIn(query);
  const found = await listMergeRequests(
    deps,
    session?.user ?? null,
    {
      projectId: project.id,
      state: search.state === "all" ? undefined : search.state,
      search: search.search,
      order: "created_at",
      descending: true,
    },
    { kind: "offset", page, perPage: SHOWN },
  );
  const home = mergeRequestsPath(`${PROJECTS}/${project.id}`);
  // What was on the last page may have been merged meanwhile; the list is not empty for that.
  if (found.rows.length === 0 && page > 1) redirect(addressOf(home, parametersOf(search)));
  const list = { page, perPage: SHOWN, shown: found.rows.length, total: found.total };
  return {
    home,
    search,
    mergeRequests: found.rows,
    total: found.total,
    mayOpen: reaches(project.role, LEAST_TO_MERGE),
    pager: pagesBeside(list, home, parametersOf(search)),
    now: deps.clock(),
  };
}

/** What a new merge request is made from. */
export async function loadNewMergeRequest(id: string, query: Query) {
  const path = (home: string) => `${mergeRequestsPath(home)}/new`;
  const { project } = await requireProject(id, path, LEAST_TO_MERGE);
  const deps = systemDeps();
  const [{ branches }, main] = await Promise.all([listNames(deps, project), defaultBranch(deps, project)]);
  return {
    project: project.id,
    home: mergeRequestsPath(`${PROJECTS}/${project.id}`),
    branches,
    main: main ?? "",
    source: textOf(query, "source"),
  };
}
