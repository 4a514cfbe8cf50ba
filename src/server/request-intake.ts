import type { IncomingMessage, ServerResponse } from "node:http";
import type { TrustedProxies } from "@/kernel/config/trusted-proxies.ts";
import { CLIENT_IP_HEADER, resolveClientIp } from "@/kernel/http/ip-address.ts";
import { REQUEST_ID_HEADER, requestIdFrom } from "@/kernel/http/request-id.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { currentSpan, inThisScope, recordRequestId } from "@/kernel/tracing/tracing.ts";
import { type CommonHeaders, IntakeResponse } from "./intake-response.ts";
import { loggablePath } from "./request-log.ts";
import { pathIsPlain, pathOf, readTarget } from "./request-path.ts";
import { endRequestSpan } from "./request-span.ts";
import { RESPONSE_HEADERS } from "./url-table.mjs";

export type IntakeOptions = Readonly<{
  trusted: TrustedProxies;
  /** Whether clients connect to the instance over TLS. */
  secure: boolean;
  /**
   * The public origin of the instance. The host of the public origin replaces a missing `Host` header,
   * because HTTP/1.0 does not require this header.
   */
  issuer: string;
  log: Logger;
}>;

/**
 * The header `Strict-Transport-Security` (RFC 6797). The duration is two years, as preload lists require.
 * Subdomains are not included, because subdomains may belong to other servers.
 */
const STRICT_TRANSPORT_SECURITY: CommonHeaders = { "strict-transport-security": "max-age=63072000" };
const CLOSE: CommonHeaders = { connection: "close" };

/**
 * Prepares every request before a router handles it, both in the server and under Next. The function
 * normalizes the request target, sets the request ID and the IP address of the client, sets the common
 * response headers, and prepares the log line. If a router must not handle the request, the function
 * redirects the request to a route that refuses the request.
 */
export function intakeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { trusted, secure, issuer, log }: IntakeOptions,
): void {
  const startedAt = performance.now();
  const { method } = incoming;
  const { target, host } = readTarget(incoming.url ?? "");
  incoming.url = target;
  const path = pathOf(target);
  if (host !== null) replaceHeader(incoming, "host", host);
  else if (incoming.headers.host === undefined) replaceHeader(incoming, "host", new URL(issuer).host);
  const requestId = requestIdFrom(single(incoming.headers[REQUEST_ID_HEADER]));
  const forwardedFor = single(incoming.headers["x-forwarded-for"]);
  const client = resolveClientIp(incoming.socket.remoteAddress, forwardedFor, trusted);
  replaceHeader(incoming, REQUEST_ID_HEADER, requestId);
  replaceHeader(incoming, CLIENT_IP_HEADER, client);
  const headers: CommonHeaders[] = [{ "x-request-id": requestId }, responseHeaders(path)];
  if (secure) headers.push(STRICT_TRANSPORT_SECURITY);
  if (asksForAnotherProtocol(incoming)) headers.push(CLOSE);
  setCommonHeaders(outgoing, headers);
  recordRequestId(requestId);
  const span = currentSpan();
  const completed = () => {
    log.info({
      event: "http.request",
      method,
      path: loggablePath(path),
      status: outgoing.statusCode,
      milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
      request_id: requestId,
      client,
      aborted: outgoing.writableFinished ? undefined : true,
    });
    if (span !== null) endRequestSpan(span, { method, path, status: outgoing.statusCode, requestId });
  };
  outgoing.on("close", inThisScope(completed));
  if (!pathIsPlain(path)) leadToRefusal(incoming);
  else if (method === "TRACE") incoming.method = UNSUPPORTED_METHOD;
}

/**
 * Returns whether a request asks for an upgrade to a protocol that the server does not support (RFC 9110
 * §7.8). HTTP clients that offer `h2c` continue in HTTP/1.1 on the same connection. Clients of any other
 * protocol, such as WebSocket, cannot use the connection.
 */
function asksForAnotherProtocol({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && headers.upgrade.trim().toLowerCase() !== "h2c";
}

/**
 * A method that no route file supports. The method replaces TRACE, because the class `Request` does not support
 * TRACE. The response to TRACE would contain the credentials of the client, so no resource supports TRACE.
 */
const UNSUPPORTED_METHOD = "PROPFIND";

/** Redirects a request to a route that refuses the request. */
function leadToRefusal(incoming: IncomingMessage): void {
  incoming.method = "GET";
  incoming.url = "/-/bad_request";
}

/** The response headers for each path prefix, including the headers of all shorter matching prefixes. */
const MERGED_HEADERS = RESPONSE_HEADERS.map(({ below }) => ({
  below,
  headers: Object.fromEntries(
    RESPONSE_HEADERS.filter((row) => below.startsWith(row.below)).flatMap(({ headers }) =>
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  ),
})).reverse();

const responseHeaders = (path: string): CommonHeaders =>
  MERGED_HEADERS.find(({ below }) => path.startsWith(below))?.headers ?? {};

function setCommonHeaders(outgoing: ServerResponse, headers: readonly CommonHeaders[]): void {
  if (outgoing instanceof IntakeResponse) outgoing.commonHeaders = headers;
  else
    for (const [name, value] of headers.flatMap((common) => Object.entries(common)))
      outgoing.setHeader(name, value);
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;

/**
 * Replaces both representations of a request header. Next reads the object `headers`, and the web-standard
 * `Request` is built from the list `rawHeaders`.
 */
function replaceHeader(incoming: IncomingMessage, name: string, value: string): void {
  const raw = incoming.rawHeaders;
  for (let index = raw.length - 2; incoming.headers[name] !== undefined && index >= 0; index -= 2)
    if (raw[index]?.toLowerCase() === name) raw.splice(index, 2);
  raw.push(name, value);
  incoming.headers[name] = value;
}
