import type { MailKind } from "@/instance/mail/catalog";

/** The text of a notice. */
type Template = Readonly<{ subject: string; paragraph: string }>;

/** The texts of the notices that inform a user about an event of the account. */
export const NOTICES = {
  password_changed: {
    subject: "Your password was changed",
    paragraph: "The password of your account was changed.",
  },
  email_changed: {
    subject: "Your e-mail address was changed",
    paragraph: "Your account has a new e-mail address. This message was sent to the previous one.",
  },
} as const satisfies Partial<Record<MailKind, Template>>;

export type NoticeKind = keyof typeof NOTICES;
