import { GitLimit } from "@/code/git/program";
import { GitBusy } from "@/code/git/queue";
import type { Deps } from "@/kernel/deps/deps";
import { approvalsOfHead } from "../approvals/service";
import type { MergeCheck } from "../merge-requests/merge-hooks";
import type { MergeBlock, MergeRequest } from "../merge-requests/rules";
import { introducedLicenses } from "./introduced-licenses";
import { approvalsLeftFor, type Violation, violationsOf } from "./rules";
import * as store from "./store";

type InspectedMergeRequest = Pick<
  MergeRequest,
  "id" | "project" | "state" | "baseSha" | "headSha" | "author"
>;

/**
 * Returns the two commits whose licenses are compared; null if the merge request cannot be merged or has no merge base.
 */
const spanOf = ({ state, baseSha, headSha }: InspectedMergeRequest): store.Span | null =>
  baseSha !== null && (state === "opened" || state === "locked") ? { baseSha, headSha } : null;

/**
 * Determines and stores the licenses that a merge request introduces. The function does nothing if the
 * project has no license policy, or the licenses of the merge request are already stored. If Git exceeds a
 * limit or is busy, the next refresh of the merge request determines the licenses.
 */
async function refreshLicenses(deps: Deps, mergeRequest: InspectedMergeRequest): Promise<void> {
  const { id, project } = mergeRequest;
  const span = spanOf(mergeRequest);
  if (span === null || !(await store.hasEnforcedPolicies(deps.reads, project.id))) return;
  if (await store.hasFinding(deps.reads, id, span)) return;
  try {
    const introduced = await introducedLicenses(deps, project, { from: span.baseSha, to: span.headSha });
    await store.saveFinding(deps.db, id, span, introduced);
  } catch (cause) {
    if (!(cause instanceof GitLimit) && !(cause instanceof GitBusy)) throw cause;
    deps.log.warn({ event: "licenses.not_looked_at", merge_request_id: id }, cause);
  }
}

/**
 * A violation of a license policy. `approvalsLeft` is the number of approvals that are still needed to permit
 * the merge; null if approvals cannot permit the merge.
 */
export type OpenViolation = Violation & Readonly<{ approvalsLeft: number | null }>;

/**
 * Returns the violations of license policies, with the merge request id as key. The value is `unchecked` if
 * the licenses of the merge request have not been determined yet. Merge requests in projects without license
 * policies have no entry. The function does not run Git, and the number of queries does not depend on the
 * number of merge requests.
 */
export async function openViolations(
  deps: Pick<Deps, "db" | "reads" | "clock">,
  mergeRequests: readonly InspectedMergeRequest[],
): Promise<ReadonlyMap<number, readonly OpenViolation[] | "unchecked">> {
  const candidates = mergeRequests.filter((mergeRequest) => spanOf(mergeRequest) !== null);
  if (candidates.length === 0) return new Map();
  const policies = await store.enforcedPoliciesOf(
    deps.reads,
    candidates.map(({ project }) => project.id),
  );
  const inspected = candidates.filter(({ project }) => policies.has(project.id));
  if (inspected.length === 0) return new Map();
  const ids = inspected.map(({ id }) => id);
  const [findings, approvals] = await Promise.all([
    store.findingsOf(deps.reads, ids),
    approvalsOfHead(deps, inspected),
  ]);
  const openOf = (mergeRequest: InspectedMergeRequest): readonly OpenViolation[] | "unchecked" => {
    const { id, project, headSha, baseSha } = mergeRequest;
    const finding = findings.get(id);
    const isCurrent = finding?.headSha === headSha && finding.baseSha === baseSha;
    if (!isCurrent || finding.introduced === null) return "unchecked";
    const given = approvals.get(id) ?? 0;
    return violationsOf(finding.introduced, policies.get(project.id) ?? []).map((violation) => ({
      ...violation,
      approvalsLeft: approvalsLeftFor(violation.policy, given),
    }));
  };
  return new Map(inspected.map((mergeRequest) => [mergeRequest.id, openOf(mergeRequest)]));
}

/** The merge check that blocks merge requests that violate the license policies of their projects. */
export const licenseCheck: MergeCheck = {
  findBlocks: async (deps, mergeRequests) => {
    const open = await openViolations(deps, mergeRequests);
    return new Map([...open].flatMap(([id, violations]) => blocksBy(id, violations)));
  },
  refresh: refreshLicenses,
};

function blocksBy(
  id: number,
  violations: readonly OpenViolation[] | "unchecked",
): readonly (readonly [number, MergeBlock])[] {
  if (violations === "unchecked") return [[id, "unchecked"]];
  const isSettled = violations.every(({ approvalsLeft }) => approvalsLeft === 0);
  return isSettled ? [] : [[id, "security_policy_violations"]];
}
