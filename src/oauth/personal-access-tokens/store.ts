import type { TokenDigest } from "@/kernel/crypto/token";
import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import { literally } from "@/kernel/db/like";
import type { Reads } from "@/kernel/db/prepared";
import { keysetRows, pageOfList } from "@/kernel/paging/list-statements";
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
} from "@/kernel/paging/paging";
import { caseVariantsOf } from "@/kernel/text/case-variants";
import type { PersonalToken } from "./rules";
import * as sql from "./store.sql";

const columns = {
  id: true,
  userId: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  familyId: true,
  impersonatorId: true,
} as const;

type Row = Omit<PersonalToken, "scopes"> & Readonly<{ scopes: string }>;

const tokenFrom = (row: Row): PersonalToken => ({ ...row, scopes: row.scopes.split(" ") });

export type NewPersonalToken = Readonly<{
  digest: TokenDigest;
  userId: number;
  name: string;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
  familyId: number | null;
  impersonatorId: number | null;
}>;

export async function insert(db: Db, token: NewPersonalToken): Promise<PersonalToken> {
  return tokenFrom(await db.personalAccessToken.create({ data: token, select: columns }));
}

export async function findById(reads: Reads, id: number): Promise<PersonalToken | null> {
  const [row] = await sql.findByIds(reads, [id]);
  return row === undefined ? null : tokenFrom(row);
}

/**
 * Returns a page of the unrevoked personal access tokens of a user, newest first. The page contains no
 * impersonation tokens.
 */
export async function listOf(
  reads: Reads,
  userId: number,
  paging: KeysetPaging,
): Promise<KeysetPage<PersonalToken>> {
  const rows = await keysetRows(reads, sql.UNREVOKED_TOKENS_OF_USER, paging, (window) => ({
    userId,
    ...window,
  }));
  return keysetPageFrom(paging, rows.map(tokenFrom));
}

/** A filter for personal access tokens. A filter field that is null matches any value. */
export type TokenFilter = Readonly<{
  userId: number | null;
  /** Whether to return the impersonation tokens instead of all other tokens. */
  impersonation?: true;
  /** The users whose tokens are returned, at most `NAMED_MAX` ids. */
  userIds?: readonly number[];
  /** The project or group whose access tokens are returned, if the number of its bots exceeds `NAMED_MAX`. */
  botsOf?: Readonly<{ projectId: number } | { groupId: number; projectId: null }>;
  /** The ids of the users whose tokens can be active; undefined if the tokens of every user can be active. */
  validUserIds?: readonly number[] | undefined;
  search: string | null;
  /** Whether the token is active: not revoked and not expired. */
  active: boolean | null;
  revoked: boolean | null;
}>;

/** Returns a page of personal access tokens, newest first unless a keyset page sets another order. */
export function part(
  { db, reads }: Queries,
  filter: TokenFilter,
  now: Date,
  paging: Paging,
): Promise<Page<PersonalToken>> {
  const read = async (ids: readonly number[]) => (await sql.findByIds(reads, ids)).map(tokenFrom);
  const { userId, userIds, impersonation, botsOf, validUserIds, search, active, revoked } = filter;
  if (userId !== null && isOnlyOfUser(filter) && paging.kind === "offset") {
    if (active === null) return pageOfList(reads, sql.TOKENS_OF_USER, { userId }, paging, read);
    if (active) return pageOfList(reads, sql.ACTIVE_TOKENS_OF_USER, { userId, now }, paging, read);
  }
  const valid =
    validUserIds === undefined ? alive(now) : { ...alive(now), userId: { in: [...validUserIds] } };
  const names =
    search === null ? [] : caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } }));
  const where = {
    ...(userId === null ? {} : { userId }),
    ...(userIds === undefined ? {} : { userId: { in: padToPowerOfFour(userIds) } }),
    impersonatorId: impersonation === true ? { not: null } : null,
    ...(botsOf === undefined ? {} : { user: { accessTokenBot: { is: botsOf } } }),
    ...(revoked === null ? {} : { revokedAt: revoked ? { not: null } : null }),
    AND: [
      ...(names.length === 0 ? [] : [{ OR: names }]),
      ...(active === null ? [] : [active ? valid : { NOT: valid }]),
    ],
  };
  const query = {
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, true) },
  } as const;
  return pageById(paging, {
    isSearch: search !== null,
    find: (window) => db.personalAccessToken.findMany({ ...query, select: { id: true }, ...window }),
    read,
    count: () => db.personalAccessToken.count({ where, take: COUNTED_MAX + 1 }),
  });
}

/** Returns whether a filter has no condition except the user of the tokens and whether they are active. */
const isOnlyOfUser = ({
  impersonation,
  userIds,
  botsOf,
  validUserIds,
  search,
  revoked,
}: TokenFilter): boolean =>
  [impersonation, userIds, botsOf, validUserIds].every((value) => value === undefined) &&
  [search, revoked].every((value) => value === null);

const alive = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/**
 * Revokes a personal access token.
 * @returns true when the token was active and belongs to this user.
 */
export async function revoke(
  db: Db,
  { id, userId }: Readonly<{ id: number; userId: number }>,
  now: Date,
): Promise<boolean> {
  const { count } = await db.personalAccessToken.updateMany({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: now },
  });
  return count === 1;
}

/**
 * Locks a personal access token until the transaction ends.
 * @returns false if the token is revoked.
 */
export async function lockLive(db: Db, id: number): Promise<boolean> {
  const where = { id, revokedAt: null };
  return (await db.personalAccessToken.updateMany({ where, data: { revokedAt: null } })).count === 1;
}

/**
 * Revokes all personal access tokens of a user.
 * @returns the number of active tokens that were revoked.
 */
export async function revokeAllOf(db: Db, userId: number, now: Date): Promise<number> {
  const where = { userId, revokedAt: null };
  return (await db.personalAccessToken.updateMany({ where, data: { revokedAt: now } })).count;
}

/** Returns whether a rotation family has a token that is not revoked. The function reads one indexed row. */
export async function familyLives(db: Db, familyId: number): Promise<boolean> {
  const alive = { familyId, revokedAt: null };
  return (await db.personalAccessToken.findFirst({ where: alive, select: { id: true } })) !== null;
}

/**
 * Revokes the tokens of a rotation family that were created by rotation. The first rotation has already
 * revoked the first token of the rotation family.
 * @returns the number of active tokens that were revoked.
 */
export async function revokeFamily(db: Db, familyId: number, now: Date): Promise<number> {
  const alive = { familyId, revokedAt: null };
  return (await db.personalAccessToken.updateMany({ where: alive, data: { revokedAt: now } })).count;
}

/** A personal access token whose owner has not been reminded of its expiry. */
export type ExpiringToken = Readonly<{
  id: number;
  userId: number;
  name: string;
  createdAt: Date;
  expiresAt: Date;
}>;

/** Returns the tokens that expire between two times and have no reminder yet, earliest expiry first. */
export async function listUnreminded(
  db: Db,
  { now, until, most }: Readonly<{ now: Date; until: Date; most: number }>,
): Promise<readonly ExpiringToken[]> {
  const rows = await db.personalAccessToken.findMany({
    where: { expiresAt: { gt: now, lte: until }, remindedAt: null, revokedAt: null, impersonatorId: null },
    select: { id: true, userId: true, name: true, createdAt: true, expiresAt: true },
    orderBy: { expiresAt: "asc" },
    take: most,
  });
  return rows.flatMap(({ expiresAt, ...row }) => (expiresAt === null ? [] : [{ ...row, expiresAt }]));
}

/**
 * Records that the owner of a token was reminded of the expiry of the token. @returns true for exactly one of
 * several simultaneous callers.
 */
export async function claimReminder(db: Db, id: number, now: Date): Promise<boolean> {
  const { count } = await db.personalAccessToken.updateMany({
    where: { id, remindedAt: null, revokedAt: null },
    data: { remindedAt: now },
  });
  return count === 1;
}
