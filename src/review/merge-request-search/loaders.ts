import { redirect } from "next/navigation";
import { reaches } from "@/access/roles";
import { openCode } from "@/code/repositories/loaders";
import { currentSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { PROJECTS } from "@/workspace/projects/loaders";
import { mergeRequestsPath } from "../merge-requests/loaders";
import { LEAST_TO_MERGE } from "../merge-requests/rules";
import { parametersOf, readSearch } from "../merge-requests/schema";
import { listMergeRequests } from "./service";

const SHOWN = 20;

/**
 * Loads a page of the merge requests of a project. Each merge request has the merge status that was stored
 * last.
 */
export async function loadMergeRequests(id: string, query: Query) {
  const project = await openCode(id, mergeRequestsPath);
  const session = await currentSession();
  const deps = systemDeps();
  const search = readSearch(query);
  const paging = offsetPagingIn(query, SHOWN);
  const result = await listMergeRequests(
    deps,
    session?.user ?? null,
    {
      projectId: project.id,
      state: search.state === "all" ? undefined : search.state,
      search: search.search,
      order: "created_at",
      descending: true,
    },
    paging,
  );
  const home = mergeRequestsPath(`${PROJECTS}/${project.id}`);
  // If the requested page no longer contains merge requests, the user is redirected to the first page.
  if (result.rows.length === 0 && paging.page > 1) redirect(urlWithQuery(home, parametersOf(search)));
  return {
    home,
    search,
    mergeRequests: result.rows,
    total: result.total,
    mayOpen: reaches(project.role, LEAST_TO_MERGE),
    pager: offsetLinks(paging, result, home, parametersOf(search)),
    now: deps.clock(),
  };
}
