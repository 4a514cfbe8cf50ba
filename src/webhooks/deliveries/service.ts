import { SENT_WITHIN_MS } from "@/instance/outbound-messages/rules";
import type { Deps } from "@/kernel/deps/deps";
import { count } from "@/kernel/metrics/metrics";
import type { Page } from "@/kernel/paging/paging";
import type { Trigger, Webhook } from "../hooks/rules";
import { keepHooks, type Recipient } from "../hooks/service";
import { uuidFrom } from "../hooks/uuid";
import { isForOtherUrl, WAITING_MAX } from "./rules";
import * as store from "./store";

export type { DueDelivery, StoredDelivery } from "./store";

type Needs = Pick<Deps, "db" | "config" | "clock" | "randomBytes" | "log">;

/** Returns the number of messages of webhooks that wait to be sent. */
export const countWaitingDeliveries = ({ db }: Pick<Deps, "db">): Promise<number> =>
  store.countAllWaiting(db);

/**
 * An event: its trigger, and the data from which the body of a message is created when the message is sent.
 */
export type HookEvent = Readonly<{ trigger: Trigger; source: object }>;

/**
 * Stores messages. If too many messages of a webhook already wait, new messages of the webhook are dropped,
 * counted and logged. Messages of a webhook that another request has deleted are omitted.
 */
async function insertWithin(deps: Needs, messages: readonly store.NewDelivery[]): Promise<void> {
  const { db, log } = deps;
  const existing = await keepHooks(deps, [...new Set(messages.map(({ webhookId }) => webhookId))]);
  if (existing.size === 0) return;
  const waiting = new Map(await store.countWaiting(db, [...existing]));
  const accepted = messages.filter(({ webhookId, trigger }) => {
    if (!existing.has(webhookId)) return false;
    const before = waiting.get(webhookId) ?? 0;
    waiting.set(webhookId, before + 1);
    if (before < WAITING_MAX) return true;
    count("gatehouse_webhook_requests_total", { outcome: "dropped" });
    log.warn({ event: "webhook.dropped", webhook: webhookId, trigger });
    return false;
  });
  if (accepted.length > 0) await store.insert(db, accepted);
}

/**
 * Stores the messages about an event. A job sends the messages later. Within a transaction, the messages are
 * sent only if the transaction commits.
 */
export async function enqueue(
  deps: Needs,
  recipients: readonly Pick<Recipient, "id">[],
  { trigger, source }: HookEvent,
): Promise<void> {
  if (recipients.length === 0) return;
  const now = deps.clock();
  const eventUid = uuidFrom(deps.randomBytes);
  await insertWithin(
    deps,
    recipients.map(({ id }) => ({
      webhookId: id,
      uid: uuidFrom(deps.randomBytes),
      eventUid,
      trigger,
      source: JSON.stringify(source),
      ...times(now),
    })),
  );
}

/**
 * An event that a job may find several times. The message about the event is stored only once for each
 * webhook.
 */
export type FoundEvent = HookEvent & Readonly<{ webhookId: number; dedupeKey: string }>;

/**
 * Stores the messages about these events, except for messages that are already stored. Callers must be inside
 * a transaction that locks the instance.
 */
export async function enqueueOnce(deps: Needs, events: readonly FoundEvent[]): Promise<void> {
  const existing = await store.existingKeys(deps.db, [...new Set(events.map(({ dedupeKey }) => dedupeKey))]);
  const missing = events.filter(({ webhookId, dedupeKey }) => !existing.has(`${webhookId} ${dedupeKey}`));
  if (missing.length === 0) return;
  await insertWithin(
    deps,
    missing.map(({ webhookId, dedupeKey, trigger, source }) => ({
      ...{ webhookId, dedupeKey, trigger, source: JSON.stringify(source) },
      ...{ uid: uuidFrom(deps.randomBytes), eventUid: uuidFrom(deps.randomBytes) },
      ...times(deps.clock()),
    })),
  );
}

const times = (now: Date) => ({
  createdAt: now,
  nextAttemptAt: now,
  expiresAt: new Date(now.getTime() + SENT_WITHIN_MS),
});

/** The maximum number of messages that users may request for a webhook per minute. */
const MANUAL_PER_MINUTE_MAX = 5;

type ManualMessage = Pick<
  store.NewDelivery,
  "webhookId" | "uid" | "eventUid" | "trigger" | "source" | "body"
>;

/** @returns the id of the message; null if users have requested too many messages in the last minute. */
async function enqueueManual(deps: Needs, message: ManualMessage): Promise<number | null> {
  const now = deps.clock();
  const since = new Date(now.getTime() - 60_000);
  if ((await store.countManual(deps.db, message.webhookId, since)) >= MANUAL_PER_MINUTE_MAX) return null;
  return store.insertOne(deps.db, { ...message, isManual: true, ...times(now) });
}

/**
 * Stores a message that a user requests. A message that a user requests is sent even while the webhook is
 * paused.
 * @returns the id of the message; null if users have requested too many messages in the last minute.
 */
export const enqueueManually = (
  deps: Needs,
  webhookId: number,
  { trigger, source }: HookEvent,
): Promise<number | null> =>
  enqueueManual(deps, {
    ...{ webhookId, trigger, uid: uuidFrom(deps.randomBytes), eventUid: uuidFrom(deps.randomBytes) },
    source: JSON.stringify(source),
  });

/** The reason why a message is not sent again. */
export type ResendRefusal = "too_many" | "url_changed";

/**
 * Stores a message again, with the same body and the same message id.
 * @returns the id of the new entry in the log, or the reason why the message is not sent again. `too_many`
 * means that users have requested too many messages in the last minute. `url_changed` means that the URL of
 * the webhook has changed after the message was created.
 */
export async function resend(
  deps: Needs,
  webhook: Pick<Webhook, "urlChangedAt">,
  delivery: store.StoredDelivery,
): Promise<number | ResendRefusal> {
  if (isForOtherUrl(webhook, delivery)) return "url_changed";
  const { webhookId, uid, eventUid, trigger, source, body } = delivery;
  return (await enqueueManual(deps, { webhookId, uid, eventUid, trigger, source, body })) ?? "too_many";
}

/** Returns a page of the messages of a webhook, newest first. */
export async function listDeliveries(
  deps: Pick<Deps, "db">,
  webhookId: number,
  filter: Parameters<typeof store.list>[2],
  { page, perPage }: Readonly<{ page: number; perPage: number }>,
): Promise<Page<store.StoredDelivery>> {
  const { rows, total } = await store.list(deps.db, webhookId, filter, {
    skip: (page - 1) * perPage,
    take: perPage,
  });
  return { rows, total, next: null };
}

export const findDelivery = (
  deps: Pick<Deps, "db">,
  webhookId: number,
  id: number,
): Promise<store.StoredDelivery | null> => store.find(deps.db, webhookId, id);

/** The functions that the job for sending messages uses. */
export const { listDue, claim, end, endWaiting, retryAt, endExpired, sendSoon } = store;
