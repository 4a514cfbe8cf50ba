import { findErrorSummary } from "@/error-tracking/tracked-errors/service";
import { findById } from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { namesOf } from "@/oauth/applications/service";
import { readDefaultBranch } from "@/workspace/projects/default-branch";
import { projectById } from "@/workspace/projects/service";
import { type ProjectFacts, projectFields } from "./common-fields";
import { mergeRequestPayload } from "./merge-request-payload";
import { pushPayload } from "./push-payload";
import type { AuditSource, ErrorSource, EventSource } from "./sources";

/**
 * Returns the body of the message about an event; null if the project or the tracked error no longer exists.
 */
export async function payloadOf(deps: Deps, source: EventSource): Promise<object | null> {
  if (source.kind === "audit") return auditPayload(deps, source);
  const projectId = source.kind === "merge_request" ? source.mergeRequest.project.id : source.projectId;
  const facts = await factsOf(deps, projectId, source.kind === "error" ? null : source.userId);
  if (facts === null) return null;
  if (source.kind === "push") return pushPayload(deps, source, facts);
  return source.kind === "error"
    ? errorPayload(deps, source, facts)
    : mergeRequestPayload(deps, source, facts);
}

async function factsOf(deps: Deps, projectId: number, userId: number | null): Promise<ProjectFacts | null> {
  const project = await projectById(deps, projectId);
  if (project === null) return null;
  const user = userId === null ? null : await findById(deps, userId);
  return { project, user, defaultBranch: readDefaultBranch(deps, project) };
}

/** Returns the details of an audit event in which the field `address` is renamed to `ip_address`. */
const withIpAddress = (details: object): object =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name === "address" ? "ip_address" : name, value]),
  );

async function auditPayload(deps: Deps, source: AuditSource) {
  const { name, at, details, userId, actorId, applicationId, byCommandLine } = source;
  const [user, actor, names] = await Promise.all([
    userId === null ? null : findById(deps, userId),
    actorId === null ? null : findById(deps, actorId),
    applicationId === null ? null : namesOf(deps, [applicationId]),
  ]);
  const reference = (id: number | null, row: { username: string } | null) =>
    id === null ? null : { id, username: row?.username ?? null };
  return {
    object_kind: "audit_event",
    type: name,
    timestamp: at,
    data: {
      user: reference(userId, user),
      actor: byCommandLine ? "command line" : reference(actorId ?? userId, actorId === null ? user : actor),
      application:
        applicationId === null ? null : { id: applicationId, name: names?.get(applicationId) ?? null },
      details: withIpAddress(details),
    },
  };
}

async function errorPayload(deps: Deps, source: ErrorSource, facts: ProjectFacts) {
  const { projectId, errorId, change, at } = source;
  const error = await findErrorSummary(deps, projectId, errorId);
  if (error === null) return null;
  const { issuer } = deps.config;
  const { name, message, culprit, level, status, eventCount, firstSeenAt, lastSeenAt } = error;
  return {
    object_kind: "tracked_error",
    type: `error.${change}`,
    timestamp: at,
    project: projectFields(facts, issuer),
    data: {
      ...{ id: errorId, name, message, culprit, level, status },
      event_count: eventCount,
      first_seen_at: firstSeenAt,
      last_seen_at: lastSeenAt,
      url: `${issuer}/projects/${projectId}/errors/${errorId}`,
    },
  };
}
