import { isSuccess, pauseAfterAttempts, SENDING_MS, SENT_AT_ONCE } from "@/instance/outbound-messages/rules";
import type { Deps } from "@/kernel/deps/deps";
import { type SendQueue, sendConcurrently } from "@/kernel/jobs/concurrent-sends";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import { count } from "@/kernel/metrics/metrics";
import { inNewTrace } from "@/kernel/tracing/tracing";
import { isForOtherUrl } from "../deliveries/rules";
import * as deliveries from "../deliveries/service";
import { enqueueAppearedErrors } from "../events/error-watch";
import { payloadOf } from "../events/payload";
import type { EventSource } from "../events/sources";
import type { HookPlace } from "../hooks/rules";
import { placeOf, readSecrets, recordFailure, recordSuccess } from "../hooks/service";
import { sendOnce } from "./send";
import { createTurns } from "./turns";

/**
 * The interval of the job that sends the messages of webhooks. If no message waits, a run of the job costs
 * three indexed queries.
 */
const EVERY_MS = 2_000;

/**
 * Starts the job that sends the messages of webhooks. Several servers may use one database, because exactly
 * one server claims each attempt to send a message.
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
 * Sends the messages that are due, until no due message is left. The messages of one webhook are sent one
 * after another. A slow receiver does not delay the messages of other owners.
 */
export async function deliverDue(deps: Deps, signal?: AbortSignal): Promise<void> {
  await deliveries.endExpired(deps.db, deps.clock());
  const queue: SendQueue<deliveries.DueDelivery, HookPlace> = {
    next: createTurns(deps).next,
    keyOf: ({ webhookId }) => webhookId,
    ownerOf: ({ webhook }) => placeOf(webhook),
    send: (delivery) =>
      inNewTrace("webhook delivery", () => deliver(deps, delivery)).catch((cause) =>
        deps.log.error({ event: "webhook.failed", delivery: delivery.id }, cause),
      ),
  };
  await sendConcurrently(queue, SENT_AT_ONCE, signal);
}

async function deliver(deps: Deps, delivery: deliveries.StoredDelivery): Promise<void> {
  const { db } = deps;
  const { id, webhookId, trigger } = delivery;
  const now = deps.clock();
  if (!(await deliveries.claim(db, delivery, new Date(now.getTime() + SENDING_MS)))) return;
  const hook = await readSecrets(deps, webhookId);
  if (hook !== null && isForOtherUrl(hook.webhook, delivery)) {
    const lastError = "The URL of the webhook changed after the message was created.";
    await deliveries.end(db, id, "failed", now, { lastError });
    return;
  }
  const body = delivery.body ?? (await bodyOf(deps, delivery));
  if (hook === null || body === null) {
    await deliveries.end(db, id, "failed", now, {
      lastError: "The project or the tracked error no longer exists.",
    });
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
