import type { Db } from "@/platform/db/db";

/**
 * Removes what has ended, whichever feature it belongs to: the one place that does, so that every statement here is
 * short and goes by an index. `most` bounds each of them.
 */

/** Codes live for minutes at most, so a used one has not been used long before it expires. */
export const deleteCodes = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.authorizationCode.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteDeviceCodes = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.deviceAuthorization.deleteMany({ where: { expiresAt: { lt: before } }, limit: most })).count;

export const deleteRateCounters = async (db: Db, before: Date, most: number): Promise<number> =>
  (await db.rateCounter.deleteMany({ where: { endsAt: { lt: before } }, limit: most })).count;

/** Ids above `after`, up to and including `upTo`. */
export type Slice = Readonly<{ after: number; upTo: number }>;

const LAST_ID = 2 ** 31 - 1;

/** The next `most` rows by their ids, whatever their state. `upTo` of the last slice is beyond all rows. */
export async function nextSlice(
  db: Db,
  table: "session" | "oauthToken",
  after: number,
  most: number,
): Promise<Slice> {
  const ask = {
    where: { id: { gt: after } },
    orderBy: { id: "asc" },
    skip: most - 1,
    select: { id: true },
  } as const;
  const last = table === "session" ? await db.session.findFirst(ask) : await db.oauthToken.findFirst(ask);
  return { after, upTo: last?.id ?? LAST_ID };
}

export const isLast = ({ upTo }: Slice): boolean => upTo === LAST_ID;

const inSlice = ({ after, upTo }: Slice) => ({ gt: after, lte: upTo });

export const deleteSessions = async (db: Db, slice: Slice, before: Date): Promise<number> =>
  (
    await db.session.deleteMany({
      where: { id: inSlice(slice), OR: [{ expiresAt: { lt: before } }, { endedAt: { lt: before } }] },
    })
  ).count;

export type DeadToken = Readonly<{ id: number; familyId: number }>;

const columns = { id: true, familyId: true } as const;

export const revokedTokens = (db: Db, before: Date, most: number): Promise<readonly DeadToken[]> =>
  db.oauthToken.findMany({
    where: { revokedAt: { lt: before } },
    orderBy: { revokedAt: "asc" },
    take: most,
    select: columns,
  });

/** Tokens of which neither half can be used any more: an expired access token may still have a live refresh token. */
export const expiredTokens = (db: Db, slice: Slice, before: Date): Promise<readonly DeadToken[]> =>
  db.oauthToken.findMany({
    where: {
      id: inSlice(slice),
      expiresAt: { lt: before },
      OR: [{ refreshDigest: null }, { refreshExpiresAt: { lt: before } }],
    },
    select: columns,
  });

export async function deleteTokens(db: Db, ids: readonly number[], most: number): Promise<number> {
  return (await db.oauthToken.deleteMany({ where: { id: { in: padded(ids, most) } } })).count;
}

/** Those of these families that have a token left. */
export async function familiesWithTokens(
  db: Db,
  ids: readonly number[],
  most: number,
): Promise<ReadonlySet<number>> {
  const rows = await db.oauthToken.groupBy({
    by: ["familyId"],
    where: { familyId: { in: padded(ids, most) } },
  });
  return new Set(rows.map(({ familyId }) => familyId));
}

export async function deleteFamilies(db: Db, ids: readonly number[], most: number): Promise<number> {
  if (ids.length === 0) return 0;
  return (await db.tokenFamily.deleteMany({ where: { id: { in: padded(ids, most) } } })).count;
}

/** Always as long: the database prepares one statement, not one for every length of a list. */
const padded = (ids: readonly number[], length: number): number[] => [
  ...ids,
  ...new Array<number>(Math.max(0, length - ids.length)).fill(ids[0] ?? 0),
];
