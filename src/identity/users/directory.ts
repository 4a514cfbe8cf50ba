import type { User } from "@/access/principal";
import { between, evenly } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { User as UserRow } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { besideId, type Cursor, type Slice, sliceOf } from "@/kernel/paging/keyset";
import {
  besideKey,
  COUNTED_MAX,
  directionOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { spellingsOf } from "@/kernel/text/spellings";
import { pendingEmailFrom, userFrom } from "./store";

/** A person as an administrator sees them. */
export type Listed = User &
  Readonly<{
    twoFactorSince: Date | null;
    pendingEmail: { readonly email: string; readonly at: Date } | null;
  }>;

/**
 * People, the latest first. A search walks the table by its key until the page is full: a word that nobody has costs
 * one look at every row.
 * @param search the beginning of a username or an address, or a part of a name; empty for everybody.
 */
export async function list(
  db: Db,
  ask: Readonly<{ search: string; cursor: Cursor<number>; most: number }>,
): Promise<Slice<Listed>> {
  const { where, orderBy } = besideId(ask.cursor);
  const rows = await db.user.findMany({
    where: { ...where, ...(ask.search === "" ? {} : { OR: matching(ask.search, true) }) },
    orderBy,
    take: ask.most + 1,
  });
  return sliceOf(rows.map(listedFrom), ask.most, ask.cursor);
}

const listedFrom = (row: UserRow): Listed => ({
  ...userFrom(row),
  twoFactorSince: row.twoFactorSince,
  pendingEmail: pendingEmailFrom(row),
});

/** The users whose new e-mail address waits for confirmation, the longest first. */
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

function matching(search: string, byAddress: boolean) {
  const lower = search.toLowerCase();
  return [
    { usernameLower: { startsWith: literally(lower) } },
    ...(byAddress ? [{ emailLower: { startsWith: literally(lower) } }] : []),
    ...spellingsOf(search).map((text) => ({ name: { contains: literally(text) } })),
  ];
}

/** Which people are asked for; null: whichever. */
export type PeopleFilter = Readonly<{
  username: string | null;
  search: string | null;
  /** Whether a search looks at addresses, too. */
  byAddress: boolean;
  state: User["state"] | null;
  administrators: boolean;
  /** Whether they have a second factor. */
  twoFactor?: boolean | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  descending: boolean;
}>;

/** A part of the people in the order of their ids. */
export function part(db: Db, filter: PeopleFilter, paging: Paging): Promise<Page<User>> {
  const { username, search, state } = filter;
  const where = {
    ...(username === null ? {} : { usernameLower: username.toLowerCase() }),
    ...(search === null ? {} : { OR: matching(search, filter.byAddress) }),
    ...(state === null ? {} : { state }),
    ...(filter.administrators ? { admin: true } : {}),
    ...(filter.twoFactor === undefined ? {} : { twoFactorSince: filter.twoFactor ? { not: null } : null }),
    ...(filter.createdAfter === undefined && filter.createdBefore === undefined
      ? {}
      : { createdAt: between(filter.createdAfter, filter.createdBefore) }),
  };
  const ask = {
    where: { ...where, ...besideKey(paging) },
    orderBy: { id: directionOf(paging, filter.descending) },
  } as const;
  return pageById(paging, {
    isSearch: search !== null,
    find: (window) => db.user.findMany({ ...ask, select: { id: true }, ...window }),
    read: async (ids) => (await db.user.findMany({ where: { id: { in: ids } } })).map(userFrom),
    count: () => db.user.count({ where, take: COUNTED_MAX + 1 }),
  });
}

export async function find(db: Db, id: number): Promise<Listed | null> {
  const row = await db.user.findUnique({ where: { id } });
  return row && listedFrom(row);
}

/** Which of these usernames, in lower case, users have. */
export async function existingUsernames(db: Db, lower: readonly string[]): Promise<readonly string[]> {
  const where = { usernameLower: { in: [...lower] } };
  const rows = await db.user.findMany({ where, select: { usernameLower: true } });
  return rows.map(({ usernameLower }) => usernameLower);
}

/**
 * A part of the users by their ids, and how many there are, counted to `COUNTED_MAX + 1`.
 * @param userId only that user; null for every user.
 */
export async function namespacesOfUsers(
  db: Db,
  { search, userId }: Readonly<{ search: string; userId: number | null }>,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Promise<Readonly<{ rows: readonly Pick<User, "id" | "username" | "name">[]; total: number }>> {
  const where = {
    ...(userId === null ? {} : { id: userId }),
    ...(search === "" ? {} : { OR: matching(search, false) }),
  };
  const select = { id: true, username: true, name: true } as const;
  const orderBy = { id: "asc" } as const;
  if (search !== "" && skip + take <= COUNTED_MAX) {
    // A search may look at every row: once for the rows and their number.
    const found = await db.user.findMany({ where, select: { id: true }, orderBy, take: COUNTED_MAX + 1 });
    const ids = found.slice(skip, skip + take).map(({ id }) => id);
    const rows = await db.user.findMany({ where: { id: { in: evenly(ids) } }, select, orderBy });
    return { rows, total: found.length };
  }
  const [rows, total] = await Promise.all([
    db.user.findMany({ where, select, orderBy, skip, take }),
    db.user.count({ where, take: COUNTED_MAX + 1 }),
  ]);
  return { rows, total };
}

/** The usernames of these people, by id. */
export async function usernames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = await db.user.findMany({ where, select: { id: true, username: true } });
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/**
 * Locks the rows of all active administrators until the transaction ends, so that no two of them can end each other.
 * @returns the ids of those that are active once the lock is held.
 */
export async function lockAdministrators(db: Db): Promise<readonly number[]> {
  const where = { admin: true, state: "active" };
  await db.user.updateMany({ where, data: { admin: true } });
  return (await db.user.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** @returns whether it was in another state until now. */
export async function setState(db: Db, id: number, state: User["state"]): Promise<boolean> {
  return (await db.user.updateMany({ where: { id, state: { not: state } }, data: { state } })).count === 1;
}

/** @returns whether it was otherwise until now. */
export async function setAdmin(db: Db, id: number, admin: boolean): Promise<boolean> {
  return (await db.user.updateMany({ where: { id, admin: !admin }, data: { admin } })).count === 1;
}
