import type { AuditEvents } from "@/instance/audit/catalog";
import { counted, type EventLabels, listed } from "./event-label";

/** The descriptions of the audit events of users and their sign-in. */
export const IDENTITY_EVENTS: EventLabels<
  | "sign_in"
  | "password_reset"
  | "user"
  | "identity_provider"
  | "identity"
  | "provider_sign_in"
  | "two_factor"
  | "totp"
  | "passkey"
  | "recovery_code"
  | "recovery_codes"
  | "profile"
  | "email_change"
  | "email"
  | "session"
  | "access"
> = {
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
    sentence: () => "confirmed the e-mail address with a link",
  },
  "session.ended": {
    label: "Sessions ended",
    sentence: ({ count }) => `ended ${count === 1 ? "a session" : `${count} sessions`} in other browsers`,
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
    label: "Password reset with a link",
    sentence: ({ address: ipAddress }) => `set a new password with a reset link, from ${ipAddress}`,
  },
  "user.registered": {
    label: "User registered",
    sentence: ({ address: ipAddress, provider }) =>
      `registered an account from ${ipAddress}${provider === undefined ? "" : ` by signing in with ${provider}`}`,
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
    sentence: ({ left }) => `used a recovery code (recovery codes left: ${left})`,
  },
  "recovery_codes.renewed": {
    label: "Recovery codes replaced",
    sentence: () => "replaced their recovery codes",
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
    label: "User deletion requested",
    sentence: ({ hard, by }) =>
      by === "owner"
        ? "requested the deletion of the account"
        : `requested the deletion of {user}${hard ? " with all contributions" : ""}`,
  },
  "user.deletion_canceled": {
    label: "User deletion canceled",
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
};

const LINKED_BY = {
  user: "",
  email: " by its verified e-mail address",
  new_account: " to a new account",
} as const;

const ACCESS_REVOKED = {
  password_changed: "changed the password",
  password_reset: "reset the password",
  blocked: "blocked the account",
  deleted: "requested the deletion of the account",
} as const satisfies Record<AuditEvents["access.revoked"]["because"], string>;

const FACTOR_REMOVED_BY = {
  owner: "removed their second factor",
  operator: "removed the second factor of {user}",
  administrator: "removed the second factor of {user}",
} as const satisfies Record<AuditEvents["two_factor.disabled"]["by"], string>;
