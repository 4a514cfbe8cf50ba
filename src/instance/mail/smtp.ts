import type { MailConfig } from "@/kernel/config/config";

/** An e-mail as it is sent. */
export type OutgoingMail = Readonly<{
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  date: Date;
  /** The URL at which one request unsubscribes the recipient (RFC 8058). */
  unsubscribeUrl: string | undefined;
}>;

/** A connection to the mail server. The functions throw the errors of the mail library. */
export type MailTransport = Readonly<{
  send: (mail: OutgoingMail) => Promise<void>;
  /** Connects and authenticates, without sending an e-mail. */
  verify: () => Promise<void>;
  close: () => void;
}>;

const TIMEOUT_MS = 20_000;

/** The number of messages that are sent simultaneously. */
export const CONNECTIONS_MAX = 4;

/**
 * Opens a transport to the mail server. The library is loaded now, because processes without a mail server do not need
 * it. Parameters of the URL are options of nodemailer.
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
    // Messages consist of text. A template can never include a file or the response of another server.
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
          // With this header, mail servers do not send automatic replies to the message (RFC 3834 §5).
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
 * A password is sent over TLS only, unless the mail server is on this computer: an attacker on the network could
 * otherwise remove the offer of STARTTLS from the response of the server.
 */
const demandsTls = ({ username, hostname, searchParams }: URL): boolean =>
  username !== "" && !LOCAL_HOSTS.has(hostname) && searchParams.get("ignoreTLS") !== "true";
