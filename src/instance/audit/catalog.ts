/** The audit events with their details. The details must not contain secrets. */
export type AuditEvents = {
  "application.registered": { readonly scopes: readonly string[] };
  /** The first request of an unregistered client; `uid` is its `client_id`. */
  "application.admitted": { readonly by: "document" | "registration"; readonly uid: string };
  "application.changed": Record<never, never>;
  /**
   * A change by an unregistered client: new metadata in its document, or an update of its registration.
   * `members` contains the names of the changed members of the metadata (RFC 7591 §2).
   */
  "application.metadata_changed": {
    readonly by: "document" | "registration";
    readonly members: readonly string[];
  };
  /** `method` is the kind of the signed assertion; null for a client secret. */
  "application.authentication_changed": { readonly method: string | null };
  /** The scopes of the client credentials grant; empty if the grant was turned off. */
  "application.client_credentials_changed": { readonly scopes: readonly string[] };
  "application.removed": { readonly name: string };
  /** The owners before and after the transfer: `@` and a username, or the full path of a group. */
  "application.transferred": { readonly from: string; readonly to: string };
  "application.maintainer_added": { readonly maintainer: string };
  "application.maintainer_removed": { readonly maintainer: string };
  "application.secret_added": { readonly secretId: number };
  "application.secret_removed": { readonly secretId: number };
  "application.logo_changed": { readonly removed: boolean };
  "consent.given": { readonly scopes: readonly string[] };
  "consent.withdrawn": Record<never, never>;
  "token.revoked": { readonly by: "client" | "holder" | "owner" | "operator" };
  "token.family_revoked":
    | { readonly because: "code_replay"; readonly codeId: number }
    | { readonly because: "refresh_reuse" | "personal_token_reuse"; readonly familyId: number };
  /** The revocation of all grants and personal access tokens of a user. */
  "access.revoked": {
    readonly because: "password_changed" | "password_reset" | "blocked" | "deleted";
    readonly grants: number;
    readonly personalTokens: number;
  };
  "device.approved": { readonly scopes: readonly string[] };
  "device.denied": { readonly reported: boolean };
  "sign_in.succeeded": { readonly address: string };
  "sign_in.failed": { readonly address: string };
  "sign_in.confirmed": { readonly address: string };
  "sign_in.second_factor_failed": { readonly address: string };
  "password_reset.requested": { readonly address: string };
  "password_reset.completed": { readonly address: string };
  /**
   * `provider` is the name of the external identity provider with which a user signed in for the first time.
   */
  "user.registered": { readonly address: string; readonly provider?: string };
  "identity_provider.created": IdentityProvider;
  "identity_provider.changed": IdentityProvider;
  "identity_provider.removed": IdentityProvider;
  /**
   * `by` is the reason for which the account was linked: a confirmation of the signed-in user, the verified
   * e-mail address, or the creation of a new account.
   */
  "identity.linked": Linked & { readonly by: "user" | "email" | "new_account" };
  "identity.unlinked": Linked;
  /**
   * An external identity provider confirmed the identity of the user. The sign-in may still require a second
   * factor.
   */
  "provider_sign_in.verified": { readonly address: string; readonly provider: string };
  "provider_sign_in.refused": {
    readonly address: string;
    readonly provider: string;
    readonly reason: string;
  };
  "two_factor.enabled": Record<never, never>;
  "two_factor.disabled":
    | { readonly by: "owner" | "operator" }
    | { readonly by: "administrator"; readonly administratorId: number };
  "totp.enrolled": Record<never, never>;
  "passkey.added": { readonly name: string };
  "passkey.removed": { readonly name: string };
  "recovery_code.used": { readonly left: number };
  "recovery_codes.renewed": Record<never, never>;
  "impersonation_token.created": { readonly scopes: readonly string[] };
  "impersonation_token.revoked": Record<never, never>;
  "personal_token.created": { readonly scopes: readonly string[] };
  "personal_token.rotated": Record<never, never>;
  "personal_token.revoked": Record<never, never>;
  /**
   * The last attempt to send a logout token; `status` is the status of the response, or null without a
   * response.
   */
  "logout_token.delivered": { readonly attempts: number; readonly status: number | null };
  "logout_token.failed": { readonly attempts: number; readonly status: number | null };
  "session.ended": { readonly count: number };
  "profile.changed": {
    readonly fields: readonly ("name" | "private_profile" | "email" | "password" | "avatar")[];
  };
  "email_change.requested": Record<never, never>;
  "email_change.canceled": Record<never, never>;
  "email.confirmed": Record<never, never>;
  "user.created": { readonly admin: boolean };
  "user.changed": {
    readonly fields: readonly ("username" | "email" | "name" | "private_profile" | "password")[];
  };
  "user.blocked": Record<never, never>;
  "user.unblocked": Record<never, never>;
  "invitation.created": Invited;
  "invitation.changed": Invited;
  "invitation.revoked": Invited;
  "invitation.accepted": Invited;
  "profile.exported": Record<never, never>;
  "user.deactivated": Record<never, never>;
  /** `by` is `owner` if the user became active again by signing in. */
  "user.activated": { readonly by: "owner" | "administrator" };
  "user.approved": Record<never, never>;
  /** The username of the rejected user, whose account is deleted. */
  "user.rejected": { readonly username: string };
  "user.deletion_requested": { readonly hard: boolean; readonly by: "owner" | "administrator" };
  "user.deletion_canceled": Record<never, never>;
  /** The username of the deleted user, so that the audit trail still names the user. */
  "user.deleted": { readonly username: string; readonly hard: boolean };
  "user.admin_changed": { readonly admin: boolean };
  "application.blocked": Record<never, never>;
  "application.unblocked": Record<never, never>;
  "application.trust_changed": { readonly trusted: boolean };
  "application.resource_identifiers_changed": { readonly identifiers: readonly string[] };
  "application.resource_server_changed": { readonly resourceServer: boolean };
  /**
   * `uncovered` is set if only those grants were revoked that have a scope which the application no longer
   * has.
   */
  "application.tokens_revoked": { readonly uncovered?: true };
  /**
   * `to` contains the new values of settings. A null value means that the setting was reset to its default.
   */
  "setting.changed": {
    readonly keys: readonly string[];
    readonly to?: Readonly<Record<string, boolean | number | string | null>>;
  };
  "flag.changed": { readonly name: string; readonly enabled: boolean | null };
  "group.created": Place;
  "group.changed": Place;
  /** `applications` is the number of deleted applications of the group and of its descendants. */
  "group.removed": Place & { readonly applications?: number };
  "project.created": Place;
  "project.changed": Place;
  "project.removed": Place;
  /** `path` is the new path, and `from` is the earlier path. */
  "project.transferred": Place & { readonly from: string };
  "approval_rule.created": Rule;
  "approval_rule.changed": Rule;
  "approval_rule.removed": Rule;
  "protected_branch.created": ProtectedBranch;
  "protected_branch.changed": ProtectedBranch;
  "protected_branch.removed": Place & { readonly name: string };
  /** `more` is the number of references that the push changed and that the event does not list. */
  "repository.pushed": Place & {
    readonly references: readonly {
      readonly ref: string;
      readonly before: string;
      readonly after: string;
    }[];
    readonly more: number;
  };
  "merge_request.merged": Place & {
    readonly iid: number;
    readonly sourceBranch: string;
    readonly targetBranch: string;
    readonly commit: string;
    /** The head of the target branch before the merge; undefined if the merge did not move the branch. */
    readonly before?: string;
  };
  "webhook.created": Webhook;
  "webhook.changed": Webhook;
  "webhook.removed": Webhook;
  "merge_request.approved": Approval;
  "merge_request.unapproved": Approval;
  /**
   * The removal of invalid approvals after a push, or after a change of the target branch. `committer` means
   * that the approvers count as committers after a push. `path` is the path of the project.
   */
  "merge_request.approvals_removed": Place & {
    readonly iid: number;
    readonly cause: "push" | "committer" | "target_changed";
    readonly approvals: readonly {
      readonly userId: number;
      readonly username: string;
      readonly commit: string;
    }[];
  };
  "member.added": Membership;
  "member.changed": Membership;
  "member.removed": Membership;
  /** The creation of a project or group access token; `userId` of the event is the id of the bot. */
  "access_token.created": Membership & { readonly scopes: readonly string[] };
  "deploy_token.created": DeployToken;
  "deploy_token.revoked": DeployToken;
  "error_tracking.changed": Place & { readonly active: boolean; readonly integrated: boolean };
  "client_key.created": Place & { readonly keyId: number };
  "client_key.removed": Place & { readonly keyId: number };
  "error_comment.created": ErrorComment;
  "error_comment.removed": ErrorComment;
  "runner.created": Runner;
  "runner.changed": Runner;
  "runner.removed": Runner;
  "runner.token_reset": Runner;
  "runner.assigned": Runner & { readonly path: string };
  "runner.unassigned": Runner & { readonly path: string };
  /** `path` is the path of the project. */
  "package.file_published": PublishedFile & { readonly sha256: string; readonly replaced: boolean };
  "package.file_removed": PublishedFile;
  "package.removed": Place & { readonly name: string; readonly version: string };
  "managed_license.added": Place & { readonly name: string; readonly status: string };
  "managed_license.changed": Place & { readonly name: string; readonly status: string };
  "managed_license.removed": Place & { readonly name: string };
  "license_policy.created": LicensePolicy;
  "license_policy.changed": LicensePolicy;
  "license_policy.removed": LicensePolicy;
  "license_policy.converted": LicensePolicy & { readonly allowed: number; readonly denied: number };
  "geo_site.created": Site;
  "geo_site.changed": Site;
  "geo_site.removed": Site;
  /** The number of audit events that an earlier version recorded and that were added to the hash chain. */
  "audit_trail.chained": { readonly events: number };
  "keys.rotated": { readonly kid: string };
  /** The removal of a signing key from the JWK Set before the tokens that the key signed have expired. */
  "keys.withdrawn": { readonly kid: string };
  "secret.rotation_started": Record<never, never>;
  "secret.switched": Record<never, never>;
  "secret.retired": Record<never, never>;
  /** `to` is the folder or the URL of the backup, and `secret` is whether the backup contains the secret. */
  "backup.created": { readonly to: string; readonly secret: boolean };
  "backup.removed": { readonly from: string; readonly backups: number };
  /** The restore of a backup, recorded in the restored database. The time and the version are of the backup. */
  "backup.restored": { readonly from: string; readonly createdAt: string; readonly version: string };
  /** The removal of expired data by the command line; the scheduled removal is not recorded. */
  "data.pruned": { readonly removed: Readonly<Record<string, number>> };
  "storage.migrated": {
    readonly to: "s3" | "folder";
    readonly copied: number;
    readonly present: number;
    readonly failed: number;
  };
  /** The display of an unsent e-mail with its valid links. */
  "mail.shown": { readonly mailId: number; readonly kind: string; readonly recipient: string };
  /** `project` is the project that the input of the MCP tool names: an id or a path. */
  "mcp.tool_called": { readonly tool: string; readonly project: string | null };
  "registry.certificate_made": Record<never, never>;
  "registry.repository_removed": Place;
  "registry.tags_removed": Place & { readonly tag: string | null };
};

/** A project or a group, with its path at the time of the event. */
type Place = { readonly id: number; readonly path: string };
/** `path` is the path of the project. */
type Rule = Place & { readonly ruleId: number; readonly name: string; readonly approvalsRequired: number };
/** `path` is the path of the project; `commit` is the head commit that was approved. */
type Approval = Place & { readonly iid: number; readonly commit: string };
/**
 * `path` is the path of the project; the access levels are the numbers of roles, and 0 means that no role has
 * access.
 */
type ProtectedBranch = Place & {
  readonly name: string;
  readonly pushAccessLevel: number;
  readonly mergeAccessLevel: number;
  readonly allowForcePush: boolean;
};
/** `path` is the path of the project. */
type ErrorComment = Place & {
  readonly errorId: number;
  readonly commentId: number;
  readonly authorId: number;
};
/** The owner of a webhook; `ownerId` is null for a webhook of the instance. */
type Webhook = {
  readonly id: number;
  readonly owner: "instance" | "group" | "project" | "application";
  readonly ownerId: number | null;
};
/** `to` names the instance, or a project or a group with its path. */
type Invited = { readonly email: string; readonly to: string };
type Site = { readonly id: number; readonly name: string };
/** `provider` is the name of the external identity provider. */
type IdentityProvider = {
  readonly provider: string;
  readonly issuer: string;
  readonly enabled: boolean;
  readonly linksByEmail: boolean;
  readonly createsAccounts: boolean;
};
/** `account` is the e-mail address or username at the external identity provider. */
type Linked = { readonly provider: string; readonly account: string };
/** `path` is the path of the project. */
type LicensePolicy = Place & { readonly policyId: number; readonly name: string };
type Runner = { readonly id: number; readonly kind: string };
type PublishedFile = Place & { readonly name: string; readonly version: string; readonly file: string };
type DeployToken = Place & {
  readonly kind: "project" | "group";
  readonly tokenId: number;
  readonly scopes: readonly string[];
};
type Membership = Place & { readonly kind: "project" | "group"; readonly role: string };

export type AuditName = keyof AuditEvents;
