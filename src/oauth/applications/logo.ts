import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { renderPicture } from "@/kernel/picture/uploaded-picture";
import * as store from "./store";

/**
 * Sets the logo of one of the user's own applications. The picture is rendered again, so that the stored logo
 * contains no metadata of the file.
 * @returns the error message for a refused picture; null when the logo was set.
 */
export async function setLogo(
  deps: Deps,
  owner: User,
  applicationId: number,
  file: Uint8Array,
): Promise<string | null> {
  const picture = await renderPicture(file, "contain");
  if ("problem" in picture) return picture.problem;
  await deps.transaction(async (within) => {
    if ((await store.findOwnedBy(within.db, owner.id, applicationId)) === null) return;
    await store.putLogo(within.db, applicationId, { ...picture, createdAt: within.clock() });
    await recordChange(within, owner, applicationId, false);
  });
  return null;
}

/**
 * Removes the logo of one of the user's own applications.
 * @returns whether the application had a logo.
 */
export const removeLogo = (deps: Deps, owner: User, applicationId: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.removeLogo(within.db, owner.id, applicationId))) return false;
    await recordChange(within, owner, applicationId, true);
    return true;
  });

const recordChange = (deps: Deps, owner: User, applicationId: number, removed: boolean): Promise<void> =>
  audit.record(deps, "application.logo_changed", { removed }, { userId: owner.id, applicationId });
