/**
 * The e-mails that an instance sends. Messages with `security` inform a user about a change of the account, and cannot be
 * switched off.
 */
export const MAILS = {
  password_reset: { about: "Link to choose a new password", security: true },
  email_confirmation: { about: "Link to confirm an e-mail address", security: true },
  email_changed: { about: "Your e-mail address was changed", security: true },
  password_changed: { about: "Your password was changed", security: true },
} as const satisfies Record<string, Readonly<{ about: string; security: boolean }>>;

export type MailKind = keyof typeof MAILS;
