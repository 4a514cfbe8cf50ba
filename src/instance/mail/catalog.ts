/**
 * The e-mails that an instance sends. E-mails with the property `security` concern the security of an
 * account. Users cannot switch off security e-mails.
 */
export const MAILS = {
  password_reset: { about: "Link to choose a new password", security: true },
  email_confirmation: { about: "Link to confirm an e-mail address", security: true },
  new_sign_in: { about: "Sign-in with a new browser or from a new network", security: true },
  password_changed: { about: "Your password was changed", security: true },
  email_change_requested: { about: "Another e-mail address was requested for your account", security: true },
  email_changed: { about: "Your e-mail address was changed", security: true },
  second_factor_added: { about: "A second factor was added to your account", security: true },
  second_factor_removed: { about: "A second factor was removed from your account", security: true },
  identity_linked: { about: "An account at another provider was linked to your account", security: true },
  identity_unlinked: {
    about: "An account at another provider was unlinked from your account",
    security: true,
  },
  recovery_code_used: { about: "A recovery code of your account was used", security: true },
  recovery_codes_replaced: { about: "Your recovery codes were replaced", security: true },
  personal_token_created: { about: "A personal access token was created for your account", security: true },
  device_authorized: { about: "A device was connected to your account", security: true },
  grant_revoked: { about: "Access was revoked because a token was used twice", security: true },
  account_blocked: { about: "Your account was blocked", security: true },
  approval_requested: { about: "A registration waits for the approval of an administrator", security: true },
  account_approved: { about: "Your registration was approved", security: true },
  account_rejected: { about: "Your registration was rejected", security: true },
  account_deactivated: { about: "Your account was deactivated", security: true },
  account_deletion_requested: { about: "The deletion of your account was requested", security: true },
  account_deleted: { about: "Your account was deleted", security: true },
  invitation: { about: "Invitation to the instance, a group or a project", security: true },
  application_authorized: { about: "You authorized an application for the first time", security: false },
  access_token_expiring: {
    about: "An access token of a project or a group that you manage expires within seven days",
    security: false,
  },
  personal_token_expiring: {
    about: "A personal access token of your account expires within seven days",
    security: false,
  },
} as const satisfies Record<string, Readonly<{ about: string; security: boolean }>>;

export type MailKind = keyof typeof MAILS;

/** Returns the kinds of e-mails that a user can switch off. */
export const optionalMailKinds = (): readonly MailKind[] =>
  (Object.keys(MAILS) as MailKind[]).filter((kind) => !MAILS[kind].security);

export const isMailKind = (name: string): name is MailKind => Object.hasOwn(MAILS, name);
