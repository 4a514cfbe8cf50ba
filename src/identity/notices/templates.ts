import type { MailKind } from "@/instance/mail/catalog";

/** The text of a notice. */
type Template = Readonly<{ subject: string; paragraph: string }>;

/** The texts of the notices that inform a user about an event of the account. */
export const NOTICES = {
  new_sign_in: {
    subject: "New sign-in to your account",
    paragraph: "Someone signed in to your account with a new browser or from a new network.",
  },
  password_changed: {
    subject: "Your password was changed",
    paragraph: "The password of your account was changed.",
  },
  email_change_requested: {
    subject: "Another e-mail address was requested for your account",
    paragraph:
      "Someone entered your password and requested another e-mail address for your account. After the new e-mail address is confirmed, it replaces this e-mail address. To cancel the request, reset your password by e-mail.",
  },
  email_changed: {
    subject: "Your e-mail address was changed",
    paragraph: "Your account has a new e-mail address. This message was sent to the previous e-mail address.",
  },
  second_factor_added: {
    subject: "A second factor was added to your account",
    paragraph: "A second factor was added to your account.",
  },
  second_factor_removed: {
    subject: "A second factor was removed from your account",
    paragraph: "A second factor was removed from your account.",
  },
  identity_linked: {
    subject: "An account at another provider was linked to your account",
    paragraph:
      "An account at another provider was linked to your account, so you can sign in with the linked account.",
  },
  identity_unlinked: {
    subject: "An account at another provider was unlinked from your account",
    paragraph:
      "An account at another provider was unlinked from your account, so you can no longer sign in with the unlinked account.",
  },
  recovery_code_used: {
    subject: "A recovery code of your account was used",
    paragraph:
      "A recovery code of your account was used as the second factor. Each recovery code works once.",
  },
  recovery_codes_replaced: {
    subject: "Your recovery codes were replaced",
    paragraph: "Your account has new recovery codes. The previous recovery codes no longer work.",
  },
  personal_token_created: {
    subject: "A personal access token was created for your account",
    paragraph: "A personal access token was created for your account.",
  },
  device_authorized: {
    subject: "A device was connected to your account",
    paragraph:
      "A device has access to your account, because someone entered the code of the device and allowed the access.",
  },
  grant_revoked: {
    subject: "Access was revoked because a token was used twice",
    paragraph:
      "An authorization code or token of a program was used a second time, so someone may have stolen the code or token. All access that was granted with this authorization code or token is revoked. Connect the program to your account again.",
  },
  account_blocked: {
    subject: "Your account was blocked",
    paragraph:
      "An administrator blocked your account. Your sessions have ended, and your tokens are revoked. If you need the account, contact an administrator.",
  },
  account_deactivated: {
    subject: "Your account was deactivated",
    paragraph:
      "Your account was deactivated because it was not in use. Your sessions have ended, and your tokens do not work. To activate the account again, sign in.",
  },
  account_deletion_requested: {
    subject: "Your account will be deleted",
    paragraph:
      "You asked to delete your account. You are signed out, and your tokens do not work. To keep your account, sign in before the date below, and select “Keep my account”.",
  },
  application_authorized: {
    subject: "You authorized an application",
    paragraph: "You allowed an application to access your account for the first time.",
  },
  access_token_expiring: {
    subject: "An access token of a project or a group expires soon",
    paragraph:
      "An access token of a project or a group that you manage expires within seven days. Programs that use the token then lose their access. Rotate the token before it expires, under Settings › Access tokens of the project or group.",
  },
  personal_token_expiring: {
    subject: "A personal access token of your account expires soon",
    paragraph:
      "A personal access token of your account expires within seven days. Programs that use the token then lose their access. Before the token expires, rotate the token or create a new token under Settings › Personal access tokens.",
  },
} as const satisfies Partial<Record<MailKind, Template>>;

export type NoticeKind = keyof typeof NOTICES;

const EVENTS_OF_OTHERS: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  "grant_revoked",
  "account_blocked",
  "account_deactivated",
  "access_token_expiring",
  "personal_token_expiring",
]);

/** Returns whether the user, or an attacker who acts for the user, can cause the event of a notice. */
export const isCausedByUser = (kind: NoticeKind): boolean => !EVENTS_OF_OTHERS.has(kind);
