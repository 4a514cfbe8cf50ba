import { notFound } from "next/navigation";
import { reaches } from "@/access/roles";
import { findRepository, openCode, shownDiffs } from "@/code/repositories/loaders";
import { repositoryUrls } from "@/code/repositories/markdown-urls";
import { currentSession } from "@/identity/sessions/loaders";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { renderMarkdown } from "@/kernel/markdown/markdown";
import { visible } from "@/kernel/text/visible";
import { findApproverRefusal } from "../approvals/approve";
import { approvalState } from "../approvals/service";
import { type OpenViolation, openViolations } from "../licenses/enforcement";
import { headsOf } from "../merge-requests/branches";
import { mergeRequestsPath } from "../merge-requests/loaders";
import { refreshMergeability } from "../merge-requests/merge-worker";
import { LEAST_TO_MERGE, type MergeRequest, mayChange } from "../merge-requests/rules";
import { commitsOf, diffOf, findMergeRequest, mayMergeInto, withStatus } from "../merge-requests/service";

const COMMITS_SHOWN = 25;

/** Loads the page of a merge request. The page "not found" is shown if the merge request does not exist. */
export async function loadMergeRequest(id: string, iid: string) {
  const path = (home: string) => `${mergeRequestsPath(home)}/${encodeURIComponent(iid)}`;
  const project = await openCode(id, path);
  const session = await currentSession();
  const deps = systemDeps();
  const stored = await findMergeRequest(deps, project, readId(iid) ?? notFound());
  const mergeRequest = await withStatus(deps, await refreshMergeability(deps, stored ?? notFound()));
  const [commits, diff, approvals, violations, mayMerge] = await Promise.all([
    findRepository(commitsOf(deps, mergeRequest, { skip: 0, most: COMMITS_SHOWN + 1 })),
    findRepository(diffOf(deps, mergeRequest)),
    approvalState(deps, mergeRequest),
    mergeRequest.status === "security_policy_violations" ? unsettledViolations(deps, mergeRequest) : [],
    mayMergeInto(deps, project, mergeRequest.targetBranch),
  ]);
  const heads = headsOf(deps, mergeRequest.project, [mergeRequest.sourceBranch, mergeRequest.targetBranch]);
  const user = session?.user ?? null;
  const refusal =
    user && (await findApproverRefusal(deps, { project, user }, mergeRequest, approvals.configuration));
  const hasApproved = approvals.approvals.some((approval) => approval.user.id === user?.id);
  return {
    project: project.id,
    mergeRequest,
    descriptionHtml: descriptionHtml(mergeRequest),
    commits: commits.slice(0, COMMITS_SHOWN),
    hasMoreCommits: commits.length > COMMITS_SHOWN,
    diffs: shownDiffs(diff.files),
    overflow: diff.overflow,
    approvals,
    violations,
    mayReadPolicies: reaches(project.role, "developer"),
    hasBranch: (branch: string) => heads.has(branch),
    hasApproved,
    mayApprove: user !== null && refusal === null && !hasApproved,
    mayMerge,
    mayRebase: reaches(project.role, LEAST_TO_MERGE),
    mayChange: user !== null && mayChange(mergeRequest, project.role, user),
    now: deps.clock(),
  };
}

/**
 * Renders the description of a merge request. Relative links are resolved against the root folder of the
 * default branch.
 */
const descriptionHtml = ({ project, description }: MergeRequest): string | null =>
  renderMarkdown(visible(description.replaceAll("\r\n", "\n")), {
    headingsBelow: 1,
    urls: repositoryUrls({ project: project.id, ref: "", path: "" }),
  });

/** Returns the license policy violations that still block the merge. */
async function unsettledViolations(
  deps: Deps,
  mergeRequest: MergeRequest,
): Promise<readonly OpenViolation[]> {
  const violations = (await openViolations(deps, [mergeRequest])).get(mergeRequest.id) ?? [];
  return violations === "unchecked" ? [] : violations.filter(({ approvalsLeft }) => approvalsLeft !== 0);
}
