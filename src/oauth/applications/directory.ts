import { evenly, NAMED_MAX, named } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import { literally } from "@/kernel/db/like";
import { besideId, type Cursor, type Slice, sliceOf } from "@/kernel/paging/keyset";
import {
  besideKey,
  COUNTED_MAX,
  directionOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import { spellingsOf } from "@/kernel/text/spellings";
import { isOwnerBlocked, OWNER_STATE } from "./owner-blocked";

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
  /** It is refused because its owner is blocked. */
  ownerBlocked: boolean;
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
  owner: { select: { id: true, username: true, name: true, ...OWNER_STATE } },
} as const;

type Row = Omit<Listed, "redirectUris" | "scopes" | "ownerBlocked" | "owner"> &
  Readonly<{
    redirectUris: string;
    scopes: string;
    owner: Listed["owner"] & Readonly<{ state: string; admin: boolean }>;
  }>;

const listedFrom = ({ owner, ...row }: Row): Listed => ({
  ...row,
  owner: { id: owner.id, username: owner.username, name: owner.name },
  ownerBlocked: isOwnerBlocked({ trusted: row.trusted, owner }),
  redirectUris: row.redirectUris.split("\n"),
  scopes: row.scopes.split(" "),
});

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

function matching(search: string) {
  const lower = search.toLowerCase();
  return [
    { uid: { startsWith: literally(lower) } },
    { owner: { usernameLower: { startsWith: literally(lower) } } },
    ...spellingsOf(search).map((text) => ({ name: { contains: literally(text) } })),
  ];
}

export async function find(db: Db, id: number): Promise<Listed | null> {
  const row = await db.application.findUnique({ where: { id }, select: columns });
  return row && listedFrom(row);
}

/** An administrator owns it, so it is the instance's own. */
const OF_INSTANCE = { owner: { admin: true } } as const;

export async function findOfInstance(db: Db, id: number): Promise<Listed | null> {
  const row = await db.application.findFirst({ where: { id, ...OF_INSTANCE }, select: columns });
  return row && listedFrom(row);
}

/** The same by the ids of the administrators, unless they are too many to be named. */
async function administratorsOwn(db: Db): Promise<object> {
  const admins = await db.user.findMany({
    where: { admin: true },
    select: { id: true },
    take: NAMED_MAX + 1,
  });
  const ids = named(admins.map(({ id }) => id));
  return ids === null ? OF_INSTANCE : { ownerId: { in: evenly(ids) } };
}

/** A part of the instance's own applications, the latest first unless a keyset part says otherwise. */
export async function partOfInstance(db: Db, paging: Paging): Promise<Page<Listed>> {
  const ofInstance = await administratorsOwn(db);
  const rows = db.application.findMany({
    where: { ...ofInstance, ...besideKey(paging) },
    orderBy: { id: directionOf(paging, true) },
    select: columns,
    ...windowOf(paging),
  });
  return pageFrom(
    paging,
    rows.then((found) => found.map(listedFrom)),
    () => db.application.count({ where: ofInstance, take: COUNTED_MAX + 1 }),
  );
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

/** Applications that are refused when their owner is blocked, and how many people each of them has grants of. */
export type DependentApplications = Readonly<{
  count: number;
  /** Those with the most people first; the rest is only counted. */
  shown: readonly Readonly<{ id: number; name: string; people: number }>[];
}>;

/** The applications of a user that work only while the user is active. Two queries by indexes. */
export async function dependentOn(db: Db, ownerId: number, most: number): Promise<DependentApplications> {
  const count = await db.application.count({ where: { ownerId, trusted: false, blockedAt: null } });
  if (count === 0) return { count, shown: [] };
  const rows = await db.$queryRaw<{ id: number; name: string; people: number | bigint }[]>`
    SELECT a."id", a."name", COUNT(DISTINCT f."userId") AS "people"
    FROM "Application" a
    LEFT JOIN "TokenFamily" f ON f."applicationId" = a."id" AND f."revokedAt" IS NULL
    WHERE a."ownerId" = ${ownerId} AND NOT a."trusted" AND a."blockedAt" IS NULL
    GROUP BY a."id", a."name" ORDER BY "people" DESC, a."id" LIMIT ${most}`;
  return { count, shown: rows.map(({ people, ...row }) => ({ ...row, people: Number(people) })) };
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

/** The redirect URIs of the next `most` applications after this id. */
export const redirectUrisAfter = (db: Db, after: number, most: number) =>
  db.application.findMany({
    where: { id: { gt: after } },
    select: { id: true, name: true, redirectUris: true, owner: { select: { username: true } } },
    orderBy: { id: "asc" },
    take: most,
  });
