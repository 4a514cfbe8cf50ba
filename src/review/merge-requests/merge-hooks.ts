import type { Deps } from "@/kernel/deps/deps";
import type { MergeBlock, MergeRequest } from "./rules";

/** A merge check: a condition for merging that does not depend only on Git, such as required approvals. */
export type MergeCheck = Readonly<{
  /**
   * Returns the reasons that block merge requests, with the merge request id as key. The number of queries does not
   * depend on the number of merge requests.
   */
  findBlocks: (
    deps: Pick<Deps, "db" | "reads" | "clock">,
    mergeRequests: readonly MergeRequest[],
  ) => Promise<ReadonlyMap<number, MergeBlock>>;
  /**
   * Reads the data that the merge check needs, such as changed licenses, from Git, and stores these data in
   * the database.
   */
  refresh?: (deps: Deps, mergeRequest: MergeRequest) => Promise<void>;
  /**
   * Called when the source branch has a new head.
   * @returns a function that the caller must call in the transaction that records the new head.
   */
  prepareForHead?: (deps: Deps, mergeRequest: MergeRequest) => Promise<RecordHead>;
  /** Called in the transaction in which a user changes the target branch of the merge request. */
  retargeted?: (within: Deps, mergeRequest: MergeRequest, userId: number) => Promise<void>;
}>;

/**
 * Reacts to a new head, in the transaction that records the new head.
 * @param pusherId the id of the user who has pushed the new head; null if unknown.
 */
type RecordHead = (within: Deps, pusherId: number | null) => Promise<void>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    mergeChecks: readonly MergeCheck[];
  }
}

type Checking = Pick<Deps, "db" | "reads" | "clock" | "hooks">;

/**
 * Reads the reasons that block merge requests. The returned function returns the reasons for one of these
 * merge requests. The number of queries does not depend on the number of merge requests.
 */
export async function findBlocks(
  deps: Checking,
  mergeRequests: readonly MergeRequest[],
): Promise<(mergeRequest: Pick<MergeRequest, "id">) => readonly MergeBlock[]> {
  const results = await Promise.all(
    deps.hooks.mergeChecks.map((check) => check.findBlocks(deps, mergeRequests)),
  );
  return ({ id }) => results.flatMap((blocks) => blocks.get(id) ?? []);
}

/** Returns the reasons that block a merge request. */
export const blocksOf = async (deps: Checking, mergeRequest: MergeRequest): Promise<readonly MergeBlock[]> =>
  (await findBlocks(deps, [mergeRequest]))(mergeRequest);

export async function refreshChecks(deps: Deps, mergeRequest: MergeRequest): Promise<void> {
  for (const { refresh } of deps.hooks.mergeChecks) await refresh?.(deps, mergeRequest);
}

/**
 * Calls `prepareForHead` of all merge checks for a new head of the source branch.
 * @returns a function that the caller must call in the transaction that records the new head.
 */
export async function prepareForHead(deps: Deps, mergeRequest: MergeRequest): Promise<RecordHead> {
  const prepared = await Promise.all(
    deps.hooks.mergeChecks.map((check) => check.prepareForHead?.(deps, mergeRequest)),
  );
  return async (within, pusherId) => {
    for (const record of prepared) await record?.(within, pusherId);
  };
}

/**
 * Notifies all merge checks of a changed target branch. Call this function in the transaction that changes the target
 * branch.
 */
export async function announceRetargeted(
  within: Deps,
  mergeRequest: MergeRequest,
  userId: number,
): Promise<void> {
  for (const { retargeted } of within.hooks.mergeChecks) await retargeted?.(within, mergeRequest, userId);
}
