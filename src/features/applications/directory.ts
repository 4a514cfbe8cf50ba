import type { Db } from "@/platform/db/db";
import { besideId, type Cursor, type Slice, sliceOf } from "@/platform/keyset";

/** An application as an administrator sees it. */
export type Listed = Readonly<{
  id: number;
  uid: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  confidential: boolean;
  trusted: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  blockedAt: Date | null;
  owner: Readonly<{ id: number; username: string; name: string }>;
}>;

const columns = {
  id: true,
  uid: true,
  name: true,
  redirectUris: true,
  scopes: true,
  confidential: true,
  trusted: true,
  createdAt: true,
  lastUsedAt: true,
  blockedAt: true,
  owner: { select: { id: true, username: true, name: true } },
} as const;

const listedFrom = (
  row: Omit<Listed, "redirectUris" | "scopes"> & Readonly<{ redirectUris: string; scopes: string }>,
): Listed => ({ ...row, redirectUris: row.redirectUris.split("\n"), scopes: row.scopes.split(" ") });

/**
 * Applications of the instance, the latest first. A search walks the table by its key until the page is full.
 * @param search a part of the name, the beginning of the Application ID or of the owner's username; empty for all.
 */
export async function list(
  db: Db,
  ask: Readonly<{ search: string; cursor: Cursor<number>; most: number }>,
): Promise<Slice<Listed>> {
  const { where, orderBy } = besideId(ask.cursor);
  const rows = await db.application.findMany({
    where: { ...where, ...(ask.search === "" ? {} : { OR: matching(ask.search) }) },
    orderBy,
    take: ask.most + 1,
    select: columns,
  });
  return sliceOf(rows.map(listedFrom), ask.most, ask.cursor);
}

/** Names keep their case and PostgreSQL minds it, so a word is tried as people write it. */
function matching(search: string) {
  const lower = search.toLowerCase();
  const capital = lower.replace(/(^|\s)\S/gu, (letter) => letter.toUpperCase());
  const spellings = [...new Set([search, lower, capital, search.toUpperCase()])];
  return [
    { uid: { startsWith: lower } },
    { owner: { usernameLower: { startsWith: lower } } },
    ...spellings.map((contains) => ({ name: { contains } })),
  ];
}

export async function find(db: Db, id: number): Promise<Listed | null> {
  const row = await db.application.findUnique({ where: { id }, select: columns });
  return row && listedFrom(row);
}

/** The names of these applications, by id. */
export async function names(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = await db.application.findMany({ where, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids of the applications with this name, two at most. */
export async function idsNamed(db: Db, name: string): Promise<readonly number[]> {
  const rows = await db.application.findMany({ where: { name }, take: 2, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** @returns whether it was otherwise until now. */
export async function setBlocked(db: Db, id: number, blockedAt: Date | null): Promise<boolean> {
  const where = { id, blockedAt: blockedAt === null ? { not: null } : null };
  return (await db.application.updateMany({ where, data: { blockedAt } })).count === 1;
}

/** @returns whether it was otherwise until now. */
export async function setTrusted(db: Db, id: number, trusted: boolean): Promise<boolean> {
  return (
    (await db.application.updateMany({ where: { id, trusted: !trusted }, data: { trusted } })).count === 1
  );
}
