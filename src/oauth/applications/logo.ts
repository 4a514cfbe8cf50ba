import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { renderPicture } from "@/kernel/picture/uploaded-picture";
import * as logoStore from "./logo-store";
import { lockManaged } from "./management";

/**
 * Sets the logo of an application that a user manages. The server converts the picture, so that the stored
 * logo contains no metadata of the file.
 * @returns the error message for a refused picture; null when the logo was set.
 */
export async function setLogo(
  deps: Deps,
  by: User,
  applicationId: number,
  file: Uint8Array,
): Promise<string | null> {
  const picture = await renderPicture(file, "contain");
  if ("problem" in picture) return picture.problem;
  await deps.transaction(async (within) => {
    if ((await lockManaged(within, by, applicationId)) === null) return;
    await logoStore.putLogo(within.db, applicationId, { ...picture, createdAt: within.clock() });
    await recordChange(within, by, applicationId, false);
  });
  return null;
}

/**
 * Removes the logo of an application that a user manages.
 * @returns whether the application had a logo.
 */
export const removeLogo = (deps: Deps, by: User, applicationId: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    if ((await lockManaged(within, by, applicationId)) === null) return false;
    if (!(await logoStore.removeLogo(within.db, applicationId))) return false;
    await recordChange(within, by, applicationId, true);
    return true;
  });

const recordChange = (deps: Deps, by: User, applicationId: number, removed: boolean): Promise<void> =>
  audit.record(deps, "application.logo_changed", { removed }, { userId: by.id, applicationId });
