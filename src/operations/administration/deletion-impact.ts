import type { User } from "@/access/principal";
import { findDeletion, type SoleOwnedGroup } from "@/identity/users/account-deletion";
import type { Deps } from "@/kernel/deps/deps";
import { newestOwned } from "@/oauth/applications/own-list";
import { listPersonalProjects } from "@/workspace/projects/service";

const NAMES_SHOWN = 5;

type Names = Readonly<{ names: readonly string[]; total: number }>;

/** The data that will be deleted with a user, and the requested deletion if there is one. */
export type DeletionImpact = Readonly<{
  projects: Names;
  applications: Names;
  /** The groups of which the user is the only owner. Such groups prevent the deletion of the user. */
  soleOwnedGroups: readonly SoleOwnedGroup[];
  /** True if the deletion can no longer be canceled. */
  deletion: Readonly<{ dueAt: Date; isRunning: boolean }> | null;
}>;

/** Returns the data that will be deleted with a user. */
export async function deletionImpactOf(deps: Deps, user: User): Promise<DeletionImpact> {
  const [projects, applications, soleOwnedGroups, deletion] = await Promise.all([
    listPersonalProjects(deps, user.id, NAMES_SHOWN),
    newestOwned(deps, user.id, NAMES_SHOWN),
    deps.hooks.soleOwnedGroups(deps, user.id),
    findDeletion(deps, user.id),
  ]);
  return {
    projects: { names: projects.fullPaths, total: projects.total },
    applications: {
      names: applications.rows.map(({ name }) => name),
      total: applications.total,
    },
    soleOwnedGroups,
    deletion: deletion && {
      dueAt: deletion.dueAt,
      // While the user is still deactivated, the deletion job has not begun to delete the user.
      isRunning: deletion.dueAt <= deps.clock() && user.state !== "deactivated",
    },
  };
}
