import { USER_STATES, type User, type UserKind, type UserState, userStateOf } from "@/access/principal";
import { between, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import type { User as UserRow } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import {
  COUNTED_MAX,
  directionOf,
  type KeysetPage,
  type KeysetPaging,
  keysetFilterOf,
  keysetPageFrom,
  type Page,
  type Paging,
  pageById,
  windowOf,
} from "@/kernel/paging/paging";
import { caseVariantsOf } from "@/kernel/text/case-variants";
import { userKind } from "../user-columns";
import * as sql from "./store.sql";

/** The state of the ghost user, to whom the contributions of deleted users belong. No list contains this user. */
const GHOST = "ghost";

/** The state of a user whose deletion has begun. */
const DELETING = "deleting";

/** The condition for all users except the ghost user. */
const NOT_GHOST = { state: { not: GHOST } } as const;

export type UserWithPassword = Readonly<{
  user: User;
  passwordDigest: string;
  /** The time at which the user was first required to set up a second factor. */
  twoFactorAskedAt: Date | null;
}>;

const withPassword = (row: UserRow): UserWithPassword => {
  const { passwordDigest, twoFactorAskedAt } = row;
  return { user: userFrom(row), passwordDigest, twoFactorAskedAt };
};

/**
 * Returns the user with this login, who may be a bot; null for an unknown login.
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
 * Returns `email` or `username` if another user already has the value, ignoring case; `email` if both are in use; null
 * if neither is.
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
 * Stores the time at which the user was first required to set up a second factor, unless a time is stored
 * already.
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

/** Returns the profile of a user, with the columns that other pages do not need. */
export async function findProfile(
  db: Db,
  id: number,
): Promise<Readonly<{ privateProfile: boolean; pendingEmail: PendingEmail | null }> | null> {
  const select = { privateProfile: true, pendingEmail: true, pendingEmailAt: true } as const;
  const row = await db.user.findUnique({ where: { id }, select });
  return row && { privateProfile: row.privateProfile, pendingEmail: pendingEmailFrom(row) };
}

type PendingEmail = Readonly<{ email: string; at: Date }>;

const pendingEmailFrom = ({
  pendingEmail: email,
  pendingEmailAt: at,
}: Pick<UserRow, "pendingEmail" | "pendingEmailAt">): PendingEmail | null =>
  email === null || at === null ? null : { email, at };

export async function setProfile(
  db: Db,
  id: number,
  profile: Readonly<{ name: string; privateProfile: boolean }>,
): Promise<void> {
  await db.user.update({ where: { id }, data: profile });
}

export async function setPendingEmail(db: Db, id: number, { email, at }: PendingEmail): Promise<void> {
  await db.user.update({ where: { id }, data: { pendingEmail: email, pendingEmailAt: at } });
}

const NO_PENDING_EMAIL = { pendingEmail: null, pendingEmailAt: null } as const;

/**
 * Deletes the pending e-mail address of a user who has a confirmed e-mail address.
 * @returns whether a pending e-mail address was deleted.
 */
export async function clearPendingEmail(db: Db, id: number): Promise<boolean> {
  const where = { id, emailVerified: true, pendingEmail: { not: null } };
  return (await db.user.updateMany({ where, data: NO_PENDING_EMAIL })).count === 1;
}

/**
 * Confirms this pending e-mail address. The function throws Prisma's P2002 when another user has the e-mail
 * address.
 * @returns whether this e-mail address was pending.
 */
export async function confirmPendingEmail(db: Db, id: number, email: string): Promise<boolean> {
  const data = { email, emailLower: email.toLowerCase(), emailVerified: true, ...NO_PENDING_EMAIL };
  return (await db.user.updateMany({ where: { id, pendingEmail: email }, data })).count === 1;
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

const withState = (row: sql.UserRow): User => ({
  ...row,
  state: userStateOf(row.state),
});

const userFrom = (row: UserRow): User => ({
  id: row.id,
  kind: userKind(row.kind),
  username: row.username,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  admin: row.admin,
  state: userStateOf(row.state),
  createdAt: row.createdAt,
  twoFactor: row.twoFactorSince !== null,
  privateProfile: row.privateProfile,
  avatarDigest: row.avatarDigest,
});

/** A user as the administrators' user lists show it. */
export type ListedUser = User &
  Readonly<{
    twoFactorSince: Date | null;
    pendingEmail: { readonly email: string; readonly at: Date } | null;
  }>;

/**
 * Returns a page of humans, newest first. A search scans the table by its primary key until the page is full,
 * so a search without results reads every row.
 * @param search the beginning of a username or an e-mail address, or a part of a name; empty for all
 * users.
 */
export async function listAll(db: Db, search: string, paging: KeysetPaging): Promise<KeysetPage<ListedUser>> {
  const rows = await db.user.findMany({
    where: {
      ...keysetFilterOf(paging),
      ...NOT_GHOST,
      kind: "human",
      ...(search === "" ? {} : { OR: matching(search, true) }),
    },
    orderBy: { id: directionOf(paging) },
    ...windowOf(paging),
  });
  return keysetPageFrom(paging, rows.map(listedFrom));
}

const listedFrom = (row: UserRow): ListedUser => ({
  ...userFrom(row),
  twoFactorSince: row.twoFactorSince,
  pendingEmail: pendingEmailFrom(row),
});

/** Returns the users whose new e-mail address waits for confirmation, oldest request first. */
export const listPendingEmails = (
  db: Db,
  most: number,
): Promise<readonly { readonly id: number; readonly username: string }[]> =>
  db.user.findMany({
    where: { pendingEmailAt: { not: null } },
    select: { id: true, username: true },
    orderBy: { pendingEmailAt: "asc" },
    take: most,
  });

/**
 * The number of rows that a search reads from an index. The search returns only the rows that begin with the given
 * text.
 */
const PREFIX_ROWS = 20;

/**
 * Returns at most `most` users whose username or e-mail address begins with a text, in two queries that read a few rows
 * of an index.
 */
export async function findByPrefix(
  db: Db,
  prefix: string,
  most: number,
): Promise<readonly Pick<User, "id" | "username" | "name">[]> {
  const lower = prefix.toLowerCase();
  const rows = await Promise.all(
    (["usernameLower", "emailLower"] as const).map(async (column) => {
      const candidates = await db.user.findMany({
        where: { ...NOT_GHOST, [column]: { gte: lower } },
        orderBy: { [column]: "asc" },
        select: { id: true, username: true, name: true, usernameLower: true, emailLower: true },
        take: PREFIX_ROWS,
      });
      return candidates.filter((row) => row[column].startsWith(lower));
    }),
  );
  const users = new Map(rows.flat().map(({ id, username, name }) => [id, { id, username, name }]));
  return [...users.values()].slice(0, most);
}

function matching(search: string, byEmail: boolean) {
  const lower = search.toLowerCase();
  return [
    { usernameLower: { startsWith: literally(lower) } },
    ...(byEmail ? [{ emailLower: { startsWith: literally(lower) } }] : []),
    ...caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } })),
  ];
}

/** A filter for users; a field with the value null matches every user. */
export type UsersFilter = Readonly<{
  username: string | null;
  search: string | null;
  /** Whether the search includes e-mail addresses. */
  byEmail: boolean;
  state: User["state"] | null;
  administrators: boolean;
  /** Whether the user has a second factor. */
  twoFactor?: boolean | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** The kinds of the users; null for all kinds. */
  kinds: readonly UserKind[] | null;
  /** The only users that are returned; undefined for all users. */
  ids: readonly number[] | undefined;
  descending: boolean;
}>;

/** Returns a page of users in the order of their ids. */
export function listPart({ db, reads }: Queries, filter: UsersFilter, paging: Paging): Promise<Page<User>> {
  const { username, search, state } = filter;
  const where = {
    ...(username === null ? {} : { usernameLower: username.toLowerCase() }),
    ...(search === null ? {} : { OR: matching(search, filter.byEmail) }),
    ...(state === null ? NOT_GHOST : { state }),
    ...(filter.kinds === null ? {} : { kind: { in: [...filter.kinds] } }),
    ...(filter.administrators ? { admin: true } : {}),
    ...(filter.ids === undefined ? {} : { AND: [{ id: { in: [...filter.ids] } }] }),
    ...(filter.twoFactor === undefined ? {} : { twoFactorSince: filter.twoFactor ? { not: null } : null }),
    ...(filter.createdAfter === undefined && filter.createdBefore === undefined
      ? {}
      : { createdAt: between(filter.createdAfter, filter.createdBefore) }),
  };
  const query = {
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, filter.descending) },
  } as const;
  return pageById(paging, {
    isSearch: search !== null,
    find: (window) => db.user.findMany({ ...query, select: { id: true }, ...window }),
    read: async (ids) => (await sql.findByIds(reads, ids)).map(withState),
    count: () => db.user.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** Returns a user as the administrators' pages show it; null for the ghost user. */
export async function findListed(db: Db, id: number): Promise<ListedUser | null> {
  const row = await db.user.findFirst({ where: { id, ...NOT_GHOST } });
  return row && listedFrom(row);
}

/** Returns the usernames of this list that belong to users, in lower case. */
export async function existingUsernames(db: Db, lower: readonly string[]): Promise<readonly string[]> {
  const where = { usernameLower: { in: [...lower] } };
  const rows = await db.user.findMany({ where, select: { usernameLower: true } });
  return rows.map(({ usernameLower }) => usernameLower);
}

/**
 * Returns a page of humans, ordered by id, and the number of matching humans, counted up to `COUNTED_MAX +
 * 1`.
 * @param userId the id of the only user to return; null for every user.
 */
export async function namespacesOfUsers(
  db: Db,
  { search, userId }: Readonly<{ search: string; userId: number | null }>,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Promise<Readonly<{ rows: readonly Pick<User, "id" | "username" | "name">[]; total: number }>> {
  const where = {
    ...NOT_GHOST,
    kind: "human",
    ...(userId === null ? {} : { id: userId }),
    ...(search === "" ? {} : { OR: matching(search, false) }),
  };
  const select = { id: true, username: true, name: true } as const;
  const orderBy = { id: "asc" } as const;
  if (search !== "" && skip + take <= COUNTED_MAX) {
    // A search may scan the whole table, so one scan provides both the ids of the page and the total.
    const matches = await db.user.findMany({ where, select: { id: true }, orderBy, take: COUNTED_MAX + 1 });
    const ids = matches.slice(skip, skip + take).map(({ id }) => id);
    const rows = await db.user.findMany({ where: { id: { in: padToPowerOfFour(ids) } }, select, orderBy });
    return { rows, total: matches.length };
  }
  const [rows, total] = await Promise.all([
    db.user.findMany({ where, select, orderBy, skip, take }),
    db.user.count({ where, take: COUNTED_MAX + 1 }),
  ]);
  return { rows, total };
}

/** Returns the usernames of these users, by id. */
export async function usernames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = await db.user.findMany({ where, select: { id: true, username: true } });
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/**
 * Locks the rows of all active administrators until the transaction ends, so that two administrators cannot
 * simultaneously demote each other.
 * @returns the ids of the users that are still active administrators after their rows were locked.
 */
export async function lockAdministrators(db: Db): Promise<readonly number[]> {
  const where = { admin: true, state: "active" };
  await db.user.updateMany({ where, data: { admin: true } });
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** @returns false if the user already has this state, or if the current state is not in `from`. */
export async function setState(
  db: Db,
  id: number,
  state: UserState,
  from: readonly UserState[] = USER_STATES,
): Promise<boolean> {
  const where = { id, state: { in: from.filter((other) => other !== state) } };
  return (await db.user.updateMany({ where, data: { state } })).count === 1;
}

/** Grants or revokes administrator rights. @returns false if the user already has this value. */
export async function setAdmin(db: Db, id: number, admin: boolean): Promise<boolean> {
  return (await db.user.updateMany({ where: { id, admin: !admin }, data: { admin } })).count === 1;
}

/**
 * Locks the row of a user until the transaction ends.
 * @returns false when there is no such user.
 */
export const lock = (db: Db, id: number): Promise<boolean> => lockRow(db, "User", id);

/** Returns the time at which the only human was created; null if the instance has no human or several humans. */
export async function onlyUserSince(db: Db): Promise<Date | null> {
  const where = { kind: "human" };
  const [first, second] = await db.user.findMany({ where, select: { createdAt: true }, take: 2 });
  return first === undefined || second !== undefined ? null : first.createdAt;
}

/** Deletes a user with all rows that belong only to the user. @returns false when there is no such user. */
export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.user.deleteMany({ where: { id } })).count === 1;

/** Returns the first active administrators with a confirmed e-mail address. */
export const listAdministrators = (
  db: Db,
  most: number,
): Promise<readonly Readonly<{ name: string; email: string }>[]> =>
  db.user.findMany({
    where: { admin: true, state: "active", emailVerified: true },
    select: { name: true, email: true },
    orderBy: { id: "asc" },
    take: most,
  });

/** Returns the users whose registration waits for approval, oldest first. */
export const listPendingApprovals = (
  db: Db,
  most: number,
): Promise<readonly { readonly id: number; readonly username: string }[]> =>
  db.user.findMany({
    where: { state: "blocked_pending_approval" },
    select: { id: true, username: true },
    orderBy: { id: "asc" },
    take: most,
  });

/**
 * Returns the id of the ghost user, who has one of these usernames; null if the ghost user does not exist
 * yet.
 */
export async function findGhost(db: Db, usernames: readonly string[]): Promise<number | null> {
  const where = { usernameLower: { in: [...usernames] }, state: GHOST };
  return (await db.user.findFirst({ where, select: { id: true } }))?.id ?? null;
}

/** @throws Prisma's P2002 when the username is taken. */
export const insertGhost = (db: Db, username: string, createdAt: Date): Promise<{ readonly id: number }> => {
  const email = `${username}@users.noreply.invalid`;
  const names = { username, usernameLower: username, email, emailLower: email, name: "Ghost User" };
  const rights = { emailVerified: false, passwordDigest: "", admin: false, state: GHOST };
  return db.user.create({ data: { ...names, ...rights, createdAt }, select: { id: true } });
};

/**
 * Marks a user whose deletion begins, so that the deletion can no longer be canceled.
 * @returns false when the user is active or does not exist.
 */
export async function markDeleting(db: Db, id: number): Promise<boolean> {
  const where = { id, state: { in: ["blocked", "deactivated", "blocked_pending_approval", DELETING] } };
  return (await db.user.updateMany({ where, data: { state: DELETING } })).count === 1;
}

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
