import type { Hooks } from "@/kernel/deps/deps";
import { revokeAccess } from "@/oauth/authorizations/access-revocation";
import { groupIsNamed } from "@/workspace/groups/taken";
import { hasProjectBelow } from "@/workspace/projects/service";

/** The functions of higher areas that lower areas call without importing them, in the order in which they run. */
export const HOOKS: Hooks = {
  accessEnded: [revokeAccess],
  topLevelNames: [groupIsNamed],
  pathsBelowUsername: [hasProjectBelow],
};
