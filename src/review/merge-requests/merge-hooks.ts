import type { Deps } from "@/kernel/deps/deps";
import type { MergeBlock, MergeRequest } from "./rules";

/** A condition of merging that Git does not know. */
export type MergeCheck = Readonly<{
  /** Returns why these merge requests cannot be merged yet, by their ids. As many queries for a hundred as for one. */
  findBlocks: (
    deps: Pick<Deps, "db" | "clock">,
    mergeRequests: readonly MergeRequest[],
  ) => Promise<ReadonlyMap<number, MergeBlock>>;
  /** Asks Git what the check must know of a merge request as it is now, which others then find in the database. */
  refresh?: (deps: Deps, mergeRequest: MergeRequest) => Promise<void>;
  /** Prepares for a new head of the source branch. Returns what runs in the transaction that records it. */
  prepareForHead?: (
    deps: Deps,
    mergeRequest: MergeRequest,
  ) => Promise<(within: Pick<Deps, "db">) => Promise<void>>;
  /** Runs in the transaction that changes the target branch. */
  retargeted?: (within: Pick<Deps, "db">, mergeRequest: MergeRequest) => Promise<void>;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    mergeChecks: readonly MergeCheck[];
  }
}

type Checking = Pick<Deps, "db" | "clock" | "hooks">;

/** Returns what each of these merge requests lacks: as many queries for a hundred as for one. */
export async function findBlocks(
  deps: Checking,
  mergeRequests: readonly MergeRequest[],
): Promise<(mergeRequest: Pick<MergeRequest, "id">) => readonly MergeBlock[]> {
  const found = await Promise.all(
    deps.hooks.mergeChecks.map((check) => check.findBlocks(deps, mergeRequests)),
  );
  return ({ id }) => found.flatMap((blocks) => blocks.get(id) ?? []);
}

/** The same for one. */
export const blocksOf = async (deps: Checking, mergeRequest: MergeRequest): Promise<readonly MergeBlock[]> =>
  (await findBlocks(deps, [mergeRequest]))(mergeRequest);

export async function refreshChecks(deps: Deps, mergeRequest: MergeRequest): Promise<void> {
  for (const { refresh } of deps.hooks.mergeChecks) await refresh?.(deps, mergeRequest);
}

/** Returns what all checks do in the transaction that records a new head of the source branch. */
export async function prepareForHead(
  deps: Deps,
  mergeRequest: MergeRequest,
): Promise<(within: Pick<Deps, "db">) => Promise<void>> {
  const prepared = await Promise.all(
    deps.hooks.mergeChecks.map((check) => check.prepareForHead?.(deps, mergeRequest)),
  );
  return async (within) => {
    for (const record of prepared) await record?.(within);
  };
}

/** Call it in the transaction that changes the target branch. */
export async function announceRetargeted(
  deps: Pick<Deps, "db" | "hooks">,
  mergeRequest: MergeRequest,
): Promise<void> {
  for (const { retargeted } of deps.hooks.mergeChecks) await retargeted?.(deps, mergeRequest);
}
