/** The columns of an owner that `isOwnerBlocked` needs. */
export const OWNER_STATE = { state: true, admin: true } as const;

/**
 * Returns whether an application is refused because its owner is not active. Trusted applications and
 * applications of administrators are not. `OWNER_BLOCKED` is the same condition in SQL.
 */
export const isOwnerBlocked = (
  application: Readonly<{ trusted: boolean; owner: Readonly<{ state: string; admin: boolean }> }>,
): boolean => application.owner.state !== "active" && !application.owner.admin && !application.trusted;

/** Prisma condition: the application is not blocked. */
export const NOT_BLOCKED = {
  blockedAt: null,
  OR: [{ trusted: true }, { owner: { state: "active" } }, { owner: { admin: true } }],
};

/** SQL condition: the application `a` is refused because of its owner `o`. */
export const OWNER_BLOCKED = `COALESCE(o."state" <> 'active' AND NOT o."admin" AND NOT a."trusted", FALSE)`;

/** SQL condition: the application `a` with the owner `o` is refused. */
export const APPLICATION_BLOCKED = `(a."blockedAt" IS NOT NULL OR ${OWNER_BLOCKED})`;
