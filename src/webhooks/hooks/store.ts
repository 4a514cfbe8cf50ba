import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { Db } from "@/kernel/db/db";
import { Prisma, type Webhook as WebhookRow } from "@/kernel/db/generated/sqlite/client";
import { lockClause } from "@/kernel/db/lock";
import type { Deps } from "@/kernel/deps/deps";
import { ALL_TRIGGERS, DISABLED_AFTER, type HookKind, type HookPlace, type Trigger } from "./rules";

export type StoredWebhook = WebhookRow;

const COLUMNS = {
  push_events: "pushEvents",
  tag_push_events: "tagPushEvents",
  merge_requests_events: "mergeRequestsEvents",
  error_events: "errorEvents",
  security_events: "securityEvents",
  audit_events: "auditEvents",
} as const satisfies Record<Trigger, keyof WebhookRow>;

type TriggerColumns = Record<(typeof COLUMNS)[Trigger], boolean>;

export const triggersIn = (row: TriggerColumns): readonly Trigger[] =>
  ALL_TRIGGERS.filter((trigger) => row[COLUMNS[trigger]]);

const columnsOf = (triggers: readonly Trigger[]): TriggerColumns =>
  Object.fromEntries(
    ALL_TRIGGERS.map((trigger) => [COLUMNS[trigger], triggers.includes(trigger)]),
  ) as TriggerColumns;

const ID_COLUMNS = { group: "groupId", project: "projectId", application: "applicationId" } as const;

const inPlace = (place: HookPlace) =>
  place.kind === "instance" ? { kind: place.kind } : { kind: place.kind, [ID_COLUMNS[place.kind]]: place.id };

export type OwnerColumns = Pick<WebhookRow, "kind" | "groupId" | "projectId" | "applicationId">;

export function placeOf({ kind, groupId, projectId, applicationId }: OwnerColumns): HookPlace {
  const id = groupId ?? projectId ?? applicationId;
  return id === null ? { kind: "instance" } : { kind: kind as Exclude<HookKind, "instance">, id };
}

export type HookData = Pick<
  WebhookRow,
  "uid" | "name" | "description" | "sealedUrl" | "sealedToken" | "sealedSecret" | "branchFilter" | "createdAt"
> &
  Readonly<{ triggers: readonly Trigger[] }>;

export const insert = (db: Db, place: HookPlace, { triggers, ...data }: HookData): Promise<StoredWebhook> =>
  db.webhook.create({ data: { ...data, ...inPlace(place), ...columnsOf(triggers) } });

export type HookChanges = Readonly<
  Partial<
    Omit<HookData, "uid" | "createdAt"> & Pick<WebhookRow, "failures" | "disabledUntil" | "urlChangedAt">
  >
>;

/**
 * Changes a webhook.
 * @returns null if the webhook no longer exists.
 */
export async function update(
  db: Db,
  id: number,
  { triggers, ...data }: HookChanges,
): Promise<StoredWebhook | null> {
  const flags = triggers === undefined ? {} : columnsOf(triggers);
  const { count } = await db.webhook.updateMany({ where: { id }, data: { ...data, ...flags } });
  return count === 0 ? null : find(db, id);
}

export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.webhook.deleteMany({ where: { id } })).count === 1;

export async function removeAll(db: Db, place: HookPlace): Promise<void> {
  await db.webhook.deleteMany({ where: inPlace(place) });
}

export async function clearTriggers(db: Db, place: HookPlace): Promise<void> {
  await db.webhook.updateMany({ where: inPlace(place), data: columnsOf([]) });
}

export const find = (db: Db, id: number): Promise<StoredWebhook | null> =>
  db.webhook.findUnique({ where: { id } });

export const findIn = (db: Db, place: HookPlace, id: number): Promise<StoredWebhook | null> =>
  db.webhook.findFirst({ where: { id, ...inPlace(place) } });

export const count = (db: Db, place: HookPlace): Promise<number> =>
  db.webhook.count({ where: inPlace(place) });

/** Returns the webhooks of an owner, oldest first. */
export const list = (db: Db, place: HookPlace): Promise<readonly StoredWebhook[]> =>
  db.webhook.findMany({ where: inPlace(place), orderBy: { id: "asc" } });

export type Recipient = Readonly<{ id: number; kind: string; branchFilter: string }>;

/**
 * Returns the webhooks that receive an event. The function returns webhooks of the instance, and of the
 * projects, groups and applications that the event concerns. Disabled webhooks receive no events.
 */
export const listRecipients = (
  db: Db,
  trigger: Trigger,
  concerned: Readonly<{ projectId?: number; groupIds?: readonly number[]; applicationId?: number }>,
): Promise<readonly Recipient[]> => {
  const { projectId, groupIds = [], applicationId } = concerned;
  const owners: Prisma.WebhookWhereInput[] = [
    { kind: "instance" },
    ...(projectId === undefined ? [] : [{ projectId }]),
    ...(groupIds.length === 0 ? [] : [{ groupId: { in: [...groupIds] } }]),
    ...(applicationId === undefined ? [] : [{ applicationId }]),
  ];
  return db.webhook.findMany({
    where: { [COLUMNS[trigger]]: true, failures: { lt: DISABLED_AFTER }, OR: owners },
    select: { id: true, kind: true, branchFilter: true },
  });
};

/**
 * Prevents the deletion of webhooks until the transaction ends. The function does not wait for a simultaneous deletion.
 * @returns the ids of the webhooks that exist and are not being deleted.
 */
export async function keep(
  { db, config }: Pick<Deps, "db" | "config">,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const lock = lockClause(config, "FOR KEY SHARE SKIP LOCKED");
  const rows = await db.$queryRaw<Readonly<{ id: number | bigint }>[]>`
    SELECT "id" FROM "Webhook" WHERE "id" IN (${Prisma.join(ids)}) ORDER BY "id" ${lock}`;
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Returns whether at least one webhook receives an event. */
export const hasRecipients = async (db: Db, trigger: Trigger): Promise<boolean> =>
  (await db.webhook.findFirst({
    where: { [COLUMNS[trigger]]: true, failures: { lt: DISABLED_AFTER } },
    select: { id: true },
  })) !== null;

/** Records a failed request, and returns the number of consecutive failures. */
export async function recordFailure(db: Db, id: number): Promise<number> {
  await db.webhook.updateMany({ where: { id }, data: { failures: { increment: 1 } } });
  return (await db.webhook.findUnique({ where: { id }, select: { failures: true } }))?.failures ?? 0;
}

export async function pause(db: Db, id: number, disabledUntil: Date): Promise<void> {
  await db.webhook.updateMany({ where: { id }, data: { disabledUntil } });
}

/**
 * Ends the pause of a webhook after a successful request.
 * @returns whether the webhook had failures.
 */
export const recordSuccess = async (db: Db, id: number): Promise<boolean> =>
  (
    await db.webhook.updateMany({
      where: { id, failures: { gt: 0 } },
      data: { failures: 0, disabledUntil: null },
    })
  ).count === 1;

export type SealedField = "sealedUrl" | "sealedToken" | "sealedSecret";

/** Returns the rows of webhooks with an encrypted value, ordered by id. */
export async function listSealed(
  db: Db,
  column: SealedField,
  afterId: number,
  most: number,
): Promise<readonly SealedRow[]> {
  const rows = await db.webhook.findMany({
    where: { id: { gt: afterId }, ...(column === "sealedToken" ? { sealedToken: { not: null } } : {}) },
    orderBy: { id: "asc" },
    take: most,
  });
  return rows.map((row) => ({ id: row.id, subject: row.uid, sealed: row[column] ?? "" }));
}

/** Replaces an encrypted value of a webhook, unless another process has changed the value. */
export async function replaceSealed(
  db: Db,
  column: SealedField,
  { id, sealed, next }: Readonly<{ id: number; sealed: string; next: string }>,
): Promise<void> {
  await db.webhook.updateMany({ where: { id, [column]: sealed }, data: { [column]: next } });
}
