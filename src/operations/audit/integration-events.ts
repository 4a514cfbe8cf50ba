import type { AuditEvents } from "@/instance/audit/catalog";
import type { EventLabels } from "./event-label";

/** The descriptions of the audit events of tracked errors, webhooks, runners, Geo sites, packages and images. */
export const INTEGRATION_EVENTS: EventLabels<
  | "error_tracking"
  | "client_key"
  | "error_comment"
  | "webhook"
  | "geo_site"
  | "runner"
  | "package"
  | "registry"
> = {
  "error_tracking.changed": {
    label: "Error tracking settings changed",
    sentence: ({ path, active }) => `turned error tracking ${active ? "on" : "off"} in ${path}`,
  },
  "client_key.created": {
    label: "Client key created",
    sentence: ({ path }) => `created a client key of ${path}`,
  },
  "client_key.removed": {
    label: "Client key removed",
    sentence: ({ path }) => `removed a client key of ${path}`,
  },
  "error_comment.created": {
    label: "Error comment added",
    sentence: ({ path, errorId }) => `commented on error ${errorId} of ${path}`,
  },
  "error_comment.removed": {
    label: "Error comment deleted",
    sentence: ({ path, errorId, commentId }) => `deleted comment ${commentId} on error ${errorId} of ${path}`,
  },
  "webhook.created": {
    label: "Webhook created",
    sentence: (webhook) => `created the ${webhookPhrase(webhook)}`,
  },
  "webhook.changed": {
    label: "Webhook changed",
    sentence: (webhook) => `changed the ${webhookPhrase(webhook)}`,
  },
  "webhook.removed": {
    label: "Webhook deleted",
    sentence: (webhook) => `deleted the ${webhookPhrase(webhook)}`,
  },
  "geo_site.created": { label: "Geo site created", sentence: ({ name }) => `created the Geo site ${name}` },
  "geo_site.changed": { label: "Geo site changed", sentence: ({ name }) => `changed the Geo site ${name}` },
  "geo_site.removed": { label: "Geo site removed", sentence: ({ name }) => `removed the Geo site ${name}` },
  "runner.created": { label: "Runner created", sentence: ({ id }) => `created runner ${id}` },
  "runner.changed": { label: "Runner changed", sentence: ({ id }) => `changed runner ${id}` },
  "runner.removed": { label: "Runner removed", sentence: ({ id }) => `removed runner ${id}` },
  "runner.token_reset": {
    label: "Runner token reset",
    sentence: ({ id }) => `reset the token of runner ${id}`,
  },
  "runner.assigned": {
    label: "Runner assigned",
    sentence: ({ id, path }) => `assigned runner ${id} to ${path}`,
  },
  "runner.unassigned": {
    label: "Runner unassigned",
    sentence: ({ id, path }) => `unassigned runner ${id} from ${path}`,
  },
  "package.file_published": {
    label: "Package file published",
    sentence: ({ path, name, version, file, replaced }) =>
      `${replaced ? "replaced" : "published"} ${file} of ${name} ${version} in ${path}`,
  },
  "package.file_removed": {
    label: "Package file removed",
    sentence: ({ path, name, version, file }) => `removed ${file} of ${name} ${version} from ${path}`,
  },
  "package.removed": {
    label: "Package removed",
    sentence: ({ path, name, version }) => `removed the package ${name} ${version} from ${path}`,
  },
  "registry.certificate_made": {
    label: "Registry certificate created",
    sentence: () => "created a certificate for the container registry",
  },
  "registry.repository_removed": {
    label: "Container images removed",
    sentence: ({ path }) => `removed the container images ${path}`,
  },
  "registry.tags_removed": {
    label: "Container tags removed",
    sentence: ({ path, tag }) =>
      tag === null ? `requested the removal of tags of ${path} in bulk` : `removed the tag ${tag} of ${path}`,
  },
};

const webhookPhrase = ({ id, owner, ownerId }: AuditEvents["webhook.created"]): string =>
  `webhook ${id} of the ${owner}${ownerId === null ? "" : ` ${ownerId}`}`;
