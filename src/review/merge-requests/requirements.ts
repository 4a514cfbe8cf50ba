import type { Deps } from "@/kernel/deps/deps";
import { missingApprovals } from "../approvals/service";
import { licenseStates } from "../licenses/enforcement";
import type { MergeRequest, Requirements } from "./rules";

/** What merge requests need beside Git's consent: as many queries for one as for a hundred. */
export async function requirementsOf(
  deps: Pick<Deps, "db" | "clock">,
  ones: readonly MergeRequest[],
): Promise<(one: MergeRequest) => Requirements> {
  const [missing, licenses] = await Promise.all([missingApprovals(deps, ones), licenseStates(deps, ones)]);
  return ({ id }) => ({ approvalsMissing: missing.has(id), licenses: licenses.get(id) ?? "settled" });
}

/** The same for one. */
export const requirementsFor = async (
  deps: Pick<Deps, "db" | "clock">,
  one: MergeRequest,
): Promise<Requirements> => (await requirementsOf(deps, [one]))(one);
