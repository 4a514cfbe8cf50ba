import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { isAscending, type KeysetPaging, windowOf } from "@/kernel/paging/paging";
import type { AuditName } from "./catalog";

export type NewEvent = Readonly<{
  name: string;
  at: Date;
  userId: number | null;
  applicationId: number | null;
  actorId: number | null;
  /** Whether the operator of the server caused the event on the command line. */
  byCommandLine: boolean;
  details: string;
}>;

/** Inserts audit events in the given order. */
export async function insert(
  db: Db,
  events: readonly (NewEvent & Readonly<{ previousDigest: string; digest: string }>)[],
): Promise<void> {
  await db.auditEvent.createMany({ data: [...events] });
}

const ONLY = 1;

/** Both ends of the hash chain: the digest of the last pruned event, and the digest of the last event. */
export type Ends = Readonly<{ anchorDigest: string; headDigest: string }>;
export type SignedEnds = Ends & Readonly<{ signature: string }>;

const EMPTY: SignedEnds = { anchorDigest: "", headDigest: "", signature: "" };

/**
 * Locks the row of the hash chain until the transaction ends, and creates the row if it does not exist.
 * @returns the ends of the hash chain, which are read after the row was locked.
 */
export async function lockChain(db: Db): Promise<SignedEnds> {
  const locked = await updateChain(db);
  if (locked !== null) return locked;
  await db.$executeRaw`
    INSERT INTO "AuditChain" ("id", "anchorDigest", "headDigest", "signature", "isComplete")
    VALUES (${ONLY}, '', '', '', NOT EXISTS (SELECT 1 FROM "AuditEvent"))
    ON CONFLICT ("id") DO NOTHING`;
  return (await updateChain(db)) ?? EMPTY;
}

/**
 * Locks the row of the hash chain, and returns the row. The `UPDATE` statement changes no value, but locks
 * the row on SQLite and PostgreSQL, and returns the row as it is after the lock.
 */
async function updateChain(db: Db): Promise<SignedEnds | null> {
  const rows = await db.$queryRaw<SignedEnds[]>`
    UPDATE "AuditChain" SET "id" = "id" WHERE "id" = ${ONLY}
    RETURNING "anchorDigest", "headDigest", "signature"`;
  return rows[0] ?? null;
}

export async function setEnds(db: Db, ends: SignedEnds): Promise<void> {
  await db.auditChain.updateMany({ where: { id: ONLY }, data: ends });
}

export async function completeChain(db: Db): Promise<void> {
  await db.auditChain.updateMany({ where: { id: ONLY }, data: { isComplete: true } });
}

export const isComplete = async (db: Db): Promise<boolean> =>
  (await db.auditChain.findUnique({ where: { id: ONLY } }))?.isComplete ?? false;

export const readEnds = async (db: Db): Promise<SignedEnds> =>
  (await db.auditChain.findUnique({
    where: { id: ONLY },
    select: { anchorDigest: true, headDigest: true, signature: true },
  })) ?? EMPTY;

/** Returns whether the hash chain contains at least one event. */
export const hasChained = async (db: Db): Promise<boolean> =>
  (await db.auditEvent.findFirst({ where: { digest: { not: null } }, select: { id: true } })) !== null;

/** Returns the id of the last event; 0 when there is none. */
export const lastId = async (db: Db): Promise<number> =>
  (await db.auditEvent.findFirst({ orderBy: { id: "desc" }, select: { id: true } }))?.id ?? 0;

export const listUnchained = (db: Db, after: number, most: number): Promise<readonly StoredEvent[]> =>
  db.auditEvent.findMany({ where: { id: { gt: after }, digest: null }, orderBy: { id: "asc" }, take: most });

export const listAfter = (db: Db, after: number, most: number): Promise<readonly StoredEvent[]> =>
  db.auditEvent.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take: most });

export async function setLinks(
  db: Db,
  events: readonly Readonly<{ id: number; previousDigest: string; digest: string }>[],
): Promise<void> {
  const rows = events.map(
    ({ id, previousDigest, digest }) => Prisma.sql`(CAST(${id} AS INTEGER), ${previousDigest}, ${digest})`,
  );
  await db.$executeRaw`
    UPDATE "AuditEvent" SET "previousDigest" = "links"."column2", "digest" = "links"."column3"
    FROM (VALUES ${Prisma.join(rows)}) AS "links" WHERE "AuditEvent"."id" = "links"."column1"`;
}

/** Returns whether the first event of the hash chain is older than the given time. */
export const isOldestBefore = async (db: Db, time: Date): Promise<boolean> => {
  const oldest = await db.auditEvent.findFirst({ orderBy: { id: "asc" }, select: { at: true } });
  return oldest !== null && oldest.at < time;
};

export const listOldest = (db: Db, most: number): Promise<readonly StoredEvent[]> =>
  db.auditEvent.findMany({ orderBy: { id: "asc" }, take: most });

export async function deleteUpTo(db: Db, id: number): Promise<void> {
  await db.auditEvent.deleteMany({ where: { id: { lte: id } } });
}

/** The names of the audit events whose details contain the username of a deleted user. */
const DELETIONS = ["user.deleted", "user.rejected"] satisfies readonly AuditName[];

/** Returns the details of the audit events that record the deletion of these users. */
export const deletionsOf = (
  db: Db,
  userIds: readonly number[],
): Promise<readonly Readonly<{ userId: number | null; details: string }>[]> =>
  db.auditEvent.findMany({
    where: { userId: { in: [...userIds] }, name: { in: [...DELETIONS] } },
    select: { userId: true, details: true },
  });

/**
 * Returns the id of the deleted user who had exactly this username, including upper and lower case. If
 * several deleted users had the username, the function returns the user who was deleted last.
 */
export async function findDeleted(db: Db, username: string): Promise<number | null> {
  const event = await db.auditEvent.findFirst({
    where: { name: { in: [...DELETIONS] }, details: { contains: `"username":${JSON.stringify(username)}` } },
    select: { userId: true },
    orderBy: { id: "desc" },
  });
  return event?.userId ?? null;
}

/** Returns whether an audit event has one of these names. The query needs one index lookup for each name. */
export const hasEvent = async (db: Db, names: readonly AuditName[]): Promise<boolean> =>
  (await db.auditEvent.findFirst({ where: { name: { in: [...names] } }, select: { id: true } })) !== null;

export type StoredEvent = NewEvent &
  Readonly<{ id: number; previousDigest: string | null; digest: string | null }>;

/**
 * A filter for audit events. A field of the filter with the value null matches every event. `userId` matches
 * events about the user and events that the user caused.
 */
export type EventFilter = Readonly<{
  name: string | null;
  userId: number | null;
  applicationId: number | null;
  from: Date | null;
  /** The end of the time range, exclusive. */
  until: Date | null;
}>;

/**
 * The sort key of an audit event. The order of ids can differ from the order of time, because several
 * processes insert events.
 */
export type EventKey = Readonly<{ at: Date; id: number }>;

/**
 * Returns audit events before or after a cursor, sorted in the direction in which the page is read. Each
 * database query reads one row more than the page shows, and uses only one index. The events of a user are
 * read with two queries, because one query with OR would read and sort all events of the user.
 */
export async function list(
  db: Db,
  query: Readonly<{ filter: EventFilter; paging: KeysetPaging<EventKey> }>,
): Promise<readonly StoredEvent[]> {
  const { userId } = query.filter;
  if (userId === null) return read(db, query, {});
  const [about, by] = await Promise.all([
    read(db, query, { userId }),
    read(db, query, { actorId: userId, OR: [{ userId: null }, { userId: { not: userId } }] }),
  ]);
  const sign = isAscending(query.paging) ? 1 : -1;
  return [...about, ...by]
    .toSorted((a, b) => sign * (a.at.getTime() - b.at.getTime() || a.id - b.id))
    .slice(0, windowOf(query.paging).take);
}

function read(db: Db, { filter, paging }: Parameters<typeof list>[1], user: object) {
  const { name, applicationId, from, until } = filter;
  const order = isAscending(paging) ? "asc" : "desc";
  return db.auditEvent.findMany({
    where: {
      ...user,
      ...(name === null ? {} : { name }),
      ...(applicationId === null ? {} : { applicationId }),
      AND: [
        ...(from === null ? [] : [{ at: { gte: from } }]),
        ...(until === null ? [] : [{ at: { lt: until } }]),
        ...cursorConditions(paging),
      ],
    },
    orderBy: [{ at: order }, { id: order }],
    ...windowOf(paging),
  });
}

/**
 * Returns the query conditions that select the events after a cursor in the order of the page. The database
 * can use the index for the query condition on the range of `at`. The query condition with OR excludes events
 * that have the same time as the cursor but come before the cursor.
 */
function cursorConditions(paging: KeysetPaging<EventKey>) {
  if (paging.cursor === null) return [];
  const { at, id } = paging.cursor.key;
  return isAscending(paging)
    ? [{ at: { gte: at } }, { OR: [{ at: { gt: at } }, { id: { gt: id } }] }]
    : [{ at: { lte: at } }, { OR: [{ at: { lt: at } }, { id: { lt: id } }] }];
}
