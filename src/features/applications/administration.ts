import type { User } from "@/access/principal";
import type { Deps } from "@/platform/deps";
import type { Cursor, Slice } from "@/platform/keyset";
import * as audit from "../audit/service";
import { revokeTokensOfApplication } from "../tokens/revocation";
import * as directory from "./directory";

export const APPLICATIONS_PER_PAGE = 20;

/** One page of the applications of the instance, the latest first. One query. */
export const listEverybodys = (
  deps: Deps,
  search: string,
  cursor: Cursor<number>,
): Promise<Slice<directory.Listed>> =>
  directory.list(deps.db, { search, cursor, most: APPLICATIONS_PER_PAGE });

/** Anybody's application, or null. */
export const findAnybodys = (deps: Deps, id: number): Promise<directory.Listed | null> =>
  directory.find(deps.db, id);

/** The names of these applications, by id; one that is gone is missing. */
export const namesOf = (deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  directory.names(deps.db, ids);

/** The ids of the applications with exactly this name, two at most: names are not unique. */
export const idsNamed = (deps: Deps, name: string): Promise<readonly number[]> =>
  directory.idsNamed(deps.db, name);

/** Blocks an application, or lets it work again. */
export const setBlocked = (deps: Deps, by: User, id: number, blocked: boolean): Promise<void> =>
  deps.transaction(async (db) => {
    if (!(await directory.setBlocked(db, id, blocked ? deps.clock() : null))) return;
    const name = blocked ? "application.blocked" : "application.unblocked";
    await audit.record({ ...deps, db }, name, {}, { applicationId: id, actorId: by.id });
  });

/** Lets an application skip consent, or has people asked again. */
export const setTrusted = (deps: Deps, by: User, id: number, trusted: boolean): Promise<void> =>
  deps.transaction(async (db) => {
    if (!(await directory.setTrusted(db, id, trusted))) return;
    const about = { applicationId: id, actorId: by.id };
    await audit.record({ ...deps, db }, "application.trust_changed", { trusted }, about);
  });

/**
 * Ends every token of an application. What people allowed it stays, so that it can ask for new ones.
 * @returns how many grants were alive.
 */
export async function revokeTokens(deps: Deps, by: User, id: number): Promise<number> {
  // Recorded first: whatever comes after it has been asked for, should the process end in the middle.
  await audit.record(deps, "application.tokens_revoked", {}, { applicationId: id, actorId: by.id });
  return revokeTokensOfApplication(deps, id);
}
