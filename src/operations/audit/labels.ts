import type { AuditEvents, AuditName } from "@/instance/audit/catalog";

/**
 * The description of an audit event. The sentence continues after the name of the actor; `{user}` and
 * `{application}` are placeholders for the subjects of the event.
 */
type Words<Name extends AuditName> = Readonly<{
  label: string;
  sentence: (details: AuditEvents[Name]) => string;
}>;

const listed = (words: readonly string[]): string => words.join(", ");

const LINKED_BY = {
  user: "",
  email: " by its verified e-mail address",
  new_account: " to a new account",
} as const;

/** The descriptions of all audit events. */
const WORDS: { readonly [Name in AuditName]: Words<Name> } = {
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
  "approval_rule.created": {
    label: "Approval rule created",
    sentence: ({ path, name, approvalsRequired }) =>
      `created the approval rule ${name} of ${path}, for ${approvalsRequired}`,
  },
  "approval_rule.changed": {
    label: "Approval rule changed",
    sentence: ({ path, name, approvalsRequired }) =>
      `changed the approval rule ${name} of ${path}, for ${approvalsRequired}`,
  },
  "approval_rule.removed": {
    label: "Approval rule removed",
    sentence: ({ path, name }) => `removed the approval rule ${name} of ${path}`,
  },
  "protected_branch.created": {
    label: "Branch protected",
    sentence: ({ path, name, ...rule }) => `protected the branch ${name} of ${path}: ${protection(rule)}`,
  },
  "protected_branch.changed": {
    label: "Branch protection changed",
    sentence: ({ path, name, ...rule }) =>
      `changed the protection of the branch ${name} of ${path}: ${protection(rule)}`,
  },
  "protected_branch.removed": {
    label: "Branch unprotected",
    sentence: ({ path, name }) => `removed the protection of the branch ${name} of ${path}`,
  },
  "repository.pushed": {
    label: "Pushed",
    sentence: ({ path, references, more }) =>
      `pushed to ${path}: ${listed(references.map(referenceChange))}${more === 0 ? "" : ` and ${more} more`}`,
  },
  "merge_request.merged": {
    label: "Merge request merged",
    sentence: ({ path, iid, sourceBranch, targetBranch, commit }) =>
      `merged ${path}!${iid}, ${sourceBranch} into ${targetBranch}, at ${short(commit)}`,
  },
  "merge_request.approved": {
    label: "Merge request approved",
    sentence: ({ path, iid, commit }) => `approved ${path}!${iid} at ${short(commit)}`,
  },
  "merge_request.unapproved": {
    label: "Approval withdrawn",
    sentence: ({ path, iid, commit }) => `withdrew the approval of ${path}!${iid} at ${short(commit)}`,
  },
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
  "impersonation_token.created": {
    label: "Impersonation token created",
    sentence: ({ scopes }) => `created an impersonation token of {user} with the scopes ${listed(scopes)}`,
  },
  "impersonation_token.revoked": {
    label: "Impersonation token revoked",
    sentence: () => "revoked an impersonation token of {user}",
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
    label: "Comment on an error added",
    sentence: ({ path, errorId }) => `commented on error ${errorId} of ${path}`,
  },
  "error_comment.removed": {
    label: "Comment on an error deleted",
    sentence: ({ path, errorId, commentId }) => `deleted comment ${commentId} on error ${errorId} of ${path}`,
  },
  "managed_license.added": {
    label: "License added",
    sentence: ({ name, status, path }) => `changed the status of the license ${name} to ${status} in ${path}`,
  },
  "managed_license.changed": {
    label: "License changed",
    sentence: ({ name, status, path }) => `changed the status of the license ${name} to ${status} in ${path}`,
  },
  "managed_license.removed": {
    label: "License removed",
    sentence: ({ name, path }) => `removed the license ${name} from ${path}`,
  },
  "license_policy.created": {
    label: "License policy created",
    sentence: ({ name, path }) => `created the license policy ${name} of ${path}`,
  },
  "license_policy.changed": {
    label: "License policy changed",
    sentence: ({ name, path }) => `changed the license policy ${name} of ${path}`,
  },
  "license_policy.removed": {
    label: "License policy removed",
    sentence: ({ name, path }) => `removed the license policy ${name} of ${path}`,
  },
  "license_policy.converted": {
    label: "Licenses converted",
    sentence: ({ name, path }) => `converted the managed licenses of ${path} into the policy ${name}`,
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
  "personal_token.rotated": {
    label: "Personal access token rotated",
    sentence: () => "rotated a personal access token",
  },
  "profile.changed": {
    label: "Profile changed",
    sentence: ({ fields }) => `changed their ${listed(fields.map((field) => field.replace("_", " ")))}`,
  },
  "access.revoked": {
    label: "Access revoked",
    sentence: ({ because, grants, personalTokens }) =>
      `${ACCESS_REVOKED[because]}: ${counted(grants, "grant")} and ${counted(personalTokens, "personal access token")} of {user} were revoked`,
  },
  "email_change.requested": {
    label: "E-mail address requested",
    sentence: () => "requested a new e-mail address",
  },
  "email_change.canceled": {
    label: "E-mail address request canceled",
    sentence: () => "canceled the request for a new e-mail address",
  },
  "email.confirmed": {
    label: "E-mail address confirmed",
    sentence: () => "confirmed the e-mail address by a link",
  },
  "session.ended": {
    label: "Sessions ended",
    sentence: ({ count }) => `ended ${count === 1 ? "a session" : `${count} sessions`} in other browsers`,
  },
  "logout_token.delivered": {
    label: "Logout token delivered",
    sentence: () => "ended a session, about which {application} was informed",
  },
  "logout_token.failed": {
    label: "Logout token not delivered",
    sentence: ({ attempts, status }) =>
      `ended a session, about which {application} could not be informed after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}${status === null ? "" : ` (status ${status})`}`,
  },
  "application.registered": {
    label: "Application registered",
    sentence: ({ scopes }) => `registered {application} with ${listed(scopes)}`,
  },
  "mcp.tool_called": {
    label: "Tool of the MCP server called",
    sentence: ({ tool, project }) =>
      `called the tool ${tool} through {application}${project === null ? "" : ` for the project ${project}`}`,
  },
  "application.admitted": {
    label: "Client without registration admitted",
    sentence: ({ by, uid }) =>
      by === "document" ? `connected the client ${uid} for the first time` : `registered itself as ${uid}`,
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
    label: "Tokens of an application revoked",
    sentence: ({ uncovered }) =>
      uncovered
        ? "revoked the grants of {application} with removed scopes"
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
  "sign_in.succeeded": {
    label: "Signed in",
    sentence: ({ address: ipAddress }) => `signed in from ${ipAddress}`,
  },
  "sign_in.failed": {
    label: "Sign-in failed",
    sentence: ({ address: ipAddress }) => `failed to sign in with a wrong password from ${ipAddress}`,
  },
  "sign_in.confirmed": {
    label: "Identity confirmed",
    sentence: ({ address: ipAddress }) => `confirmed their identity from ${ipAddress}`,
  },
  "sign_in.second_factor_failed": {
    label: "Second factor failed",
    sentence: ({ address: ipAddress }) => `failed to sign in with a wrong second factor from ${ipAddress}`,
  },
  "password_reset.requested": {
    label: "Password reset requested",
    sentence: ({ address: ipAddress }) => `requested a link to reset the password from ${ipAddress}`,
  },
  "password_reset.completed": {
    label: "Password reset by a link",
    sentence: ({ address: ipAddress }) => `chose a new password by a link from ${ipAddress}`,
  },
  "user.registered": {
    label: "User registered",
    sentence: ({ address: ipAddress, provider }) =>
      `registered an account from ${ipAddress}${provider === undefined ? "" : ` by a sign-in with ${provider}`}`,
  },
  "identity_provider.created": {
    label: "Sign-in provider created",
    sentence: ({ provider, issuer }) => `created the sign-in provider ${provider} (${issuer})`,
  },
  "identity_provider.changed": {
    label: "Sign-in provider changed",
    sentence: ({ provider, issuer, enabled }) =>
      `changed the sign-in provider ${provider} (${issuer}${enabled ? "" : ", disabled"})`,
  },
  "identity_provider.removed": {
    label: "Sign-in provider removed",
    sentence: ({ provider }) => `removed the sign-in provider ${provider}`,
  },
  "identity.linked": {
    label: "Account linked",
    sentence: ({ provider, account, by }) => `linked the account ${account} at ${provider}${LINKED_BY[by]}`,
  },
  "identity.unlinked": {
    label: "Account unlinked",
    sentence: ({ provider, account }) => `unlinked the account ${account} at ${provider}`,
  },
  "provider_sign_in.verified": {
    label: "Provider confirmed identity",
    sentence: ({ provider, address: ipAddress }) => `was identified by ${provider}, from ${ipAddress}`,
  },
  "provider_sign_in.refused": {
    label: "Sign-in with provider refused",
    sentence: ({ provider, reason, address: ipAddress }) =>
      `failed to sign in with ${provider} from ${ipAddress}: ${reason.replaceAll("_", " ")}`,
  },
  "two_factor.enabled": { label: "Second factor set up", sentence: () => "set up a second factor" },
  "two_factor.disabled": {
    label: "Second factor removed",
    sentence: ({ by }) => FACTOR_REMOVED_BY[by],
  },
  "totp.enrolled": { label: "Authenticator app set up", sentence: () => "set up an authenticator app" },
  "passkey.added": { label: "Passkey added", sentence: ({ name }) => `added the passkey ${name}` },
  "passkey.removed": { label: "Passkey removed", sentence: ({ name }) => `removed the passkey ${name}` },
  "recovery_code.used": {
    label: "Recovery code used",
    sentence: ({ left }) => `used a recovery code; ${left} are left`,
  },
  "recovery_codes.renewed": {
    label: "Recovery codes renewed",
    sentence: () => "renewed their recovery codes",
  },
  "personal_token.created": {
    label: "Personal access token created",
    sentence: ({ scopes }) => `created a personal access token with ${listed(scopes)}`,
  },
  "personal_token.revoked": {
    label: "Personal access token revoked",
    sentence: () => "revoked a personal access token",
  },
  "user.created": {
    label: "User created",
    sentence: ({ admin }) => (admin ? "created {user}, an administrator" : "created {user}"),
  },
  "user.changed": {
    label: "User changed",
    sentence: ({ fields }) => `changed ${listed(fields.map((field) => field.replace("_", " ")))} of {user}`,
  },
  "user.blocked": { label: "User blocked", sentence: () => "blocked {user}" },
  "user.unblocked": { label: "User unblocked", sentence: () => "unblocked {user}" },
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
  "profile.exported": { label: "Data exported", sentence: () => "downloaded the data of the account" },
  "user.deactivated": { label: "User deactivated", sentence: () => "deactivated {user}" },
  "user.activated": {
    label: "User activated",
    sentence: ({ by }) => (by === "owner" ? "reactivated the account by signing in" : "activated {user}"),
  },
  "user.approved": { label: "Registration approved", sentence: () => "approved the registration of {user}" },
  "user.rejected": {
    label: "Registration rejected",
    sentence: ({ username }) => `rejected the registration of ${username}`,
  },
  "user.deletion_requested": {
    label: "Deletion of a user requested",
    sentence: ({ hard, by }) =>
      by === "owner"
        ? "requested the deletion of the account"
        : `requested the deletion of {user}${hard ? " with all contributions" : ""}`,
  },
  "user.deletion_canceled": {
    label: "Deletion of a user canceled",
    sentence: () => "canceled the deletion of the account",
  },
  "user.deleted": {
    label: "User deleted",
    sentence: ({ username, hard }) => `deleted the user ${username}${hard ? " with all contributions" : ""}`,
  },
  "user.admin_changed": {
    label: "Administrator rights changed",
    sentence: ({ admin }) =>
      admin ? "made {user} an administrator" : "removed the administrator rights of {user}",
  },
  "setting.changed": {
    label: "Setting changed",
    sentence: ({ keys, to = {} }) => listed(keys.map((key) => `set ${key}${newValue(to[key])}`)),
  },
  "flag.changed": {
    label: "Feature flag changed",
    sentence: ({ name, enabled }) =>
      enabled === null ? `reset ${name} to its default` : `switched ${name} ${enabled ? "on" : "off"}`,
  },
  "audit_trail.chained": {
    label: "Older events chained",
    sentence: ({ events }) => `added ${counted(events, "older event")} to the hash chain of the audit trail`,
  },
  "keys.rotated": {
    label: "Signing keys rotated",
    sentence: ({ kid }) => `rotated the signing keys to ${kid}`,
  },
  "secret.rotation_started": {
    label: "Rotation of the instance secret started",
    sentence: () => "started a rotation of the instance secret",
  },
  "secret.switched": {
    label: "Instance secret replaced",
    sentence: () => "replaced the secret that encrypts stored values",
  },
  "secret.retired": {
    label: "Previous instance secret retired",
    sentence: () => "ended the acceptance of the previous instance secret",
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

const short = (id: string): string => (/^0+$/.test(id) ? "nothing" : id.slice(0, 8));

const referenceChange = ({
  ref,
  before,
  after,
}: AuditEvents["repository.pushed"]["references"][number]): string =>
  `${ref.replace(/^refs\/(?:heads|tags)\//, "")} from ${short(before)} to ${short(after)}`;

type Protection = Pick<
  AuditEvents["protected_branch.created"],
  "pushAccessLevel" | "mergeAccessLevel" | "allowForcePush"
>;

const protection = ({ pushAccessLevel, mergeAccessLevel, allowForcePush }: Protection): string =>
  `push ${pushAccessLevel}, merge ${mergeAccessLevel}, force push ${allowForcePush ? "allowed" : "refused"}`;

const REVOKED_BECAUSE = {
  code_replay: "lost the tokens of {application} because an authorization code was used twice",
  refresh_reuse: "lost the tokens of {application} because a rotated refresh token was used again",
  personal_token_reuse: "lost a personal access token: the token that it had replaced was used again",
} as const;

const ACCESS_REVOKED = {
  password_changed: "changed the password",
  password_reset: "reset the password",
  blocked: "blocked the account",
  deleted: "requested the deletion of the account",
} as const satisfies Record<AuditEvents["access.revoked"]["because"], string>;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const REVOKED_BY = {
  client: "the application",
  holder: "the token holder",
  owner: "the owner of the application",
} as const satisfies Record<Exclude<AuditEvents["token.revoked"]["by"], "operator">, string>;

const FACTOR_REMOVED_BY = {
  owner: "removed their second factor",
  operator: "removed the second factor of {user}",
  administrator: "removed the second factor of {user}",
} as const satisfies Record<AuditEvents["two_factor.disabled"]["by"], string>;

const webhookPhrase = ({ id, owner, ownerId }: AuditEvents["webhook.created"]): string =>
  `webhook ${id} of the ${owner}${ownerId === null ? "" : ` ${ownerId}`}`;

const newValue = (value: boolean | number | string | null | undefined): string => {
  if (value === undefined) return "";
  return value === null ? " back to its default" : ` to ${value}`;
};

/** All names of audit events with their labels. */
export const EVENT_LABELS: readonly Readonly<{ name: AuditName; label: string }>[] = (
  Object.keys(WORDS) as AuditName[]
).map((name) => ({ name, label: WORDS[name].label }));

export const isAuditName = (name: string): name is AuditName => Object.hasOwn(WORDS, name);

/** Returns the label of an audit event, or its name when another version recorded the event. */
export const labelOf = (name: string): string => (isAuditName(name) ? WORDS[name].label : name);

/**
 * Returns the sentence of an audit event, with the placeholders `{user}` and `{application}`, or its name
 * when another version recorded the event.
 */
export function describeEvent(name: string, details: string): string {
  if (!isAuditName(name)) return name;
  // The catalog defines the type of the details that `record` stores, so the details match the name.
  const { sentence } = WORDS[name] as Words<AuditName>;
  try {
    return sentence(JSON.parse(details) as never);
  } catch {
    return name;
  }
}
