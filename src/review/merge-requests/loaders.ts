import { notFound, redirect } from "next/navigation";
import { reaches } from "@/access/roles";
import { given, openCode, shownDiffs } from "@/code/repositories/loaders";
import { defaultBranch, listNames } from "@/code/repositories/reference";
import { currentSession } from "@/identity/sign-in/loaders";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { addressOf, type Query, readId, textOf } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { approvalRefusal } from "../approvals/approving";
import { approvalState } from "../approvals/service";
import { type OpenViolation, openViolations } from "../licenses/enforcement";
import { headsOf } from "./branches";
import { current, mayMergeInto } from "./merging";
import { LEAST_TO_MERGE, type MergeRequest, mayChange } from "./rules";
import { parametersOf, readSearch } from "./schema";
import { commitsOf, diffOf, findMergeRequest, judge, listMergeRequests } from "./service";

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

const COMMITS_SHOWN = 50;

/** One merge request with all that its page shows; for an unknown one there is no page. */
export async function loadMergeRequest(id: string, iid: string) {
  const path = (home: string) => `${mergeRequestsPath(home)}/${encodeURIComponent(iid)}`;
  const project = await openCode(id, path);
  const session = await currentSession();
  const deps = systemDeps();
  const found = await findMergeRequest(deps, project, readId(iid) ?? notFound());
  const one = await judge(deps, await current(deps, found ?? notFound()));
  const [commits, diff, approvals, violations, heads, mayMerge] = await Promise.all([
    given(commitsOf(deps, one, { skip: 0, most: COMMITS_SHOWN + 1 })),
    given(diffOf(deps, one)),
    approvalState(deps, one),
    one.status === "security_policy_violations" ? unsettledViolations(deps, one) : [],
    given(headsOf(deps, one.project, [one.sourceBranch, one.targetBranch])),
    mayMergeInto(deps, project, one.targetBranch),
  ]);
  const user = session?.user ?? null;
  const refusal = user && (await approvalRefusal(deps, { project, user }, one, approvals.configuration));
  const hasApproved = approvals.approvals.some((approval) => approval.user.id === user?.id);
  return {
    project: project.id,
    one,
    commits: commits.slice(0, COMMITS_SHOWN),
    hasMoreCommits: commits.length > COMMITS_SHOWN,
    diffs: shownDiffs(diff.files),
    overflow: diff.overflow,
    approvals,
    violations,
    isThere: (branch: string) => heads.has(branch),
    hasApproved,
    mayApprove: user !== null && refusal === null && !hasApproved,
    mayMerge,
    mayRebase: reaches(project.role, LEAST_TO_MERGE),
    mayChange: user !== null && mayChange(one, project.role, user),
    now: deps.clock(),
  };
}

/** What license policies still have against a merge request. */
async function unsettledViolations(deps: Deps, one: MergeRequest): Promise<readonly OpenViolation[]> {
  const violations = (await openViolations(deps, [one])).get(one.id) ?? [];
  return violations === "unchecked" ? [] : violations.filter(({ approvalsLeft }) => approvalsLeft !== 0);
}
