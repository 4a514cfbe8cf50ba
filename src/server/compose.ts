import { protectDefaultBranch } from "@/code/protected-branches/service";
import { defaultBranchOrNull } from "@/code/repositories/default-branch";
import { beginRepository } from "@/code/repositories/first-commit";
import { keepRepositories } from "@/code/repositories/repository-upkeep";
import { removeRepositories } from "@/code/repositories/service";
import type { Deps, Hooks } from "@/kernel/deps/deps";
import { revokeAccess } from "@/oauth/authorizations/access-revocation";
import { keepRegistryTidy } from "@/registries/container-registry/registry-upkeep";
import { removePackages } from "@/registries/packages/stored-file";
import { approvalCheck, removePusherApprovals } from "@/review/approvals/service";
import { licenseCheck } from "@/review/licenses/enforcement";
import { followPush } from "@/review/merge-requests/after-push";
import { groupIsNamed } from "@/workspace/groups/taken";
import { groupPathsOf } from "@/workspace/members/service";
import { hasProjectBelow } from "@/workspace/projects/service";
import { keepPruned } from "./pruning";

/** The functions of higher areas that lower areas call without importing them, in the order in which they run. */
export const HOOKS: Hooks = {
  accessEnded: [revokeAccess],
  topLevelNames: [groupIsNamed],
  pathsBelowUsername: [hasProjectBelow],
  groupPaths: groupPathsOf,
  projectLifecycle: [
    { creating: protectDefaultBranch },
    { created: beginRepository, removed: removeRepositories },
    { removed: removePackages },
  ],
  defaultBranch: defaultBranchOrNull,
  mergeChecks: [licenseCheck, approvalCheck],
  pushes: [{ recorded: removePusherApprovals, received: followPush }],
};

/** Starts a job of a server. Returns what stops it, settled when nothing is under way any more. */
type Job = (deps: Deps) => () => Promise<void>;

/** What a server does by itself while it serves. */
export const JOBS: readonly Job[] = [keepRepositories, keepPruned, keepRegistryTidy];
