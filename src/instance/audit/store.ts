import type { Db } from "@/kernel/db/db";
import type { Cursor } from "@/kernel/paging/keyset";
import type { AuditName } from "./catalog";

export type NewEvent = Readonly<{
  name: string;
  at: Date;
  userId: number | null;
  applicationId: number | null;
  actorId: number | null;
  /** Whether a command of the operator did it; the user and the actor are then those that it was done for. */
  byCommandLine: boolean;
  details: string;
}>;

export async function insert(db: Db, event: NewEvent): Promise<void> {
  await db.auditEvent.create({ data: event });
}

/** The events of one name that are about a user, the newest first. */
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

export type StoredEvent = NewEvent & Readonly<{ id: number }>;

/** Which events: each part narrows, null does not. A person is whom it is about or who did it. */
export type EventFilter = Readonly<{
  name: string | null;
  userId: number | null;
  applicationId: number | null;
  from: Date | null;
  /** Before this moment. */
  until: Date | null;
}>;

/** Where an event stands: ids of one moment follow each other, those of different processes need not. */
export type EventKey = Readonly<{ at: Date; id: number }>;

/**
 * Events on that side of a cursor, in the order of `sliceOf`. Every query reads one index from its place on, up to
 * `most` rows: those of a person are two such queries, for one with OR would read and sort all of theirs.
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
        ...besideEvent(cursor),
      ],
    },
    orderBy: [{ at: order }, { id: order }],
    take: most,
  });
}

/** The first part is a range of the index, which the second alone would not be. */
function besideEvent(cursor: Cursor<EventKey>) {
  if (cursor === null) return [];
  const { at, id } = cursor.key;
  return cursor.side === "after"
    ? [{ at: { gte: at } }, { OR: [{ at: { gt: at } }, { id: { gt: id } }] }]
    : [{ at: { lte: at } }, { OR: [{ at: { lt: at } }, { id: { lt: id } }] }];
}
