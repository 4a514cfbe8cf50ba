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

/** Only of what can still be merged; branches that never were one cannot. */
const spanOf = ({ state, baseSha, headSha }: InspectedMergeRequest): store.Span | null =>
  baseSha !== null && (state === "opened" || state === "locked") ? { baseSha, headSha } : null;

/**
 * Finds the licenses that a merge request introduces, unless they are known, or no policy of its project needs them. Where
 * Git takes too long or is busy, they stay unchecked until the next refresh.
 */
async function refreshLicenses(deps: Deps, one: InspectedMergeRequest): Promise<void> {
  const span = spanOf(one);
  if (span === null || !(await store.hasEnforcedPolicies(deps.db, one.project.id))) return;
  if (await store.hasFinding(deps.db, one.id, span)) return;
  try {
    const brought = await introducedLicenses(deps, one.project, { from: span.baseSha, to: span.headSha });
    await store.saveFinding(deps.db, one.id, span, brought);
  } catch (cause) {
    if (!(cause instanceof GitLimit) && !(cause instanceof GitBusy)) throw cause;
    deps.log.warn({ event: "licenses.not_looked_at", merge_request_id: one.id }, cause);
  }
}

/** A violation, and how many approvals of the head its policy still waits for; null: nothing but another head settles it. */
export type OpenViolation = Violation & Readonly<{ approvalsLeft: number | null }>;

/**
 * What the policies of their projects have against merge requests, by their ids; `unchecked` where nobody has looked
 * yet. As many queries for one as for a hundred, and Git is asked nothing. A merge request that is not among them has
 * nothing to fear.
 */
export async function openViolations(
  deps: Pick<Deps, "db" | "clock">,
  ones: readonly InspectedMergeRequest[],
): Promise<ReadonlyMap<number, readonly OpenViolation[] | "unchecked">> {
  const concerned = ones.filter((one) => spanOf(one) !== null);
  if (concerned.length === 0) return new Map();
  const policies = await store.enforcedPoliciesOf(
    deps.db,
    concerned.map(({ project }) => project.id),
  );
  const judged = concerned.filter(({ project }) => policies.has(project.id));
  if (judged.length === 0) return new Map();
  const ids = judged.map(({ id }) => id);
  const [findings, approvals] = await Promise.all([
    store.findingsOf(deps.db, ids),
    approvalsOfHead(deps, judged),
  ]);
  const openOf = (one: InspectedMergeRequest): readonly OpenViolation[] | "unchecked" => {
    const found = findings.get(one.id);
    const isCurrent = found?.headSha === one.headSha && found.baseSha === one.baseSha;
    if (!isCurrent || found.brought === null) return "unchecked";
    const given = approvals.get(one.id) ?? 0;
    return violationsOf(found.brought, policies.get(one.project.id) ?? []).map((violation) => ({
      ...violation,
      approvalsLeft: approvalsLeftFor(violation.policy, given),
    }));
  };
  return new Map(judged.map((one) => [one.id, openOf(one)]));
}

/** Merge requests must satisfy the license policies of their projects. */
export const licenseCheck: MergeCheck = {
  findBlocks: async (deps, mergeRequests) => {
    const found = await openViolations(deps, mergeRequests);
    return new Map([...found].flatMap(([id, violations]) => blocksBy(id, violations)));
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
