import type { LookupAddress } from "node:dns";
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { PRODUCT_NAME } from "../config/product.ts";
import { inOutboundSpan } from "../tracing/tracing.ts";
import {
  type AllowedAddresses,
  allowedAddressesOf,
  isLoopbackAddress,
  type ResolveHost,
  resolveHost,
} from "./outbound-address.ts";
import { OutboundRequestError } from "./outbound-error.ts";

/** The limits of a request to a URL that a user or a client has chosen. */
type Limits = Readonly<{
  /** The maximum duration of the whole request, with name resolution, redirects and the body of the response. */
  deadlineMs: number;
  /** The maximum size of the body of the response. */
  bytesMax: number;
  /**
   * Specifies which URLs with the scheme http are allowed: no URL, URLs of loopback addresses, or all; by
   * default no URL.
   */
  http?: "never" | "loopback" | "always";
  /** The allowed IP addresses; by default, only public IP addresses. */
  allow?: AllowedAddresses;
  /** The request headers. After a redirect to another origin, only `accept` is sent. */
  headers?: Readonly<Record<string, string>>;
  /** The resolver of host names; by default, the resolver of the operating system. */
  resolve?: ResolveHost;
}>;

/** A request to a URL that a user or a client has chosen. The redirects of a POST request are not followed. */
export type OutboundRequest = Limits &
  (
    | Readonly<{ method: "GET"; redirectsMax: number }>
    | Readonly<{ method: "POST"; body: string | Uint8Array }>
  );

/** The response to an outbound request. Redirects are returned only for POST requests. */
export type OutboundResponse = Readonly<{
  status: number;
  headers: Headers;
  body: Uint8Array;
  /** The URL of the response, after all redirects. */
  url: URL;
}>;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Sends a request to a URL that a user or a client has chosen, and returns the response. The request connects
 * only to public IP addresses and to the IP addresses that the caller allows, even after redirects. The
 * request uses no proxy, no cookies and no credentials of the URL, and requests an uncompressed response.
 * @throws OutboundRequestError with the reason if the URL, an IP address, a redirect or the response is
 * refused, or if the server does not respond before the deadline.
 */
export const sendOutboundRequest = (url: URL, options: OutboundRequest): Promise<OutboundResponse> =>
  inOutboundSpan(options.method, url, (headers) =>
    sendWithinDeadline(url, { ...options, headers: { ...headers, ...options.headers } }),
  );

async function sendWithinDeadline(url: URL, options: OutboundRequest): Promise<OutboundResponse> {
  const abort = new AbortController();
  const deadline = new OutboundRequestError("deadline", `No response within ${options.deadlineMs} ms.`);
  const timer = setTimeout(() => abort.abort(deadline), options.deadlineMs);
  const expired = new Promise<never>((_, reject) =>
    abort.signal.addEventListener("abort", () => reject(deadline), { once: true }),
  );
  try {
    // A lookup of a host name cannot be aborted, so the function stops waiting at the deadline.
    return await Promise.race([expired, followRedirects(url, options, abort.signal)]);
  } catch (cause) {
    if (cause instanceof OutboundRequestError) throw cause;
    throw new OutboundRequestError("unreachable", "The server cannot be reached.", cause);
  } finally {
    clearTimeout(timer);
    abort.abort(deadline);
  }
}

async function followRedirects(
  first: URL,
  options: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const redirectsMax = options.method === "GET" ? options.redirectsMax : 0;
  let url = first;
  let headers = options.headers ?? {};
  for (let redirects = 0; ; redirects += 1) {
    const addresses = await connectableAddresses(url, options);
    const response = await exchange({ url, addresses, headers, options, signal });
    const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
    if (options.method === "POST" || location === null) return response;
    if (redirects >= redirectsMax)
      throw new OutboundRequestError("too_many_redirects", `More than ${redirectsMax} redirects.`);
    if (!URL.canParse(location, url.href))
      throw new OutboundRequestError("invalid_url", "The redirect contains no valid URL.");
    const next = new URL(location, url);
    if (next.origin !== url.origin) headers = acceptOnly(headers);
    url = next;
  }
}

const acceptOnly = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === "accept"));

/** @throws OutboundRequestError if the URL or one of its IP addresses is refused. */
async function connectableAddresses(
  url: URL,
  { http = "never", allow = {}, resolve = resolveHost }: OutboundRequest,
): Promise<readonly LookupAddress[]> {
  if (url.protocol !== "https:" && (url.protocol !== "http:" || http === "never"))
    throw new OutboundRequestError("invalid_url", "The URL must use https.");
  if (url.username !== "" || url.password !== "")
    throw new OutboundRequestError("invalid_url", "The URL must not contain credentials.");
  const addresses = await allowedAddressesOf(url, allow, resolve);
  const isLoopback = addresses.every((resolved) => isLoopbackAddress(resolved.address));
  if (url.protocol === "http:" && http === "loopback" && !isLoopback)
    throw new OutboundRequestError("invalid_url", "The URL must use https.");
  return addresses;
}

type Exchange = Readonly<{
  url: URL;
  addresses: readonly LookupAddress[];
  headers: Readonly<Record<string, string>>;
  options: OutboundRequest;
  signal: AbortSignal;
}>;

/**
 * Sends one request to one of the checked IP addresses, and returns the response without following a
 * redirect.
 */
function exchange({ url, addresses, headers, options, signal }: Exchange): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const isTls = url.protocol === "https:";
    const settings = {
      method: options.method,
      headers: {
        "user-agent": PRODUCT_NAME,
        ...headers,
        "accept-encoding": "identity",
        ...(options.method === "POST" ? { "content-length": Buffer.byteLength(options.body) } : {}),
      },
      lookup: fixedLookup(addresses),
      signal,
    };
    // The request has its own agent, so that it neither uses a proxy from the environment nor reuses a
    // connection to an unchecked IP address.
    const request: ClientRequest = isTls
      ? httpsRequest(url, { ...settings, agent: new HttpsAgent({ rejectUnauthorized: true }) })
      : httpRequest(url, { ...settings, agent: new HttpAgent() });
    request.on("error", reject);
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new OutboundRequestError("unreachable", "The server tried to switch to another protocol."));
    });
    request.on("response", (response) => {
      readResponse(response, options.bytesMax).then(
        ({ responseHeaders, body }) =>
          resolve({ status: response.statusCode ?? 0, headers: responseHeaders, body, url }),
        (cause: unknown) => {
          request.destroy();
          reject(cause);
        },
      );
    });
    request.end(options.method === "POST" ? options.body : undefined);
  });
}

/** Returns a lookup function that returns the checked IP addresses for every host name. */
const fixedLookup =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };

/**
 * @throws OutboundRequestError if the body is compressed or too large; the error of the stream if the body
 * ends early.
 */
async function readResponse(
  response: IncomingMessage,
  bytesMax: number,
): Promise<Readonly<{ responseHeaders: Headers; body: Uint8Array }>> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  // A compressed body could expand to a multiple of the limit. The request accepts only an uncompressed body.
  if (encoding.toLowerCase() !== "identity")
    throw new OutboundRequestError("compressed", "The response is compressed, which is not supported.");
  const tooLarge = () =>
    new OutboundRequestError("too_large", `The response has more than ${bytesMax} bytes.`);
  if (Number(response.headers["content-length"] ?? 0) > bytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  const responseHeaders = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) responseHeaders.append(name, value);
  return { responseHeaders, body: Buffer.concat(chunks, bytes) };
}
