import type { MailMessage } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import { renderMailHtml, renderMailText } from "./layout";
import { deliverableEmail, failureOf, pauseAfterAttempts, SENDING_MS } from "./rules";
import { contentOf } from "./service";
import { CONNECTIONS_MAX, type MailTransport, type OutgoingMail, openTransport } from "./smtp";
import * as store from "./store";

/**
 * The interval of the job that sends e-mails. If no message waits, a run of the job costs one indexed query.
 */
const EVERY_MS = 2_000;

/** The pause after a failure that would affect every message, such as an unreachable mail server. */
const SERVER_PAUSE_MS = 30_000;

/**
 * Starts the job that sends waiting e-mails. Several servers may use one database, because exactly one server
 * claims each message. Without a mail server, no job is started.
 * @returns a function that stops the job; its promise resolves when no message is being sent.
 */
export const scheduleMailDelivery = (
  deps: Deps,
  everyMs = EVERY_MS,
  serverPauseMs = SERVER_PAUSE_MS,
): (() => Promise<void>) => {
  const { mail } = deps.config;
  if (mail === null) return () => Promise.resolve();
  let transport: MailTransport | null = null;
  let pausedUntil = 0;
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      if (performance.now() < pausedUntil) return;
      transport ??= await openTransport(mail);
      const outcome = await deliverDue(deps, transport, signal);
      if (outcome === "server_failed") pausedUntil = performance.now() + serverPauseMs;
    } catch (cause) {
      deps.log.error({ event: "mail.job_failed" }, cause);
    }
  };
  const stop = repeatJob(deps, "mail_delivery", run, { everyMs, firstAfterMs: everyMs });
  return async () => {
    await stop();
    transport?.close();
  };
};

/**
 * Sends the messages that wait, until none is left or the mail server fails. If the process ends immediately
 * after the mail server has accepted a message, the message is sent again, with the same Message-ID.
 */
export async function deliverDue(
  deps: Deps,
  transport: MailTransport,
  signal?: AbortSignal,
): Promise<"delivered" | "server_failed"> {
  while (!signal?.aborted) {
    const due = await store.listDue(deps.db, deps.clock(), CONNECTIONS_MAX);
    if (due.length === 0) break;
    const outcomes = await Promise.all(due.map((message) => deliver(deps, transport, message)));
    if (outcomes.includes("server_failed")) return "server_failed";
  }
  return "delivered";
}

type Outcome = "sent" | "refused" | "retried" | "server_failed" | "claimed_elsewhere";

async function deliver(deps: Deps, transport: MailTransport, message: MailMessage): Promise<Outcome> {
  const { id, kind } = message;
  const now = deps.clock();
  if (!(await store.claim(deps.db, message, new Date(now.getTime() + SENDING_MS))))
    return "claimed_elsewhere";
  const attempts = message.attempts + 1;
  const refuse = async (reason: string): Promise<"refused"> => {
    await store.end(deps.db, id, "failed", deps.clock(), reason);
    deps.log.error({ event: "mail.refused", mail: id, kind, attempts, reason });
    return "refused";
  };
  if (now >= message.expiresAt) return refuse(message.lastError ?? "expired");
  const mail = outgoing(deps, message);
  if (mail === null) return refuse("invalid_recipient");
  try {
    await transport.send(mail);
  } catch (cause) {
    const { concerns, reason } = failureOf(cause);
    if (concerns === "refused") return refuse(reason);
    await store.retryAt(deps.db, id, new Date(now.getTime() + pauseAfterAttempts(attempts)), reason);
    deps.log.warn({ event: "mail.delayed", mail: id, kind, attempts, reason });
    return concerns === "server" ? "server_failed" : "retried";
  }
  await store.end(deps.db, id, "sent", deps.clock(), null);
  deps.log.info({ event: "mail.sent", mail: id, kind, attempts });
  return "sent";
}

function outgoing(deps: Deps, message: MailMessage): OutgoingMail | null {
  const content = contentOf(deps, message);
  const to = deliverableEmail(message.recipient);
  if (content === null || to === null) return null;
  const { issuer, baseUrl } = deps.config;
  const { subject, createdAt, uid } = message;
  return {
    to,
    subject,
    text: renderMailText(content, issuer),
    html: renderMailHtml(subject, content, issuer),
    messageId: `<${uid}@${baseUrl.hostname}>`,
    date: createdAt,
    unsubscribeUrl: content.unsubscribeUrl,
  };
}
