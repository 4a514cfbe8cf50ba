import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "@/kernel/deps/deps";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import { count } from "@/kernel/metrics/metrics";
import { isSuccess, pauseAfterAttempts, SENDING_MS } from "../deliveries/rules";
import * as deliveries from "../deliveries/service";
import { enqueueAppearedErrors } from "../events/error-watch";
import { payloadOf } from "../events/payload";
import type { EventSource } from "../events/sources";
import { DISABLED_AFTER } from "../hooks/rules";
import { readSecrets, recordFailure, recordSuccess } from "../hooks/service";
import { sendOnce } from "./send";

/** The interval of the job. A run without waiting messages costs three indexed queries. */
const EVERY_MS = 2_000;

/** The number of messages that are sent simultaneously, each to another webhook. */
const SENT_AT_ONCE = 8;

/** The interval in which the job looks for new messages while it waits for slow receivers. */
const LOOK_AGAIN_MS = 500;

/**
 * Starts the job that sends the messages of webhooks. Several servers may use one database: exactly one server claims
 * each attempt.
 * @returns a function that stops the job; its promise resolves when no message is being sent.
 */
export const scheduleWebhookDelivery = (deps: Deps, everyMs = EVERY_MS): (() => Promise<void>) => {
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      await enqueueAppearedErrors(deps);
      await deliverDue(deps, signal);
    } catch (cause) {
      deps.log.error({ event: "webhook.job_failed" }, cause);
    }
  };
  return repeatJob(deps, "webhook_delivery", run, { everyMs, firstAfterMs: everyMs });
};

/**
 * Sends the messages that are due, until none is left. The messages of one webhook are sent one after another, and a
 * slow receiver does not delay the messages of other webhooks.
 */
export async function deliverDue(deps: Deps, signal?: AbortSignal): Promise<void> {
  await deliveries.endExpired(deps.db, deps.clock());
  const sending = new Map<number, Promise<void>>();
  const start = (delivery: deliveries.StoredDelivery): void => {
    const { id, webhookId } = delivery;
    const sent = deliver(deps, delivery)
      .catch((cause) => deps.log.error({ event: "webhook.failed", delivery: id }, cause))
      .finally(() => sending.delete(webhookId));
    sending.set(webhookId, sent);
  };
  while (!signal?.aborted) {
    const free = SENT_AT_ONCE - sending.size;
    const due = free === 0 ? [] : await dueNow(deps, [...sending.keys()]);
    for (const delivery of due.slice(0, free)) start(delivery);
    if (sending.size === 0) return;
    await Promise.race([...sending.values(), pause(LOOK_AGAIN_MS)]);
  }
  await Promise.all(sending.values());
}

/** Returns the first message that is due of each of several webhooks. */
async function dueNow(deps: Deps, busyIds: readonly number[]): Promise<readonly deliveries.StoredDelivery[]> {
  const limits = { failuresMax: DISABLED_AFTER, most: 4 * SENT_AT_ONCE };
  const rows = await deliveries.listDue(deps.db, deps.clock(), busyIds, limits);
  const hookIds = new Set<number>();
  return rows.filter(({ webhookId }) => !hookIds.has(webhookId) && hookIds.add(webhookId));
}

async function deliver(deps: Deps, delivery: deliveries.StoredDelivery): Promise<void> {
  const { db } = deps;
  const { id, webhookId, trigger } = delivery;
  const now = deps.clock();
  if (!(await deliveries.claim(db, delivery, new Date(now.getTime() + SENDING_MS)))) return;
  const hook = await readSecrets(deps, webhookId);
  const body = delivery.body ?? (await bodyOf(deps, delivery));
  if (hook === null || body === null) {
    await deliveries.end(db, id, "failed", now, { lastError: "The project or the error no longer exists." });
    return;
  }
  const sent = await sendOnce(deps, hook, delivery, body);
  const attempts = delivery.attempts + 1;
  const attempt = { ...sent, body };
  const { responseStatus: status } = sent;
  const facts = { delivery: id, webhook: webhookId, trigger, attempts, status };
  if (status !== null && isSuccess(status)) {
    await deliveries.end(db, id, "delivered", deps.clock(), attempt);
    if (await recordSuccess(deps, webhookId)) await deliveries.sendSoon(db, webhookId, deps.clock());
    count("gatehouse_webhook_requests_total", { outcome: "success" });
    deps.log.info({ event: "webhook.delivered", ...facts });
    return;
  }
  await recordFailure(deps, webhookId);
  count("gatehouse_webhook_requests_total", { outcome: "failure" });
  const next = new Date(now.getTime() + pauseAfterAttempts(attempts));
  if (next >= delivery.expiresAt) await deliveries.end(db, id, "failed", deps.clock(), attempt);
  else await deliveries.retryAt(db, id, next, attempt);
  deps.log.warn({ event: "webhook.delayed", ...facts, reason: sent.lastError });
}

async function bodyOf(deps: Deps, { source }: deliveries.StoredDelivery): Promise<string | null> {
  const payload = await payloadOf(deps, JSON.parse(source) as EventSource);
  return payload === null ? null : JSON.stringify(payload);
}
