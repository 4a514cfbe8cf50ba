/** The time for which a message is stored. A message that was not sent within this time is never sent. */
export const MAIL_KEPT_MS = 24 * 60 * 60_000;

/**
 * The time for which a process that has claimed a message may send the message. After this time, another
 * process may claim the message.
 */
export const SENDING_MS = 5 * 60_000;

const MINUTE_MS = 60_000;

/** The pauses after the first failed attempts; later attempts use the last pause. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 4 * 60 * MINUTE_MS] as const;

/**
 * Returns the pause after a failed attempt to send a message.
 * @param attempts the number of failed attempts so far, at least 1.
 */
export const pauseAfterAttempts = (attempts: number): number =>
  PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? MINUTE_MS;

/**
 * A failure to send a message. The failure contains no text of the mail server, because a text of the mail
 * server may contain e-mail addresses.
 */
export type MailFailure = Readonly<{
  /**
   * `refused` means that the mail server refuses this message permanently. `message` means that only this
   * message failed and can be sent again. `server` means that every message would fail.
   */
  concerns: "refused" | "message" | "server";
  reason: string;
}>;

/** The error codes of nodemailer that concern only one message, and not the connection. */
const MESSAGE_ERRORS: ReadonlySet<string> = new Set(["EENVELOPE", "EMESSAGE"]);

/**
 * The SMTP status codes for "authentication required" and "authentication credentials invalid" (RFC 4954 §6).
 */
const SIGN_IN_STATUSES: ReadonlySet<number> = new Set([530, 535]);

/**
 * Classifies an error of the mail library. The mail server refuses a message permanently with a status of 500
 * to 599 (RFC 5321 §4.2.1) for the recipient or the content. A refused sender (`MAIL FROM`) or a refused
 * sign-in is an error of the configuration, which affects every message. After an error of the configuration,
 * the messages are sent again later, and are accepted when the operator has corrected the configuration.
 */
export function failureOf(cause: unknown): MailFailure {
  const { code, command, responseCode } = (
    typeof cause === "object" && cause !== null ? cause : {}
  ) as Readonly<{
    code?: unknown;
    command?: unknown;
    responseCode?: unknown;
  }>;
  const name = typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? code : "EUNKNOWN";
  const status = typeof responseCode === "number" ? responseCode : null;
  const reason = status === null ? name : `${status} ${name}`;
  const isConfiguration = command === "MAIL FROM" || (status !== null && SIGN_IN_STATUSES.has(status));
  if (isConfiguration || !MESSAGE_ERRORS.has(name)) return { concerns: "server", reason };
  // An error without a status means that the library refused the e-mail address before it contacted the mail server.
  return { concerns: status === null || status >= 500 ? "refused" : "message", reason };
}

/**
 * Returns the form of an e-mail address that the mail library accepts; null for an e-mail address to which no
 * message is sent. The local part must be a dot-atom (RFC 5321 §4.1.2, RFC 6531 §3.3). The library would
 * interpret other characters, such as a comma, as a list of recipients.
 */
export function deliverableEmail(email: string): string | null {
  const { local, domain } = /^(?<local>[^@]{1,64})@(?<domain>[^@]{1,255})$/.exec(email)?.groups ?? {};
  if (local === undefined || domain === undefined) return null;
  if (!/^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u.test(local) || /^\.|\.\.|\.$/.test(local)) return null;
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || /^[.-]|\.\.|[.-]$/.test(domain)) return null;
  return `${local}@${domain}`;
}
