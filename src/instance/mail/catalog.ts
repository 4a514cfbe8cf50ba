/** The e-mails that an instance sends. */
export const MAILS = {
  password_reset: { about: "Reset of a password" },
} as const satisfies Record<string, Readonly<{ about: string }>>;

export type MailKind = keyof typeof MAILS;
