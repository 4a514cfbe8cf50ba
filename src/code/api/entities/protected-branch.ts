import { z } from "zod";
import {
  ACCESS_LEVEL_LABELS,
  ACCESS_LEVELS,
  type AccessLevel,
  type ProtectedBranch,
} from "@/code/protected-branches/rules";
import { defineEntity } from "@/http-api/entity";

const accessLevels = z.array(
  z.object({ id: z.int(), access_level: z.literal(ACCESS_LEVELS), access_level_description: z.string() }),
);

/**
 * Returns the access levels of a branch protection rule. A branch protection rule has only one access level
 * for pushes and one for merges. The id of the rule therefore also serves as the id of each access level.
 */
const levelsOf = (id: number, level: AccessLevel) => [
  { id, access_level: level, access_level_description: ACCESS_LEVEL_LABELS[level] },
];

export const protectedBranch = defineEntity(
  "protected_branch",
  {
    id: z.int(),
    name: z.string(),
    push_access_levels: accessLevels,
    merge_access_levels: accessLevels,
    allow_force_push: z.boolean(),
  },
  ({ id, name, pushAccessLevel, mergeAccessLevel, allowForcePush }: ProtectedBranch) => ({
    id,
    name,
    push_access_levels: levelsOf(id, pushAccessLevel),
    merge_access_levels: levelsOf(id, mergeAccessLevel),
    allow_force_push: allowForcePush,
  }),
);
