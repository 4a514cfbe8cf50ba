import type { Principal, User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { DeprecationName } from "./catalog";
import type { DeprecatedUse, UseCircle } from "./rules";
import * as store from "./store";

/** The most distinct uses between two batches; further ones are not counted. */
const USES_MAX = 10_000;

const counted = writeBehindBuffer(
  "deprecated_use",
  () => new Map<string, store.Uses>(),
  (deps, uses) => store.addUses(deps, [...uses.values()]),
);

/**
 * Counts that a program used something that v5 does not have. It costs a lookup in a map; a batch stores the
 * counts later.
 * @param caller null for a request without a token, which is counted for the instance only.
 * @param names of rows in the table of version differences.
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

/** Stores all counts that are in memory. */
export const writeDeprecatedUses = counted.write;

/**
 * Lists the uses that concern a user, latest first.
 * @param who the user. Only an administrator may list `all`, which the caller has checked.
 */
export async function listDeprecatedUses(
  deps: Deps,
  who: Pick<User, "id">,
  circle: UseCircle,
  paging: Paging,
): Promise<Page<DeprecatedUse>> {
  await writeDeprecatedUses(deps);
  return store.findUses(deps.db, circle, who.id, paging);
}
