/** The columns of an owner that decide whether their applications may act. */
export const OWNER_STATE = { state: true, admin: true } as const;

/**
 * True when an application is refused because of its owner: they are not active, and the application is neither
 * trusted nor owned by the instance. `OWNER_BLOCKED` is the same condition in SQL.
 */
export const isOwnerBlocked = (
  application: Readonly<{ trusted: boolean; owner: Readonly<{ state: string; admin: boolean }> }>,
): boolean => application.owner.state !== "active" && !application.owner.admin && !application.trusted;

/** The condition of applications that may act, for queries. */
export const NOT_BLOCKED = {
  blockedAt: null,
  OR: [{ trusted: true }, { owner: { state: "active" } }, { owner: { admin: true } }],
};

/** The condition that an application `a` is refused because of its owner `o`, in the SQL of prepared look-ups. */
export const OWNER_BLOCKED = `COALESCE(o."state" <> 'active' AND NOT o."admin" AND NOT a."trusted", FALSE)`;

/** The condition that an application `a` with the owner `o` is refused. */
export const APPLICATION_BLOCKED = `(a."blockedAt" IS NOT NULL OR ${OWNER_BLOCKED})`;
