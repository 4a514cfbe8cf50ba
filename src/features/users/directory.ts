import type { User } from "@/access/principal";
import type { Db } from "@/platform/db/db";
import { literally } from "@/platform/db/like";
import { besideId, type Cursor, type Slice, sliceOf } from "@/platform/keyset";
import { besideKey, COUNTED_MAX, directionOf, type Page, type Paging, pageById } from "@/platform/paging";
import { spellingsOf } from "@/platform/spellings";
import { userFrom } from "./store";

/** A person as an administrator sees them. */
export type Listed = User & Readonly<{ twoFactorSince: Date | null }>;

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
  return sliceOf(
    rows.map((row) => ({ ...userFrom(row), twoFactorSince: row.twoFactorSince })),
    ask.most,
    ask.cursor,
  );
}

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
}>;

/** A part of the people, the latest first unless a keyset part says otherwise. */
export function part(db: Db, filter: PeopleFilter, paging: Paging): Promise<Page<User>> {
  const { username, search, state } = filter;
  const where = {
    ...(username === null ? {} : { usernameLower: username.toLowerCase() }),
    ...(search === null ? {} : { OR: matching(search, filter.byAddress) }),
    ...(state === null ? {} : { state }),
    ...(filter.administrators ? { admin: true } : {}),
  };
  const ask = {
    where: { ...where, ...besideKey(paging) },
    orderBy: { id: directionOf(paging, true) },
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
  return row && { ...userFrom(row), twoFactorSince: row.twoFactorSince };
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
