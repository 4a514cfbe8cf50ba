import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps, Hooks } from "@/kernel/deps/deps";
import { isOutside } from "./rules";
import * as store from "./store";

/**
 * The maximum number of token families that one transaction revokes. On SQLite, a transaction blocks all
 * other writes.
 */
const FAMILIES_AT_ONCE = 200;

/**
 * Revokes every token of an application, for all users, in batches. Some tokens still work until the last
 * batch is committed.
 * @returns the number of active grants that were revoked.
 */
export const revokeTokensOfApplication = (deps: Deps, applicationId: number): Promise<number> =>
  revokeFamilies(deps, { applicationId });

/**
 * Revokes the grants without `offline_access` that were created in sessions of a user. Callers must be inside
 * a transaction.
 */
export async function revokeGrantsOfSessions(
  deps: Deps,
  userId: number,
  sids: readonly string[],
): Promise<void> {
  const choice = { userId, sid: { in: [...sids] }, offlineAccess: false } as const;
  await store.revokeFamilies(deps.db, choice, deps.clock());
}

/** Revokes the grants of the bot user of an application. Callers must be inside a transaction. */
export const revokeBotGrants: Hooks["revokeBotGrants"] = async (deps, userId, applicationId) => {
  await store.revokeFamilies(deps.db, { userId, applicationId }, deps.clock());
};

/** Deletes the grants of an application that is deleted. Callers must be inside a transaction. */
export const removeGrantsOf = (deps: Deps, applicationId: number): Promise<void> =>
  store.deleteFamiliesOf(deps.db, applicationId);

/**
 * Revokes the grants with a scope that the application does not have, in batches.
 * @returns the number of active grants that were revoked.
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
 * Revokes every token of an application. Consents are kept, so that the application can get new tokens.
 * @returns the number of active grants that were revoked.
 */
export async function revokeTokens(deps: Deps, by: User, id: number): Promise<number> {
  // The audit event is recorded before the revocation, because the process may stop during the revocation.
  await audit.record(deps, "application.tokens_revoked", {}, { applicationId: id, actorId: by.id });
  return revokeTokensOfApplication(deps, id);
}
