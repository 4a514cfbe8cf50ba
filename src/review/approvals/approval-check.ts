import type { MergeCheck } from "../merge-requests/merge-hooks";
import { committersOf } from "../merge-requests/service";
import { meaningChanged, missingApprovals, readConfiguration } from "./service";

/** Merge requests need approvals, which a new head or another target branch makes void. */
export const approvalCheck: MergeCheck = {
  findBlocks: async (deps, mergeRequests) =>
    new Map([...(await missingApprovals(deps, mergeRequests))].map((id) => [id, "not_approved"])),
  prepareForHead: async (deps, mergeRequest) => {
    const { committersApprovalRefused } = await readConfiguration(deps, mergeRequest.project);
    const committers = committersApprovalRefused ? await committersOf(deps, mergeRequest) : null;
    return (within) => meaningChanged(within, mergeRequest, committers);
  },
  // What was approved is what it was to become of the other branch.
  retargeted: (within, mergeRequest) => meaningChanged(within, mergeRequest, null),
};
