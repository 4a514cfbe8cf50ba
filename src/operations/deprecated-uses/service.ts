import type { Principal, User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { DeprecationName } from "./catalog";
import type { DeprecatedUse, UseCircle } from "./rules";
import * as store from "./store";

/**
 * The maximum number of distinct uses that are counted in memory until a batch stores the counts in the
 * database. Additional uses are not counted.
 */
const USES_MAX = 10_000;

const counted = writeBehindBuffer(
  "deprecated_use",
  () => new Map<string, store.Uses>(),
  (deps, uses) => store.addUses(deps, [...uses.values()]),
);

/**
 * Counts a use of a part of the API that exists in v4 but not in v5. The function only changes a map in
 * memory; a batch stores the counts in the database later.
 * @param caller the caller; null for a request without a token, which is counted only for the instance.
 * @param names the names of rows in the table of version differences.
 */
export function enqueueDeprecatedUse(
  { clock }: Pick<Deps, "clock">,
  caller: Principal | null,
  names: readonly DeprecationName[],
): void {
  const uses = counted.waiting();
  const userId = caller?.user.id ?? null;
  const applicationId = caller?.token.applicationId ?? null;
  for (const name of names) {
    const key = `${name}:${userId}:${applicationId}`;
    const before = uses.get(key);
    if (before === undefined && uses.size >= USES_MAX) continue;
    const count = (before?.count ?? 0) + 1;
    uses.set(key, { name, userId, applicationId, count, lastUsedAt: clock() });
  }
  counted.schedule();
}

/** Writes all counts that are still in memory to the database. */
export const writeDeprecatedUses = counted.write;

/**
 * Returns a page of the deprecated uses that concern a user, latest first.
 * @param circle the set of uses. The caller of the function must check that only an administrator lists
 * `all`.
 */
export async function listDeprecatedUses(
  deps: Deps,
  user: Pick<User, "id">,
  circle: UseCircle,
  paging: Paging,
): Promise<Page<DeprecatedUse>> {
  await writeDeprecatedUses(deps);
  return store.findUses(deps, circle, user.id, paging);
}
