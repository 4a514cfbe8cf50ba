import type { User } from "@/access/principal";
import { readCommit } from "@/code/repositories/commit";
import { defaultBranch } from "@/code/repositories/reference";
import type { Deps } from "@/kernel/deps/deps";
import { findMergeRequest } from "@/review/merge-requests/service";
import { enqueueManually } from "../deliveries/service";
import type { Trigger, Webhook } from "../hooks/rules";
import type { EventSource } from "./sources";

const NOTHING = "0".repeat(40);

export type TestRefusal = "no_commits" | "no_merge_requests" | "not_testable" | "too_many";

/**
 * Stores a message with the newest data of a project, or with sample data for a webhook of the instance or of
 * an application.
 * @returns the id of the message, or the reason why no message was stored.
 */
export async function sendTest(
  deps: Deps,
  webhook: Webhook,
  trigger: Trigger,
  user: User,
): Promise<number | TestRefusal> {
  const source = await sampleOf(deps, webhook, trigger, user);
  if (typeof source === "string") return source;
  return (await enqueueManually(deps, webhook.id, { trigger, source })) ?? "too_many";
}

async function sampleOf(
  deps: Deps,
  { place, uid }: Webhook,
  trigger: Trigger,
  { id: userId }: User,
): Promise<EventSource | TestRefusal> {
  const at = deps.clock().toISOString();
  const isProject = place.kind === "project";
  if (trigger === "push_events" || trigger === "tag_push_events") {
    if (!isProject) return auditSample(uid, userId, at);
    const branch = defaultBranch(deps, place);
    const head = branch === null ? null : await readCommit(deps, place, `refs/heads/${branch}`);
    if (head === null) return "no_commits";
    const isTag = trigger === "tag_push_events";
    const ref = isTag ? "refs/tags/v1.0.0" : `refs/heads/${branch}`;
    const before = isTag ? NOTHING : (head.parents[0] ?? NOTHING);
    return { kind: "push", projectId: place.id, userId, ref, before, after: head.hash };
  }
  if (trigger === "merge_requests_events" && isProject) {
    const mergeRequest = await findMergeRequest(deps, place, 1);
    if (mergeRequest === null) return "no_merge_requests";
    return { kind: "merge_request", userId, action: "update", mergeRequest, changes: {}, oldHead: null };
  }
  return trigger === "error_events" && isProject ? "not_testable" : auditSample(uid, userId, at);
}

/** Returns a sample audit event that names the user who requested the test. */
const auditSample = (webhook: string, userId: number, at: string): EventSource => ({
  kind: "audit",
  ...{ name: "webhook.tested", at, details: { webhook }, userId, applicationId: null, actorId: userId },
  byCommandLine: false,
});
