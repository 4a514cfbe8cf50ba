import type { Principal, User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { DeprecationName } from "./catalog";
import type { DeprecatedUse, UseCircle } from "./rules";
import * as store from "./store";

/** Different ones between two batches; further ones are not counted. */
const USES_MAX = 10_000;

const counted = writeBehindBuffer(
  "deprecated_use",
  () => new Map<string, store.Uses>(),
  (deps, uses) => store.addUses(deps, [...uses.values()]),
);

/**
 * Counts that a program used what v5 has not. It costs a look into a map; a batch writes it down soon.
 * @param caller null for somebody without a token: counted for the instance alone.
 * @param names of rows in the table of what the versions differ in.
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
  counted.noted();
}

/** Writes down all that has been counted. */
export const writeDeprecatedUses = counted.write;

/**
 * Who will have to change something before v5, the latest first.
 * @param who asks; only an administrator may ask for `all`, which the caller has checked.
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
