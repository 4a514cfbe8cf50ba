import { ROLES } from "@/access/roles";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";

/**
 * A Prisma condition that matches the permanent Owner memberships of users who can sign in. The condition
 * does not match memberships with an expiry date, so that the result does not depend on the current time.
 */
const ACTIVE_OWNER = {
  role: ROLES.owner.level,
  expiresAt: null,
  user: { kind: "human", state: { in: ["active", "deactivated"] } },
} as const satisfies Prisma.GroupMemberWhereInput;

const HAS_ACTIVE_OWNER = { ancestor: { members: { some: ACTIVE_OWNER } } } as const;

/** A Prisma condition that matches applications that are not blocked. */
export const NOT_BLOCKED = {
  blockedAt: null,
  OR: [
    { trusted: true },
    { owner: { state: { in: ["active", "deactivated"] } } },
    { owner: { admin: true } },
    { group: { above: { some: HAS_ACTIVE_OWNER } } },
    { ownerId: null, groupId: null },
  ],
} satisfies Prisma.ApplicationWhereInput;

/**
 * An SQL condition that matches the applications `a` that are refused because of the owner. In this SQL
 * condition, the owner of the application `a` is the user `o`, or a group. An application of a user is refused
 * if the user is blocked. An application of a group is refused if the group has neither a direct nor an
 * inherited active Owner. Three kinds of applications are never refused because of the owner: trusted
 * applications, applications of administrators, and applications of deactivated users. A bot does not count as
 * an active Owner. The databases evaluate the subquery only for applications of groups.
 */
export const OWNER_BLOCKED = `CASE WHEN a."groupId" IS NULL
  THEN COALESCE(o."state" NOT IN ('active', 'deactivated') AND NOT o."admin" AND NOT a."trusted", FALSE)
  ELSE NOT a."trusted" AND NOT EXISTS (
    SELECT 1 FROM "GroupAncestor" ga
    JOIN "GroupMember" gm ON gm."groupId" = ga."ancestorId"
      AND gm."role" = ${ROLES.owner.level} AND gm."expiresAt" IS NULL
    JOIN "User" gu ON gu."id" = gm."userId" AND gu."kind" = 'human'
      AND gu."state" IN ('active', 'deactivated')
    WHERE ga."groupId" = a."groupId") END`;

/** An SQL condition that matches the refused applications `a` with the owner `o`. */
export const APPLICATION_BLOCKED = `(a."blockedAt" IS NOT NULL OR ${OWNER_BLOCKED})`;
