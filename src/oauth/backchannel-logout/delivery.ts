import * as audit from "@/instance/audit/service";
import { postMessage } from "@/instance/outbound-messages/post-message";
import {
  isSuccess,
  pauseAfterAttempts,
  SENDING_MS,
  SENT_AT_ONCE,
  SENT_WITHIN_MS,
} from "@/instance/outbound-messages/rules";
import { PRODUCT_NAME, PRODUCT_VERSION } from "@/kernel/config/product";
import type { Deps } from "@/kernel/deps/deps";
import { type SendQueue, sendConcurrently } from "@/kernel/jobs/concurrent-sends";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import { count } from "@/kernel/metrics/metrics";
import { inNewTrace } from "@/kernel/tracing/tracing";
import { type Application, isBlocked } from "../applications/rules";
import { allowsPlainHttp, findById } from "../applications/service";
import * as sessions from "../client-sessions/service";
import { logoutToken } from "./logout-token";

/**
 * The interval between two runs of the job that sends logout tokens. A run costs one indexed query if no
 * logout token is due.
 */
const EVERY_MS = 2_000;

/**
 * Starts the job that sends logout tokens (OpenID Connect Back-Channel Logout §2.5). If several servers use
 * one database, exactly one of the servers makes each attempt to send a logout token.
 * @returns a function that stops the job. The stop function returns a promise, which resolves when no token
 * is being sent.
 */
export const scheduleLogoutDelivery = (deps: Deps, everyMs = EVERY_MS): (() => Promise<void>) => {
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      await deliverDue(deps, signal);
    } catch (cause) {
      deps.log.error({ event: "logout_token.job_failed" }, cause);
    }
  };
  return repeatJob(deps, "logout_delivery", run, { everyMs, firstAfterMs: everyMs });
};

/**
 * Sends logout tokens until no logout token is due. The tokens for one application are sent one after
 * another, and a slow application does not delay the tokens for other applications.
 */
export async function deliverDue(deps: Deps, signal?: AbortSignal): Promise<void> {
  const queue: SendQueue<sessions.StoredClientSession, null> = {
    next: async (sending) => {
      const most = 4 * SENT_AT_ONCE;
      const due = await sessions.listDue(deps.db, deps.clock(), [...sending.keys()], most);
      const firstOfEach = new Map(due.toReversed().map((each) => [each.applicationId, each]));
      return [...firstOfEach.values()].slice(0, SENT_AT_ONCE - sending.size);
    },
    keyOf: ({ applicationId }) => applicationId,
    ownerOf: () => null,
    send: (session) =>
      inNewTrace("logout token", () => deliver(deps, session)).catch((cause) =>
        deps.log.error({ event: "logout_token.failed", delivery: session.id }, cause),
      ),
  };
  await sendConcurrently(queue, SENT_AT_ONCE, signal);
}

async function deliver(deps: Deps, session: sessions.StoredClientSession): Promise<void> {
  const { db } = deps;
  const now = deps.clock();
  if (!(await sessions.claim(db, session, new Date(now.getTime() + SENDING_MS)))) return;
  const attempt = await send(deps, session);
  const attempts = session.attempts + 1;
  const { id, applicationId, userId } = session;
  const facts = { delivery: id, application: applicationId, attempts, status: attempt.responseStatus };
  const isDelivered = attempt.responseStatus !== null && isSuccess(attempt.responseStatus);
  count("gatehouse_logout_tokens_total", { outcome: isDelivered ? "success" : "failure" });
  const next = new Date(now.getTime() + pauseAfterAttempts(attempts));
  const isLast = attempt.isFinal || next.getTime() >= session.endsAt.getTime() + SENT_WITHIN_MS;
  const result = { responseStatus: attempt.responseStatus, lastError: attempt.lastError };
  if (!isDelivered && !isLast) {
    await sessions.retryAt(db, id, next, result);
    deps.log.warn({ event: "logout_token.delayed", ...facts, reason: attempt.lastError });
    return;
  }
  await deps.transaction(async (within) => {
    await sessions.finish(within.db, id, isDelivered ? "delivered" : "failed", within.clock(), result);
    const details = { attempts, status: attempt.responseStatus };
    const event = isDelivered ? "logout_token.delivered" : "logout_token.failed";
    await audit.record(within, event, details, { userId, applicationId });
  });
  if (isDelivered) deps.log.info({ event: "logout_token.delivered", ...facts });
  else deps.log.warn({ event: "logout_token.given_up", ...facts, reason: attempt.lastError });
}

/**
 * The result of an attempt to send a logout token. After a final result, the server does not send the logout
 * token again.
 */
type AttemptResult = sessions.Attempt & Readonly<{ isFinal: boolean }>;

const notSent = (lastError: string): AttemptResult => ({ responseStatus: null, lastError, isFinal: true });

async function send(deps: Deps, session: sessions.StoredClientSession): Promise<AttemptResult> {
  const application = await findById(deps, session.applicationId);
  if (application === null || application.backchannelLogout.uri === null)
    return notSent("The application has no URL for logout tokens.");
  if (isBlocked(application)) return notSent("The application is blocked.");
  const { response, lastError } = await postMessage(deps, {
    url: application.backchannelLogout.uri,
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent": `${PRODUCT_NAME}/${PRODUCT_VERSION}`,
    },
    body: `logout_token=${await logoutToken(deps, application, session)}`,
    http: "loopback",
    addresses: addressesFor(deps, application),
  });
  return { responseStatus: response?.status ?? null, lastError, isFinal: false };
}

/**
 * Returns the IP addresses to which the logout tokens of an application may be sent. Anyone can register a
 * client without an owner, so the logout tokens of such a client are never sent to the local network.
 */
function addressesFor(
  deps: Deps,
  { registered }: Application,
): "by_settings_and_loopback" | "by_settings" | "public" {
  if (!registered) return "public";
  return allowsPlainHttp(deps) ? "by_settings_and_loopback" : "by_settings";
}
