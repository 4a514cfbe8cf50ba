import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { type ApprovalConfiguration, BY_DEFAULT } from "./rules";
import * as store from "./store";

/** Returns the approval settings of a project; the default settings if the project has no stored settings. */
export const readConfiguration = async (
  deps: Pick<Deps, "reads">,
  project: Readonly<{ id: number }>,
): Promise<ApprovalConfiguration> => (await store.findConfiguration(deps.reads, project.id)) ?? BY_DEFAULT;

/** Returns the number of approvals that the any-approver rule requires; 0 if the project has no such rule. */
export const approvalsRequiredIn = (
  deps: Pick<Deps, "reads">,
  project: Readonly<{ id: number }>,
): Promise<number> => store.approvalsRequiredIn(deps.reads, project.id);

export type ConfigurationChanges = Partial<ApprovalConfiguration & Readonly<{ approvalsRequired: number }>>;

/**
 * Changes the approval settings of a project. Settings that `changes` does not contain stay unchanged.
 * @returns the new settings.
 */
export const changeConfiguration = (
  deps: Deps,
  project: AuthorizedProject,
  { approvalsRequired, ...changes }: ConfigurationChanges,
  by: User,
): Promise<ApprovalConfiguration> =>
  deps.transaction(async (within) => {
    const configuration = await store.change(within.db, project.id, changes);
    if (approvalsRequired !== undefined)
      await store.requireApprovals(within.db, project.id, approvalsRequired);
    const about = { id: project.id, path: project.fullPath };
    await audit.record(within, "project.changed", about, { userId: by.id });
    return configuration;
  });
