import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { isOutside } from "./rules";
import * as store from "./store";

/** One transaction ends no more than this: nobody else can write for as long as it takes on SQLite. */
const FAMILIES_AT_ONCE = 200;

/**
 * Ends every token of an application, whoever it belongs to, batch by batch: a request in between finds some of them
 * ended and the others not yet.
 * @returns how many grants were alive.
 */
export const revokeTokensOfApplication = (deps: Deps, applicationId: number): Promise<number> =>
  revokeFamilies(deps, { applicationId });

/**
 * Ends the grants of an application that have a scope which it does not have, in the same way.
 * @returns how many grants were alive.
 */
export async function revokeGrantsOutside(
  deps: Deps,
  application: Readonly<{ id: number; scopes: readonly string[] }>,
): Promise<number> {
  const lists = await store.scopeListsOf(deps.db, application.id);
  const scopes = lists.filter((list) => isOutside(list, application.scopes));
  return scopes.length === 0 ? 0 : revokeFamilies(deps, { applicationId: application.id, scopes });
}

async function revokeFamilies(
  deps: Deps,
  choice: Readonly<{ applicationId: number; scopes?: readonly string[] }>,
): Promise<number> {
  let after = 0;
  let count = 0;
  for (;;) {
    const ids = await store.liveFamilies(deps.db, { ...choice, after, most: FAMILIES_AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) return count;
    count += await deps.transaction((within) =>
      store.revokeFamilies(within.db, { id: { in: ids } }, within.clock()),
    );
    after = last;
  }
}

/**
 * Ends every token of an application. What people allowed it stays, so that it can ask for new ones.
 * @returns how many grants were alive.
 */
export async function revokeTokens(deps: Deps, by: User, id: number): Promise<number> {
  // Recorded first: whatever comes after it has been asked for, should the process end in the middle.
  await audit.record(deps, "application.tokens_revoked", {}, { applicationId: id, actorId: by.id });
  return revokeTokensOfApplication(deps, id);
}
