import type { AuditEvents } from "@/instance/audit/catalog";
import { type EventLabels, listed } from "./event-label";

/** The descriptions of the audit events of applications, grants and tokens. */
export const OAUTH_EVENTS: EventLabels<
  | "application"
  | "consent"
  | "token"
  | "device"
  | "personal_token"
  | "impersonation_token"
  | "logout_token"
  | "mcp"
> = {
  "impersonation_token.created": {
    label: "Impersonation token created",
    sentence: ({ scopes }) => `created an impersonation token of {user} with the scopes ${listed(scopes)}`,
  },
  "impersonation_token.revoked": {
    label: "Impersonation token revoked",
    sentence: () => "revoked an impersonation token of {user}",
  },
  "personal_token.rotated": {
    label: "Personal access token rotated",
    sentence: () => "rotated a personal access token",
  },
  "logout_token.delivered": {
    label: "Logout token delivered",
    sentence: () => "ended a session, and {application} was informed",
  },
  "logout_token.failed": {
    label: "Logout token not delivered",
    sentence: ({ attempts, status }) =>
      `ended a session; {application} could not be informed after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}${status === null ? "" : ` (status ${status})`}`,
  },
  "application.registered": {
    label: "Application registered",
    sentence: ({ scopes }) => `registered {application} with ${listed(scopes)}`,
  },
  "mcp.tool_called": {
    label: "MCP tool called",
    sentence: ({ tool, project }) =>
      `called the tool ${tool} through {application}${project === null ? "" : ` for the project ${project}`}`,
  },
  "application.admitted": {
    label: "Unregistered client accepted",
    sentence: ({ by, uid }) =>
      by === "document" ? `connected the client ${uid} for the first time` : `registered itself as ${uid}`,
  },
  "application.metadata_changed": {
    label: "Unregistered client changed",
    sentence: ({ by, members }) =>
      by === "document"
        ? `changed ${listed(members)} in the metadata document of {application}`
        : `changed ${listed(members)} in the registration of {application}`,
  },
  "application.changed": { label: "Application changed", sentence: () => "changed {application}" },
  "application.authentication_changed": {
    label: "Application authentication changed",
    sentence: ({ method }) =>
      method === null
        ? "changed the authentication of {application} to a client secret"
        : `changed the authentication of {application} to ${method}`,
  },
  "application.client_credentials_changed": {
    label: "Client credentials grant changed",
    sentence: ({ scopes }) =>
      scopes.length === 0
        ? "turned off the client credentials grant of {application}"
        : `allowed {application} the client credentials grant with ${listed(scopes)}`,
  },
  "application.removed": { label: "Application removed", sentence: ({ name }) => `removed ${name}` },
  "application.transferred": {
    label: "Application transferred",
    sentence: ({ from, to }) => `transferred {application} from ${from} to ${to}`,
  },
  "application.maintainer_added": {
    label: "Application maintainer added",
    sentence: ({ maintainer }) => `added @${maintainer} as the maintainer of {application}`,
  },
  "application.maintainer_removed": {
    label: "Application maintainer removed",
    sentence: ({ maintainer }) => `removed @${maintainer} as the maintainer of {application}`,
  },
  "application.secret_added": {
    label: "Application secret added",
    sentence: () => "added a secret to {application}",
  },
  "application.secret_removed": {
    label: "Application secret removed",
    sentence: () => "removed a secret of {application}",
  },
  "application.logo_changed": {
    label: "Application logo changed",
    sentence: ({ removed }) =>
      removed ? "removed the logo of {application}" : "changed the logo of {application}",
  },
  "application.blocked": { label: "Application blocked", sentence: () => "blocked {application}" },
  "application.unblocked": { label: "Application unblocked", sentence: () => "unblocked {application}" },
  "application.trust_changed": {
    label: "Application trust changed",
    sentence: ({ trusted }) => (trusted ? "trusted {application}" : "withdrew the trust in {application}"),
  },
  "application.resource_server_changed": {
    label: "Resource server changed",
    sentence: ({ resourceServer }) =>
      resourceServer
        ? "allowed {application} to introspect tokens of other applications"
        : "limited the introspection of {application} to its own tokens",
  },
  "application.resource_identifiers_changed": {
    label: "Resource identifiers changed",
    sentence: ({ identifiers }) =>
      identifiers.length === 0
        ? "removed the resource identifiers of {application}"
        : `changed the resource identifiers of {application} to ${listed(identifiers)}`,
  },
  "application.tokens_revoked": {
    label: "Application tokens revoked",
    sentence: ({ uncovered }) =>
      uncovered
        ? "revoked all grants with scopes that {application} no longer had"
        : "revoked every token of {application}",
  },
  "consent.given": {
    label: "Consent given",
    sentence: ({ scopes }) => `allowed {application} ${listed(scopes)}`,
  },
  "consent.withdrawn": {
    label: "Consent withdrawn",
    sentence: () => "withdrew the consent for {application}",
  },
  "token.revoked": {
    label: "Token revoked",
    sentence: ({ by }) =>
      by === "operator"
        ? "revoked a token of {user} for {application}"
        : `lost a token of {application} because ${REVOKED_BY[by]} revoked it`,
  },
  "token.family_revoked": {
    label: "Tokens revoked for misuse",
    sentence: ({ because }) => REVOKED_BECAUSE[because],
  },
  "device.approved": {
    label: "Device allowed",
    sentence: ({ scopes }) => `allowed a device to use {application} with ${listed(scopes)}`,
  },
  "device.denied": {
    label: "Device denied",
    sentence: ({ reported }) =>
      reported
        ? "denied a device access with {application} and reported that someone else sent the request"
        : "denied a device access with {application}",
  },
  "personal_token.created": {
    label: "Personal access token created",
    sentence: ({ scopes }) => `created a personal access token with ${listed(scopes)}`,
  },
  "personal_token.revoked": {
    label: "Personal access token revoked",
    sentence: () => "revoked a personal access token",
  },
};

const REVOKED_BECAUSE = {
  code_replay: "lost the tokens of {application} because an authorization code was used twice",
  refresh_reuse: "lost the tokens of {application} because a rotated refresh token was used again",
  personal_token_reuse: "lost a personal access token: the token that it had replaced was used again",
} as const;

const REVOKED_BY = {
  client: "the application",
  holder: "the token holder",
  owner: "the owner of the application",
} as const satisfies Record<Exclude<AuditEvents["token.revoked"]["by"], "operator">, string>;
