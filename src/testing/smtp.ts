import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterThisFile } from "./release.ts";

/** An e-mail that the SMTP server of a test received. */
export type ReceivedMail = Readonly<{
  from: string;
  to: readonly string[];
  /** The e-mail message as it was sent. */
  raw: string;
  /** The headers, unfolded, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The decoded plain text. */
  text: string;
  /** The decoded HTML. */
  html: string;
}>;

/** Starts an SMTP server on this computer. The server is closed after the test file. */
export async function startMailServer(
  options: SMTPServerOptions = {},
): Promise<Readonly<{ port: number; url: string; received: readonly ReceivedMail[] }>> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map((recipient) => recipient.address),
          ...parseMail(Buffer.concat(chunks).toString("utf8")),
        });
        done();
      });
    },
    ...options,
  });
  // Some tests contain a client that ends its connection early.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  afterThisFile(() => new Promise<void>((closed) => server.close(() => closed())));
  const bound = server.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return { port, url: `smtp://127.0.0.1:${port}`, received };
}

/** Searches the links of an e-mail, and returns the first link that contains the text `part`. */
export function linkIn({ text }: Pick<ReceivedMail, "text">, part: string): string {
  const link = text.match(/https?:\/\/\S+/g)?.find((url) => url.includes(part));
  if (link === undefined) throw new Error(`The e-mail has no link with ${part}:\n${text}`);
  return link;
}

function parseMail(raw: string): Pick<ReceivedMail, "raw" | "headers" | "text" | "html"> {
  const { headers, body } = partOf(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.trimStart()));
  const decoded = (type: string): string => {
    const part = parts.find((candidate) => candidate.headers["content-type"]?.startsWith(type));
    return part === undefined
      ? ""
      : decodedBody(part.body, part.headers["content-transfer-encoding"] ?? "7bit");
  };
  return { raw, headers, text: decoded("text/plain"), html: decoded("text/html") };
}

function partOf(text: string): Readonly<{ headers: Readonly<Record<string, string>>; body: string }> {
  const end = text.indexOf("\r\n\r\n");
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { headers: Object.fromEntries(headers), body: text.slice(end + 4) };
}

function decodedBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body.replaceAll("\r\n", "\n");
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
