import type { Db } from "@/kernel/db/db";

/**
 * The state of the ghost user, to whom the contributions of deleted users are assigned. No list of users
 * contains the ghost user.
 */
const GHOST = "ghost";

/** The query condition that selects all users except the ghost user. */
export const NOT_GHOST = { state: { not: GHOST } } as const;

/** An SQL condition that matches all users `u` except the ghost user. */
export const IS_NOT_GHOST = `u."state" <> '${GHOST}'`;

/**
 * Returns the id of the ghost user, who has one of these usernames; null if the ghost user does not exist
 * yet.
 */
export async function findGhost(db: Db, usernames: readonly string[]): Promise<number | null> {
  const where = { usernameLower: { in: [...usernames] }, state: GHOST };
  return (await db.user.findFirst({ where, select: { id: true } }))?.id ?? null;
}

/**
 * Inserts the ghost user.
 * @throws Prisma's P2002 when the username is taken.
 */
export const insertGhost = (db: Db, username: string, createdAt: Date): Promise<{ readonly id: number }> => {
  const email = `${username}@users.noreply.invalid`;
  const names = { username, usernameLower: username, email, emailLower: email, name: "Ghost User" };
  const rights = { emailVerified: false, passwordDigest: "", admin: false, state: GHOST };
  return db.user.create({ data: { ...names, ...rights, createdAt }, select: { id: true } });
};
