/**
 * The e-mails that an instance sends. Messages with `security` inform a user about a change of the account, and cannot be
 * switched off.
 */
export const MAILS = {
  password_reset: { about: "Link to choose a new password", security: true },
  password_changed: { about: "Your password was changed", security: true },
} as const satisfies Record<string, Readonly<{ about: string; security: boolean }>>;

export type MailKind = keyof typeof MAILS;
