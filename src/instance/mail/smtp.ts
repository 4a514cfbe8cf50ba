import type { MailConfig } from "@/kernel/config/config";

/** The fields of an e-mail that is sent to the mail server. */
export type OutgoingMail = Readonly<{
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  date: Date;
  /** The URL to which a mail program sends one request to unsubscribe the recipient (RFC 8058). */
  unsubscribeUrl: string | undefined;
}>;

/** A connection to the mail server. The functions of the connection throw the errors of the mail library. */
export type MailTransport = Readonly<{
  send: (mail: OutgoingMail) => Promise<void>;
  /** Connects to the mail server and authenticates, without sending an e-mail. */
  verify: () => Promise<void>;
  close: () => void;
}>;

const TIMEOUT_MS = 20_000;

/** The maximum number of messages that are sent simultaneously. */
export const CONNECTIONS_MAX = 4;

/**
 * Opens a connection to the mail server with nodemailer. The library nodemailer is loaded only here, because
 * processes without a mail server do not need it. The parameters of the mail server's URL are options of
 * nodemailer.
 */
export async function openTransport({ url, from }: MailConfig): Promise<MailTransport> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url,
    requireTLS: demandsTls(new URL(url)),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // The options prevent nodemailer from reading the content of a message from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text, html, messageId, date, unsubscribeUrl }) => {
      await transport.sendMail({
        from,
        to: { name: "", address: to },
        envelope: { from: from.address, to: [to] },
        subject,
        text,
        html,
        messageId,
        date,
        headers: {
          // The header `Auto-Submitted` prevents automatic replies to the message (RFC 3834 §5).
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl === undefined
            ? {}
            : {
                "List-Unsubscribe": `<${unsubscribeUrl}>`,
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
              }),
        },
      });
    },
    verify: async () => {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns whether the connection must use TLS. Only a mail server on this computer may receive a password
 * without TLS. On a network, an attacker could remove STARTTLS from the response of the mail server, and
 * intercept the password.
 */
const demandsTls = ({ username, hostname, searchParams }: URL): boolean =>
  username !== "" && !LOCAL_HOSTS.has(hostname) && searchParams.get("ignoreTLS") !== "true";
