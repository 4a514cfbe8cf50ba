import type { Db } from "@/kernel/db/db";
import type { Cursor } from "@/kernel/paging/keyset";
import type { AuditName } from "./catalog";

export type NewEvent = Readonly<{
  name: string;
  at: Date;
  userId: number | null;
  applicationId: number | null;
  actorId: number | null;
  /** Whether the operator caused the event on the command line. */
  byCommandLine: boolean;
  details: string;
}>;

export async function insert(db: Db, event: NewEvent): Promise<void> {
  await db.auditEvent.create({ data: event });
}

/** Returns the audit events about a user that have a given name, newest first. */
export const listOf = (
  db: Db,
  { name, userId, since, most }: Readonly<{ name: AuditName; userId: number; since: Date; most: number }>,
): Promise<readonly Readonly<{ at: Date; details: string }>[]> =>
  db.auditEvent.findMany({
    where: { userId, name, at: { gt: since } },
    select: { at: true, details: true },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: most,
  });

/** Returns the number of users whom audit events with this name concern since a time. */
export async function countUsers(db: Db, name: AuditName, since: Date): Promise<number> {
  const rows = await db.$queryRaw<{ users: bigint | number }[]>`
    SELECT COUNT(DISTINCT "userId") AS "users" FROM "AuditEvent" WHERE "name" = ${name} AND "at" >= ${since}`;
  return Number(rows[0]?.users ?? 0);
}

/** Returns whether an audit event has one of these names. Each name is one look-up in the index. */
export const hasEvent = async (db: Db, names: readonly AuditName[]): Promise<boolean> =>
  (await db.auditEvent.findFirst({ where: { name: { in: [...names] } }, select: { id: true } })) !== null;

export type StoredEvent = NewEvent & Readonly<{ id: number }>;

/**
 * A filter for audit events. A null field matches any value. `userId` matches events about the user and
 * events that the user caused.
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
 * The sort key of an audit event. Ids alone do not follow the order of time, because several processes insert
 * events.
 */
export type EventKey = Readonly<{ at: Date; id: number }>;

/**
 * Returns audit events before or after a cursor, in the order that `sliceOf` expects. Each query reads at most `most`
 * rows of one index. The events of a user are read with two queries, because one query with OR would read and sort
 * all events of the user.
 */
export async function list(
  db: Db,
  query: Readonly<{ filter: EventFilter; cursor: Cursor<EventKey>; most: number }>,
): Promise<readonly StoredEvent[]> {
  const { userId } = query.filter;
  if (userId === null) return read(db, query, {});
  const [about, by] = await Promise.all([
    read(db, query, { userId }),
    read(db, query, { actorId: userId, OR: [{ userId: null }, { userId: { not: userId } }] }),
  ]);
  const sign = query.cursor?.side === "after" ? 1 : -1;
  return [...about, ...by]
    .toSorted((a, b) => sign * (a.at.getTime() - b.at.getTime() || a.id - b.id))
    .slice(0, query.most);
}

function read(db: Db, { filter, cursor, most }: Parameters<typeof list>[1], user: object) {
  const { name, applicationId, from, until } = filter;
  const order = cursor?.side === "after" ? "asc" : "desc";
  return db.auditEvent.findMany({
    where: {
      ...user,
      ...(name === null ? {} : { name }),
      ...(applicationId === null ? {} : { applicationId }),
      AND: [
        ...(from === null ? [] : [{ at: { gte: from } }]),
        ...(until === null ? [] : [{ at: { lt: until } }]),
        ...cursorConditions(cursor),
      ],
    },
    orderBy: [{ at: order }, { id: order }],
    take: most,
  });
}

/**
 * Returns the conditions of a cursor. The database can use the index for the range condition on `at`, but not for the
 * condition with OR.
 */
function cursorConditions(cursor: Cursor<EventKey>) {
  if (cursor === null) return [];
  const { at, id } = cursor.key;
  return cursor.side === "after"
    ? [{ at: { gte: at } }, { OR: [{ at: { gt: at } }, { id: { gt: id } }] }]
    : [{ at: { lte: at } }, { OR: [{ at: { lt: at } }, { id: { lt: id } }] }];
}
