import { USER_STATES, type User, type UserKind, type UserState } from "@/access/principal";
import type { Db } from "@/kernel/db/db";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import { NO_PENDING_EMAIL, type PendingEmail, pendingEmailFrom } from "./pending-email-store";
import { type UserWithPassword, userFrom, withPassword, withState } from "./row";
import * as sql from "./store.sql";

/**
 * Returns the user with this login name, who may be a bot; null for an unknown login name.
 * @param login a username or a confirmed e-mail address, compared case-insensitively.
 */
export async function findByLogin(db: Db, login: string): Promise<UserWithPassword | null> {
  const lower = login.toLowerCase();
  const where = lower.includes("@") ? { emailLower: lower, emailVerified: true } : { usernameLower: lower };
  const row = await db.user.findUnique({ where });
  return row && withPassword(row);
}

/** Returns the user with this id; null for an unknown id and for a bot, which has no password. */
export async function findWithPassword(db: Db, id: number): Promise<UserWithPassword | null> {
  const row = await db.user.findUnique({ where: { id, kind: "human" } });
  return row && withPassword(row);
}

/** @param username the username, compared case-insensitively. */
export const usernameIsTaken = async (db: Db, username: string): Promise<boolean> =>
  (await db.user.count({ where: { usernameLower: username.toLowerCase() } })) > 0;

/**
 * Returns `email` if another user already has the e-mail address, and otherwise `username` if another user
 * already has the username, ignoring case. The result is null if neither the e-mail address nor the username
 * is in use.
 */
export async function takenOf(
  db: Db,
  { username, email, except }: Readonly<{ username: string; email: string; except?: number }>,
): Promise<"email" | "username" | null> {
  const [usernameLower, emailLower] = [username.toLowerCase(), email.toLowerCase()];
  const rows = await db.user.findMany({
    where: { OR: [{ usernameLower }, { emailLower }] },
    select: { id: true, emailLower: true },
  });
  const others = rows.filter(({ id }) => id !== except);
  if (others.length === 0) return null;
  return others.some((row) => row.emailLower === emailLower) ? "email" : "username";
}

export async function setTwoFactorSince(db: Db, userId: number, since: Date | null): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { twoFactorSince: since } });
}

/**
 * Stores the time at which the user was first required to set up a second factor, unless a time is already
 * stored.
 */
export async function setTwoFactorAskedAt(db: Db, userId: number, now: Date): Promise<void> {
  await db.user.updateMany({
    where: { id: userId, twoFactorAskedAt: null },
    data: { twoFactorAskedAt: now },
  });
}

export async function findById(reads: Reads, id: number): Promise<User | null> {
  const [row] = await sql.findByIds(reads, [id]);
  return row === undefined ? null : withState(row);
}

/** The row of a new user, without an id yet. */
export type NewUser = Omit<User, "id" | "kind" | "twoFactor" | "avatarDigest"> &
  Readonly<{ kind?: UserKind; passwordDigest: string; pendingEmail?: string; pendingEmailAt?: Date }>;

/** @throws Prisma's P2002 when the username or the e-mail address is taken. */
export async function insert(db: Db, user: NewUser): Promise<User> {
  const row = await db.user.create({
    data: {
      ...user,
      usernameLower: user.username.toLowerCase(),
      emailLower: user.email.toLowerCase(),
    },
  });
  return userFrom(row);
}

/** Returns the profile of a user, including the columns that only the profile page needs. */
export async function findProfile(
  reads: Reads,
  id: number,
): Promise<Readonly<{ privateProfile: boolean; pendingEmail: PendingEmail | null }> | null> {
  const row = await sql.profileOf(reads, id);
  return row && { privateProfile: row.privateProfile, pendingEmail: pendingEmailFrom(row) };
}

export async function setProfile(
  db: Db,
  id: number,
  profile: Readonly<{ name: string; privateProfile: boolean }>,
): Promise<void> {
  await db.user.update({ where: { id }, data: profile });
}

/** The account fields that an administrator can set. A new e-mail address counts as confirmed. */
export type AccountFields = Readonly<{
  username?: string;
  email?: string;
  name?: string;
  privateProfile?: boolean;
  passwordDigest?: string;
}>;

/** @throws Prisma's P2002 when the username or the e-mail address is taken. */
export async function setAccount(db: Db, id: number, fields: AccountFields): Promise<User> {
  const { username, email } = fields;
  const row = await db.user.update({
    where: { id },
    data: {
      ...fields,
      ...(username === undefined ? {} : { usernameLower: username.toLowerCase() }),
      ...(email === undefined
        ? {}
        : { emailLower: email.toLowerCase(), emailVerified: true, ...NO_PENDING_EMAIL }),
    },
  });
  return userFrom(row);
}

export async function setPassword(db: Db, userId: number, passwordDigest: string): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { passwordDigest } });
}

/** Returns the usernames of this list that belong to users, in lower case. */
export async function existingUsernames(db: Db, lower: readonly string[]): Promise<readonly string[]> {
  const where = { usernameLower: { in: [...lower] } };
  const rows = await db.user.findMany({ where, select: { usernameLower: true } });
  return rows.map(({ usernameLower }) => usernameLower);
}

/** Returns the usernames of these users, by id. */
export async function usernames(reads: Reads, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = ids.length === 0 ? [] : await sql.usernamesByIds(reads, ids);
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/**
 * Locks the rows of all active administrators until the transaction ends, so that two administrators cannot
 * simultaneously demote each other.
 * @returns the ids of the users who are still active administrators after the rows were locked.
 */
export async function lockAdministrators(db: Db): Promise<readonly number[]> {
  const where = { admin: true, state: "active" };
  await db.user.updateMany({ where, data: { admin: true } });
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/**
 * Changes the state of a user.
 * @returns false if the user already has this state, or if the current state is not in `from`.
 */
export async function setState(
  db: Db,
  id: number,
  state: UserState,
  from: readonly UserState[] = USER_STATES,
): Promise<boolean> {
  const where = { id, state: { in: from.filter((other) => other !== state) } };
  return (await db.user.updateMany({ where, data: { state } })).count === 1;
}

/**
 * Grants or revokes administrator rights.
 * @returns false if the administrator rights of the user do not change.
 */
export async function setAdmin(db: Db, id: number, admin: boolean): Promise<boolean> {
  return (await db.user.updateMany({ where: { id, admin: !admin }, data: { admin } })).count === 1;
}

/**
 * Locks the row of a user until the transaction ends.
 * @returns false when the user does not exist.
 */
export const lock = (db: Db, id: number): Promise<boolean> => lockRow(db, "User", id);

/** Returns the time at which the only human was created; null if the instance has no human or several humans. */
export async function onlyUserSince(db: Db): Promise<Date | null> {
  const where = { kind: "human" };
  const [first, second] = await db.user.findMany({ where, select: { createdAt: true }, take: 2 });
  return first === undefined || second !== undefined ? null : first.createdAt;
}

/**
 * Deletes a user with all rows that belong only to the user.
 * @returns false when the user does not exist.
 */
export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.user.deleteMany({ where: { id } })).count === 1;

/** Changes the name of a bot. */
export async function setBotName(db: Db, id: number, name: string): Promise<void> {
  await db.user.updateMany({ where: { id, kind: { not: "human" } }, data: { name } });
}

/**
 * Returns the ids of at most `most` bots whose application was deleted. Bots whose deletion has already begun
 * are excluded.
 */
export async function botsWithoutApplication(db: Db, most: number): Promise<readonly number[]> {
  const where = { kind: "application_bot", applicationBot: { is: null }, deletion: { is: null } };
  const rows = await db.user.findMany({ where, select: { id: true }, take: most });
  return rows.map(({ id }) => id);
}
