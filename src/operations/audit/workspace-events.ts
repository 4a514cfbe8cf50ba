import { counted, type EventLabels, listed } from "./event-label";

/** The descriptions of the audit events of groups, projects and their members. */
export const WORKSPACE_EVENTS: EventLabels<
  "group" | "project" | "member" | "access_token" | "deploy_token" | "invitation"
> = {
  "group.created": { label: "Group created", sentence: ({ path }) => `created the group ${path}` },
  "group.changed": { label: "Group changed", sentence: ({ path }) => `changed the group ${path}` },
  "group.removed": {
    label: "Group removed",
    sentence: ({ path, applications = 0 }) =>
      `removed the group ${path}${applications === 0 ? "" : ` with ${counted(applications, "application")}`}`,
  },
  "project.created": { label: "Project created", sentence: ({ path }) => `created the project ${path}` },
  "project.changed": { label: "Project changed", sentence: ({ path }) => `changed the project ${path}` },
  "project.transferred": {
    label: "Project transferred",
    sentence: ({ path, from }) => `transferred the project ${from} to ${path}`,
  },
  "project.removed": { label: "Project removed", sentence: ({ path }) => `removed the project ${path}` },
  "member.added": {
    label: "Member added",
    sentence: ({ kind, path, role }) => `made {user} ${role} of the ${kind} ${path}`,
  },
  "member.changed": {
    label: "Member changed",
    sentence: ({ kind, path, role }) => `made {user} ${role} of the ${kind} ${path}`,
  },
  "member.removed": {
    label: "Member removed",
    sentence: ({ kind, path }) => `removed {user} from the ${kind} ${path}`,
  },
  "access_token.created": {
    label: "Access token created",
    sentence: ({ kind, path, role, scopes }) =>
      `created an access token of the ${kind} ${path} with the role ${role} and the scopes ${listed(scopes)}, for the bot {user}`,
  },
  "deploy_token.created": {
    label: "Deploy token created",
    sentence: ({ kind, path, tokenId, scopes }) =>
      `created the deploy token ${tokenId} of the ${kind} ${path} with the scopes ${listed(scopes)}`,
  },
  "deploy_token.revoked": {
    label: "Deploy token revoked",
    sentence: ({ kind, path, tokenId }) => `revoked the deploy token ${tokenId} of the ${kind} ${path}`,
  },
  "invitation.created": {
    label: "Invitation sent",
    sentence: ({ email, to }) => `invited ${email} to ${to}`,
  },
  "invitation.changed": {
    label: "Invitation changed",
    sentence: ({ email, to }) => `changed the invitation of ${email} to ${to}`,
  },
  "invitation.revoked": {
    label: "Invitation revoked",
    sentence: ({ email, to }) => `revoked the invitation of ${email} to ${to}`,
  },
  "invitation.accepted": {
    label: "Invitation accepted",
    sentence: ({ email, to }) => `accepted the invitation of ${email} to ${to}`,
  },
};
