import type { RecordedEvent } from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { MergeRequestChange } from "@/review/merge-requests/change-listener";
import { findMergeRequest, findMergeRequestsByIds } from "@/review/merge-requests/service";
import { ancestorsOf } from "@/workspace/hierarchy/descendants";
import { projectById } from "@/workspace/projects/service";
import { enqueue } from "../deliveries/service";
import { branchMatches, type Trigger } from "../hooks/rules";
import { listRecipients, type Recipient } from "../hooks/service";
import { auditSourceFor, isSecurityEvent } from "./audit-rules";
import { changesOf } from "./merge-request-changes";
import type { MergeRequestAction, PushSource, SystemAction } from "./sources";

/**
 * Stores the messages about an audit event, in the transaction of the event. If the event records a push or a
 * change to a merge request, the messages about the push or the change are also stored.
 */
export async function enqueueAuditEvent(deps: Deps, event: RecordedEvent): Promise<void> {
  await Promise.all([enqueueForInstance(deps, event), enqueueForApplication(deps, event)]);
  if (event.name === "repository.pushed") await enqueuePushes(deps, event);
  else if (event.name === "merge_request.merged") {
    await enqueueMergedBranch(deps, event);
    await enqueueMergeRequest(deps, event, "merge");
  } else if (event.name === "merge_request.approved") await enqueueMergeRequest(deps, event, "approved");
  else if (event.name === "merge_request.unapproved") await enqueueMergeRequest(deps, event, "unapproved");
  else if (event.name === "merge_request.approvals_removed" && event.details.cause !== "target_changed")
    await enqueueMergeRequest(deps, event, "unapproved", "approvals_reset_on_push");
}

/**
 * Stores the messages about an audit event for the webhooks of the instance. A webhook that is subscribed to
 * all audit events and to security events receives each security event only once.
 */
async function enqueueForInstance(deps: Deps, event: RecordedEvent): Promise<void> {
  const isOfInstance = ({ kind }: Recipient) => kind === "instance";
  const all = (await listRecipients(deps.db, "audit_events", {})).filter(isOfInstance);
  const source = auditSourceFor(event, "instance");
  await enqueue(deps, all, { trigger: "audit_events", source });
  if (!isSecurityEvent(event.name)) return;
  const ids = new Set(all.map(({ id }) => id));
  const others = (await listRecipients(deps.db, "security_events", {})).filter(
    (recipient) => isOfInstance(recipient) && !ids.has(recipient.id),
  );
  await enqueue(deps, others, { trigger: "security_events", source });
}

async function enqueueForApplication(deps: Deps, event: RecordedEvent): Promise<void> {
  const { applicationId } = event;
  if (applicationId === null || !isSecurityEvent(event.name)) return;
  const recipients = await listRecipients(deps.db, "security_events", { applicationId });
  const owners = recipients.filter(({ kind }) => kind === "application");
  await enqueue(deps, owners, { trigger: "security_events", source: auditSourceFor(event, "application") });
}

/**
 * The maximum number of changed references in a push for which push events are sent. Like GitLab, Gatehouse
 * sends no push events for a push that changes more references than this number.
 */
const PUSHED_REFERENCES_MAX = 3;

type Pushed = Extract<RecordedEvent, { name: "repository.pushed" }>;

async function enqueuePushes(deps: Deps, { details, userId }: Pushed): Promise<void> {
  const { id: projectId, references, more } = details;
  if (more > 0 || references.length > PUSHED_REFERENCES_MAX) return;
  const sources = references.map(
    (reference): PushSource => ({ kind: "push", projectId, userId, ...reference }),
  );
  for (const source of sources) await enqueuePush(deps, source);
}

async function enqueuePush(deps: Deps, source: PushSource): Promise<void> {
  const branch = /^refs\/heads\/(.+)$/.exec(source.ref)?.[1];
  if (branch === undefined && !source.ref.startsWith("refs/tags/")) return;
  const trigger: Trigger = branch === undefined ? "tag_push_events" : "push_events";
  const recipients = await recipientsOf(deps, trigger, source.projectId);
  const matching =
    branch === undefined
      ? recipients
      : recipients.filter(({ branchFilter }) => branchMatches(branchFilter, branch));
  await enqueue(deps, matching, { trigger, source });
}

type Merged = Extract<RecordedEvent, { name: "merge_request.merged" }>;

/**
 * Stores the push event for the target branch of a merge. The server itself moves the branch, so no Git
 * client pushes to it.
 */
async function enqueueMergedBranch(deps: Deps, { details, userId }: Merged): Promise<void> {
  const { id: projectId, targetBranch, before, commit: after } = details;
  if (before === undefined) return;
  const ref = `refs/heads/${targetBranch}`;
  await enqueuePush(deps, { kind: "push", projectId, userId, ref, before, after });
}

async function enqueueMergeRequest(
  deps: Deps,
  { details, userId }: Readonly<{ details: Readonly<{ id: number; iid: number }>; userId: number | null }>,
  action: MergeRequestAction,
  systemAction: SystemAction | null = null,
): Promise<void> {
  const recipients = await recipientsOf(deps, "merge_requests_events", details.id);
  if (recipients.length === 0) return;
  const mergeRequest = await findMergeRequest(deps, { id: details.id }, details.iid);
  if (mergeRequest === null) return;
  const source = {
    ...({ kind: "merge_request", userId, action, mergeRequest, changes: {}, oldHead: null } as const),
    ...(systemAction === null ? {} : { systemAction }),
  };
  await enqueue(deps, recipients, { trigger: "merge_requests_events", source });
}

/** Stores the messages about a change to a merge request, in the transaction of the change. */
export async function enqueueMergeRequestChange(deps: Deps, change: MergeRequestChange): Promise<void> {
  const { id, action, userId, before } = change;
  const [mergeRequest] = await findMergeRequestsByIds(deps, [id]);
  if (mergeRequest === undefined) return;
  const recipients = await recipientsOf(deps, "merge_requests_events", mergeRequest.project.id);
  if (recipients.length === 0) return;
  const changes = before === null ? {} : changesOf(before, mergeRequest);
  const oldHead = before !== null && before.headSha !== mergeRequest.headSha ? before.headSha : null;
  if (action === "update" && oldHead === null && Object.keys(changes).length === 0) return;
  const source = { kind: "merge_request", userId, action, mergeRequest, changes, oldHead };
  await enqueue(deps, recipients, { trigger: "merge_requests_events", source });
}

/**
 * Returns the webhooks that receive an event: webhooks of the instance, of a project, and of the groups of
 * the project.
 */
export async function recipientsOf(
  deps: Pick<Deps, "db" | "reads">,
  trigger: Trigger,
  projectId: number,
): Promise<readonly Recipient[]> {
  const namespace = (await projectById(deps, projectId))?.namespace;
  const groupIds = namespace?.kind === "group" ? await ancestorsOf(deps.reads, namespace.group.id) : [];
  return listRecipients(deps.db, trigger, { projectId, groupIds });
}
