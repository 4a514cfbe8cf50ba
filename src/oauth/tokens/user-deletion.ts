import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import { listOwn } from "../applications/own-list";
import { remove } from "../applications/service";
import * as store from "./store";

const FAMILIES_AT_ONCE = 500;

/**
 * Deletes at most `FAMILIES_AT_ONCE` grants of a user, and the tokens of these grants.
 * @returns whether the user may have more grants.
 */
export const deleteGrantsOf = (deps: Deps, { user }: RunningDeletion): Promise<boolean> =>
  deleteFamilies(deps, { userId: user.id });

/**
 * Deletes at most `FAMILIES_AT_ONCE` grants of one application that the user owns. When the application has
 * no more grants, the function deletes the application.
 * @returns whether the user may have more applications.
 */
export async function deleteApplicationOf(deps: Deps, { user }: RunningDeletion): Promise<boolean> {
  const [application] = (await listOwn(deps, { kind: "owner", id: user.id })).rows;
  if (application === undefined) return false;
  if (await deleteFamilies(deps, { applicationId: application.id })) return true;
  await remove(deps, user, application.id);
  return true;
}

async function deleteFamilies(
  deps: Deps,
  of: Readonly<{ userId: number } | { applicationId: number }>,
): Promise<boolean> {
  return (await store.deleteSomeFamilies(deps.db, of, FAMILIES_AT_ONCE)) === FAMILIES_AT_ONCE;
}
