import type { IncomingMessage, ServerResponse } from "node:http";
import { depsAreOpen, systemDeps } from "@/kernel/deps/deps.ts";
import { cookieValue } from "@/kernel/http/cookie.ts";
import { type PageFailure, pageFailureOf } from "@/kernel/http/page-status.ts";
import { REQUEST_ID_HEADER } from "@/kernel/http/request-id.ts";
import { themeAttribute } from "@/kernel/http/theme.ts";
import { type Failure, failurePage } from "@/ui/failure-page.tsx";
import { inTheme } from "@/ui/static-page.tsx";

/**
 * The maximum size of forms and server actions. Larger bodies are accepted only by route files, which read
 * the body with `readBody`.
 */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** The headers of Next's response that are replaced. The common headers of all responses are kept. */
const REPLACED_HEADERS = [
  "content-encoding",
  "content-length",
  "content-type",
  "etag",
  "link",
  "transfer-encoding",
  "vary",
];

/**
 * Replaces Next's response when a page could not be rendered. Next responds to every failure with the status
 * 500 and a page that is blank in a browser without scripts. The replacement has the status 503 when the
 * database does not respond, and shows the request ID.
 */
export function replaceFailedPages(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { writeHead, write, end } = outgoing;
  const form = isMultipart(incoming) ? copyBody(incoming) : null;
  let isReplaced = false;

  function replaces(status: number): boolean {
    if (isReplaced) return true;
    const failure = pageFailureOf(outgoing) ?? (form === null ? undefined : "failed");
    if (failure === undefined || outgoing.headersSent || status < 500) return false;
    isReplaced = true;
    void send(failure);
    return true;
  }

  async function send(failure: PageFailure): Promise<void> {
    const isReadable = form === null || (await isReadableForm(incoming, form()));
    const page = await failurePageFor(incoming, isReadable ? failure : "malformed");
    const html = await page.text();
    Object.assign(outgoing, { writeHead, write, end });
    for (const name of REPLACED_HEADERS) outgoing.removeHeader(name);
    for (const [name, value] of page.headers) outgoing.setHeader(name, value);
    outgoing.statusCode = page.status;
    outgoing.end(html);
  }

  Object.assign(outgoing, {
    writeHead: (...args: Parameters<typeof writeHead>) =>
      replaces(args[0]) ? outgoing : writeHead.apply(outgoing, args),
    write: (...args: Parameters<typeof write>) =>
      replaces(outgoing.statusCode) ? true : write.apply(outgoing, args),
    end: (...args: Parameters<typeof end>) =>
      replaces(outgoing.statusCode) ? outgoing : end.apply(outgoing, args),
  });
}

/** Returns the error page of a failed page, with the request ID under which the cause is logged. */
function failurePageFor({ headers }: IncomingMessage, failure: Failure): Promise<Response> {
  const deps = depsAreOpen() ? systemDeps() : null;
  const theme = deps === null ? null : cookieValue(deps.config, headers.cookie ?? null, "theme");
  return inTheme(themeAttribute(theme), () => failurePage(failure, String(headers[REQUEST_ID_HEADER]), deps));
}

const isMultipart = ({ method, headers }: IncomingMessage): boolean =>
  method === "POST" && /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");

/**
 * Copies the body from the events of the HTTP parser, because Next reads the stream itself.
 * @returns a function that returns the received part of the body; null after the body has become larger than
 * the maximum size of a form.
 */
function copyBody(incoming: IncomingMessage): () => readonly Buffer[] | null {
  let chunks: Buffer[] | null = [];
  let bytes = 0;
  const push = incoming.push.bind(incoming);
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    bytes += chunk?.length ?? 0;
    if (bytes > BODY_BYTES_MAX) chunks = null;
    else if (chunk !== null) chunks?.push(chunk);
    return push(chunk, encoding);
  };
  return () => chunks;
}

/**
 * Returns whether the form can be parsed. Next responds to an unreadable form with a server error. The
 * function also returns true if the copy of the form was discarded because of its size.
 */
async function isReadableForm(
  { headers }: IncomingMessage,
  body: readonly Buffer[] | null,
): Promise<boolean> {
  if (body === null) return true;
  const type = { "content-type": headers["content-type"] ?? "" };
  try {
    await new Response(Buffer.concat(body), { headers: type }).formData();
    return true;
  } catch {
    return false;
  }
}
