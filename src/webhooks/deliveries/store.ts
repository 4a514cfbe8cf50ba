import type { Db } from "@/kernel/db/db";
import type { Prisma, WebhookDelivery } from "@/kernel/db/generated/sqlite/client";
import type { HookPlace } from "../hooks/rules";
import type { DeliveryState } from "./rules";

export type StoredDelivery = WebhookDelivery;

export type NewDelivery = Pick<
  WebhookDelivery,
  "webhookId" | "uid" | "eventUid" | "trigger" | "source" | "createdAt" | "expiresAt" | "nextAttemptAt"
> &
  Partial<Pick<WebhookDelivery, "body" | "isManual" | "dedupeKey">>;

export async function insert(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  await db.webhookDelivery.createMany({
    data: deliveries.map((delivery) => ({ ...delivery, state: "waiting" })),
  });
}

/** Returns each pair of a webhook id and one of these event keys for which a message exists. */
export async function existingKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.webhookDelivery.findMany({
    where: { dedupeKey: { in: [...keys] } },
    select: { webhookId: true, dedupeKey: true },
  });
  return new Set(rows.map(({ webhookId, dedupeKey }) => `${webhookId} ${dedupeKey}`));
}

/** Returns the number of waiting messages of all webhooks. */
export const countAllWaiting = (db: Db): Promise<number> =>
  db.webhookDelivery.count({ where: { state: "waiting" } });

/** Returns the number of waiting messages of each of these webhooks. */
export async function countWaiting(
  db: Db,
  webhookIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.webhookDelivery.groupBy({
    by: ["webhookId"],
    where: { webhookId: { in: [...webhookIds] }, state: "waiting" },
    _count: true,
  });
  return new Map(rows.map(({ webhookId, _count }) => [webhookId, _count]));
}

/** Marks the waiting messages of webhooks as failed without sending the messages. */
export async function endWaiting(db: Db, webhookIds: readonly number[], now: Date): Promise<void> {
  if (webhookIds.length === 0) return;
  await db.webhookDelivery.updateMany({
    where: { webhookId: { in: [...webhookIds] }, state: "waiting" },
    data: { state: "failed", endedAt: now },
  });
}

export const insertOne = async (db: Db, delivery: NewDelivery): Promise<number> =>
  (await db.webhookDelivery.create({ data: { ...delivery, state: "waiting" }, select: { id: true } })).id;

/** A message with the columns that identify the owner of its webhook. */
export type DueDelivery = StoredDelivery &
  Readonly<{
    webhook: Readonly<{
      kind: string;
      groupId: number | null;
      projectId: number | null;
      applicationId: number | null;
    }>;
  }>;

/**
 * Returns the query conditions that select the webhooks whose owner is not in the list. The query conditions
 * include null explicitly, because a comparison with null is never true in SQL.
 */
function notOf(owners: readonly HookPlace[]): Prisma.WebhookWhereInput[] {
  const idsOf = (kind: HookPlace["kind"]) =>
    owners.flatMap((owner) => (owner.kind !== "instance" && owner.kind === kind ? [owner.id] : []));
  const [groups, projects, applications] = [idsOf("group"), idsOf("project"), idsOf("application")];
  return [
    ...(owners.some(({ kind }) => kind === "instance") ? [{ kind: { not: "instance" } }] : []),
    ...(groups.length === 0 ? [] : [{ OR: [{ groupId: null }, { groupId: { notIn: groups } }] }]),
    ...(projects.length === 0 ? [] : [{ OR: [{ projectId: null }, { projectId: { notIn: projects } }] }]),
    ...(applications.length === 0
      ? []
      : [{ OR: [{ applicationId: null }, { applicationId: { notIn: applications } }] }]),
  ];
}

/**
 * Returns messages that wait to be sent. The message that has been waiting longest comes first. Messages of
 * paused webhooks are not returned until the pause ends.
 * @param except the webhooks and the owners of webhooks whose messages are not returned.
 */
export const listDue = (
  db: Db,
  now: Date,
  except: Readonly<{ webhookIds: readonly number[]; owners: readonly HookPlace[] }>,
  { failuresMax, most }: Readonly<{ failuresMax: number; most: number }>,
): Promise<readonly DueDelivery[]> => {
  const { webhookIds, owners } = except;
  const isOpen = {
    OR: [{ disabledUntil: null }, { disabledUntil: { lte: now } }],
    failures: { lt: failuresMax },
  };
  return db.webhookDelivery.findMany({
    where: {
      state: "waiting",
      nextAttemptAt: { lte: now },
      ...(webhookIds.length === 0 ? {} : { webhookId: { notIn: [...webhookIds] } }),
      ...(owners.length === 0 ? {} : { webhook: { AND: notOf(owners) } }),
      OR: [{ isManual: true }, { webhook: isOpen }],
    },
    include: { webhook: { select: { kind: true, groupId: true, projectId: true, applicationId: true } } },
    orderBy: [{ nextAttemptAt: "asc" }, { id: "asc" }],
    take: most,
  });
};

/**
 * Claims one attempt to send a message.
 * @param until the time until which no other process tries to send the message.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claim(
  db: Db,
  { id, nextAttemptAt }: Pick<WebhookDelivery, "id" | "nextAttemptAt">,
  until: Date,
): Promise<boolean> {
  const { count } = await db.webhookDelivery.updateMany({
    where: { id, state: "waiting", nextAttemptAt },
    data: { nextAttemptAt: until, attempts: { increment: 1 } },
  });
  return count === 1;
}

/** The result of an attempt to send a message, for the log. */
export type Attempt = Pick<
  WebhookDelivery,
  | "body"
  | "requestHeaders"
  | "responseStatus"
  | "responseHeaders"
  | "responseBody"
  | "durationMs"
  | "lastError"
>;

export async function end(
  db: Db,
  id: number,
  state: Exclude<DeliveryState, "waiting">,
  endedAt: Date,
  attempt: Partial<Attempt>,
): Promise<void> {
  await db.webhookDelivery.updateMany({ where: { id }, data: { state, endedAt, ...attempt } });
}

export async function retryAt(db: Db, id: number, nextAttemptAt: Date, attempt: Attempt): Promise<void> {
  await db.webhookDelivery.updateMany({ where: { id }, data: { nextAttemptAt, ...attempt } });
}

/**
 * Marks the expired messages of a webhook as failed if they still wait, for example because the webhook is
 * disabled.
 */
export async function endExpired(db: Db, now: Date): Promise<number> {
  const { count } = await db.webhookDelivery.updateMany({
    where: { state: "waiting", nextAttemptAt: { lte: now }, expiresAt: { lte: now } },
    data: { state: "failed", endedAt: now },
  });
  return count;
}

/** Makes the waiting messages of a webhook due immediately. */
export async function sendSoon(db: Db, webhookId: number, now: Date): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { webhookId, state: "waiting", attempts: { gt: 0 }, nextAttemptAt: { gt: now } },
    data: { nextAttemptAt: now },
  });
}

/** Returns how many messages of a webhook were requested by users since a time. */
export const countManual = (db: Db, webhookId: number, since: Date): Promise<number> =>
  db.webhookDelivery.count({ where: { webhookId, isManual: true, createdAt: { gt: since } } });

export type StatusRange = Readonly<{ from: number; to: number }>;

/** Returns a page of the messages of a webhook, newest first. */
export async function list(
  db: Db,
  webhookId: number,
  filter: Readonly<{ status: StatusRange | null; isSent: boolean }>,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Promise<Readonly<{ rows: readonly StoredDelivery[]; total: number }>> {
  const { status, isSent } = filter;
  const where = {
    webhookId,
    ...(isSent ? { attempts: { gt: 0 } } : {}),
    ...(status === null ? {} : { responseStatus: { gte: status.from, lte: status.to } }),
  };
  const [rows, total] = await Promise.all([
    db.webhookDelivery.findMany({ where, orderBy: { id: "desc" }, skip, take }),
    db.webhookDelivery.count({ where }),
  ]);
  return { rows, total };
}

export const find = (db: Db, webhookId: number, id: number): Promise<StoredDelivery | null> =>
  db.webhookDelivery.findFirst({ where: { id, webhookId } });
