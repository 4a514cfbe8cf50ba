import { canSignIn, userStateOf } from "@/access/principal";

/** The columns of an owner that `isOwnerBlocked` needs. */
export const OWNER_STATE = { state: true, admin: true } as const;

/**
 * Returns whether an application is refused because its owner is blocked. Trusted applications, and applications of
 * administrators and of deactivated users are never refused for this reason. `OWNER_BLOCKED` is the same condition in
 * SQL.
 */
export const isOwnerBlocked = (
  application: Readonly<{ trusted: boolean; owner: Readonly<{ state: string; admin: boolean }> }>,
): boolean =>
  !canSignIn(userStateOf(application.owner.state)) && !application.owner.admin && !application.trusted;

/** A Prisma condition that matches applications that are not blocked. */
export const NOT_BLOCKED = {
  blockedAt: null,
  OR: [
    { trusted: true },
    { owner: { state: { in: ["active", "deactivated"] } } },
    { owner: { admin: true } },
  ],
};

/** An SQL condition for applications `a` that are refused because of their owner `o`. */
export const OWNER_BLOCKED = `COALESCE(o."state" NOT IN ('active', 'deactivated') AND NOT o."admin" AND NOT a."trusted", FALSE)`;

/** An SQL condition for applications `a` with the owner `o` that are refused. */
export const APPLICATION_BLOCKED = `(a."blockedAt" IS NOT NULL OR ${OWNER_BLOCKED})`;
