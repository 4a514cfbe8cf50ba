import type { MergeRequest } from "@/review/merge-requests/rules";

/** A change to a branch or a tag. */
export type PushSource = Readonly<{
  kind: "push";
  projectId: number;
  userId: number | null;
  ref: string;
  before: string;
  after: string;
}>;

export type MergeRequestAction = "open" | "update" | "close" | "reopen" | "merge" | "approved" | "unapproved";

/** The reason for which the server, instead of a user, has changed a merge request, under GitLab's name. */
export type SystemAction = "approvals_reset_on_push";

/** The fields that an update of a merge request has changed. */
export type Changes = Readonly<Record<string, Readonly<{ previous: unknown; current: unknown }>>>;

/** A change to a merge request, with its state immediately after the change. */
export type MergeRequestSource = Readonly<{
  kind: "merge_request";
  userId: number | null;
  action: MergeRequestAction;
  systemAction?: SystemAction;
  mergeRequest: MergeRequest;
  changes: Changes;
  /** The head commit before an update that added commits. */
  oldHead: string | null;
}>;

/**
 * An audit event. For a webhook of an application, the event contains no IP address, and names only the users
 * whom the event concerns.
 */
export type AuditSource = Readonly<{
  kind: "audit";
  name: string;
  at: string;
  details: object;
  userId: number | null;
  applicationId: number | null;
  actorId: number | null;
  byCommandLine: boolean;
}>;

/** A tracked error that was reported for the first time, or again after it was resolved. */
export type ErrorSource = Readonly<{
  kind: "error";
  projectId: number;
  errorId: number;
  change: "created" | "regressed";
  at: string;
}>;

export type EventSource = PushSource | MergeRequestSource | AuditSource | ErrorSource;
