import type { User } from "@/access/principal";
import { countEvent } from "@/instance/statistics/service";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { findManaged } from "../applications/management";
import { findByUid } from "../applications/service";
import { type FailureReason, isFailureReason } from "./catalog";
import * as store from "./store";
import { failuresOf } from "./store.sql";

/** A refused request of an application, as the page of the application shows it to the developer. */
export type FailedExchange = Readonly<{
  id: number;
  endpoint: string;
  reason: FailureReason;
  address: string;
  at: Date;
}>;

/** The maximum number of stored failures for each application. */
const KEPT = 100;

/** The maximum number of failures that are recorded for each application in a minute. */
const PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/**
 * The maximum number of applications for which one process counts failures in the same minute. Failures of
 * further applications are not recorded.
 */
const COUNTED_MAX = 1000;

const counted = processWide("failed-exchanges", () => new Map<string, { since: number; count: number }>());

/**
 * Records a failure for the developer of the application, unless the application has reached the limit of
 * failures for the current minute. The function returns before the failure is written to the database.
 * @param failure.clientUid the `client_id` of an existing application. The caller must not pass an unknown
 * `client_id`, because unknown values would use up the limit of `COUNTED_MAX` applications.
 * @param failure.reason the reason for the failure, as in the log line. Reasons that a developer cannot act
 * on are not recorded.
 * @param failure.origin returns the path of the endpoint and the IP address of the request. `origin` is
 * called only when the failure is recorded.
 */
export function recordFailure(
  deps: Deps,
  failure: Readonly<{
    clientUid: string;
    reason: string;
    origin: () => Readonly<{ endpoint: string; address: string }>;
  }>,
): void {
  const { clientUid, reason } = failure;
  if (!isFailureReason(reason)) return;
  countEvent(deps, "request.failed", clientUid);
  if (!mayRecord(clientUid, deps.clock().getTime())) return;
  const { endpoint, address: ipAddress } = failure.origin();
  const row = { endpoint: endpoint.slice(0, 64), reason, address: ipAddress.slice(0, 64), at: deps.clock() };
  keep(deps, clientUid, row).catch((cause) =>
    deps.log.warn({ event: "application.failure_not_kept" }, cause),
  );
}

async function keep(deps: Deps, clientUid: string, row: store.NewFailure): Promise<void> {
  const client = await findByUid(deps, clientUid);
  if (client === null) return;
  await store.insertFailure(deps.db, client.id, row);
  await store.trimFailures(deps.db, client.id, KEPT);
}

function mayRecord(clientUid: string, now: number): boolean {
  const counts = counted();
  const counter = counts.get(clientUid);
  if (counter !== undefined && now - counter.since < MINUTE_MS) return ++counter.count <= PER_MINUTE;
  if (counts.size >= COUNTED_MAX)
    for (const [uid, { since }] of counts) if (now - since >= MINUTE_MS) counts.delete(uid);
  if (counts.size >= COUNTED_MAX && counter === undefined) return false;
  counts.set(clientUid, { since: now, count: 1 });
  return true;
}

/** Returns the latest failures of an application that a user manages, newest first. */
export async function recentFailures(
  deps: Deps,
  user: User,
  applicationId: number,
  most: number,
): Promise<readonly FailedExchange[]> {
  const application = await findManaged(deps, user, applicationId);
  if (application === null) return [];
  const rows = await failuresOf(deps.reads, application.id, most);
  return rows.flatMap(({ reason, ...row }) => (isFailureReason(reason) ? [{ ...row, reason }] : []));
}
