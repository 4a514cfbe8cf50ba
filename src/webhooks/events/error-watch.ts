import { type AppearedError, errorsAppearedSince } from "@/error-tracking/tracked-errors/service";
import { lockInstance } from "@/instance/lock/instance-lock";
import type { Deps } from "@/kernel/deps/deps";
import { enqueueOnce, type FoundEvent } from "../deliveries/service";
import { hasRecipients } from "../hooks/service";
import { recipientsOf } from "./listeners";
import type { ErrorSource } from "./sources";

/**
 * The time for which the job finds a tracked error after the error has appeared. Several runs of the job can
 * find the same tracked error.
 */
const FOUND_WITHIN_MS = 10 * 60_000;

/**
 * Stores the messages about tracked errors that appeared recently, once for each webhook. A job calls this
 * function, because requests that report tracked errors are so frequent that they must not read the webhooks.
 */
export async function enqueueAppearedErrors(deps: Deps): Promise<void> {
  if (!(await hasRecipients(deps.db, "error_events"))) return;
  const since = new Date(deps.clock().getTime() - FOUND_WITHIN_MS);
  const errors = await errorsAppearedSince(deps, since);
  const messages: FoundEvent[] = [];
  for (const projectId of new Set(errors.map((error) => error.projectId))) {
    const recipients = await recipientsOf(deps, "error_events", projectId);
    for (const error of errors.filter((candidate) => candidate.projectId === projectId))
      for (const { dedupeKey, source } of changesOf(error, since))
        messages.push(
          ...recipients.map(({ id }) => ({
            ...{ webhookId: id, dedupeKey, source },
            trigger: "error_events" as const,
          })),
        );
  }
  if (messages.length === 0) return;
  await deps.transaction(async (within) => {
    await lockInstance(within);
    await enqueueOnce(within, messages);
  });
}

function changesOf(
  { id: errorId, projectId, firstSeenAt, regressedAt }: AppearedError,
  since: Date,
): readonly Readonly<{ dedupeKey: string; source: ErrorSource }>[] {
  const change = (kind: ErrorSource["change"], at: Date | null) =>
    at === null || at < since
      ? []
      : [
          {
            dedupeKey: `error ${errorId} ${kind} ${at.toISOString()}`,
            source: { kind: "error", projectId, errorId, change: kind, at: at.toISOString() } as const,
          },
        ];
  return [...change("created", firstSeenAt), ...change("regressed", regressedAt)];
}
