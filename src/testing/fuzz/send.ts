import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { ORIGIN } from "../authorization.ts";
import type { FuzzedRequest } from "./request.ts";

/** The valid values that replace the names in braces when a request is sent. */
export type LiveValues = Readonly<Record<string, string>>;

type Pair = FuzzedRequest["body"][number];

const filled = (text: string, live: LiveValues): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => live[name] ?? whole);

/**
 * Returns a percent-encoded text, as in a form. An unpaired surrogate becomes bytes that are invalid UTF-8.
 */
const percent = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%EF%BF%BD", "%ED%A0%80");

function written({ name, value, encoding }: Pair, live: LiveValues): string {
  const full = filled(value, live);
  switch (encoding) {
    case "percent":
      return `${percent(name)}=${percent(full)}`;
    case "none":
      return `${name}=${full}`;
    case "twice":
      return `${percent(name)}=${percent(percent(full))}`;
    case "broken":
      return `${percent(name)}=${percent(full)}%zz`;
    case "bytes":
      return `${percent(name)}=%ff%fe${percent(full)}`;
    case "overlong":
      return `${percent(name)}=%c0%af${percent(full)}%e2%82`;
  }
}

const form = (pairs: readonly Pair[], live: LiveValues): string =>
  pairs.map((pair) => written(pair, live)).join("&");

/** Returns a JSON object with the members in the order of the pairs; names can be repeated. */
function json(
  pairs: readonly Pair[],
  live: LiveValues,
  read: (text: string, index: number) => unknown,
): string {
  const members = pairs.map(
    ({ name, value }, index) => `${JSON.stringify(name)}:${JSON.stringify(read(filled(value, live), index))}`,
  );
  return `{${members.join(",")}}`;
}

/** The values that an object-relational mapper would interpret as operators. */
const ODD_VALUES = [
  (text: string) => ({ not: text }),
  (text: string) => [text],
  () => null,
  () => 1e308,
  (text: string) => ({ startsWith: text.slice(0, 1), constructor: { prototype: text } }),
];

type Content = Readonly<{ type: string | null; body: string | Uint8Array<ArrayBuffer> }>;

function content(request: FuzzedRequest, live: LiveValues): Content {
  const { body, format } = request;
  const type = "application/x-www-form-urlencoded";
  switch (format) {
    case "form":
      return { type, body: form(body, live) };
    case "json":
      return { type: "application/json; charset=utf-8", body: json(body, live, (text) => text) };
    case "odd_json": {
      const odd = (text: string, index: number) => ODD_VALUES[index % ODD_VALUES.length]?.(text);
      return { type: "application/json", body: json(body, live, odd) };
    }
    case "text":
      return { type: "text/plain", body: form(body, live) };
    case "multipart":
      return { type: "multipart/form-data; boundary=x", body: `--x\r\n\r\n${form(body, live)}\r\n--x--` };
    case "untyped":
      return { type: null, body: new TextEncoder().encode(form(body, live)) };
    case "bytes":
      return { type, body: Uint8Array.from(Buffer.from(form(body, live), "latin1")) };
    case "large":
      return { type, body: `${form(body, live)}&padding=${"x".repeat(70_000)}` };
  }
}

/** Returns the request in the form that a route handler receives. */
export function requestOf(fuzzed: FuzzedRequest, live: LiveValues): Request {
  const { method, path } = fuzzed.target;
  const headers = new Headers();
  for (const [name, value] of fuzzed.headers) headers.append(name, filled(value, live));
  const query = form(fuzzed.query, live);
  const url = `${ORIGIN}${path}${query === "" ? "" : `?${query}`}`;
  if (method !== "POST") return new Request(url, { method, headers });
  const { type, body } = content(fuzzed, live);
  if (type !== null) headers.set("content-type", type);
  return new Request(url, { method, headers, body });
}

/** Returns whether an HTTP client can send the header without causing the server to wait for a body. */
const isSendable = (name: string, value: string): boolean =>
  name !== "content-length" && !/[^\t\x20-\x7e\x80-\xff]/.test(value);

/**
 * The maximum size of the headers of a response, as in browsers. A redirect that repeats a whole request
 * would exceed the default limit of `fetch`.
 */
const HEADER_BYTES_MAX = 256 * 1024;

/** Sends the request over HTTP to the server at `origin`, without following redirects. */
export async function sendOverHttp(
  origin: string,
  fuzzed: FuzzedRequest,
  live: LiveValues,
): Promise<Response> {
  const request = requestOf(fuzzed, live);
  const { method } = request;
  const outgoing = httpRequest(origin + request.url.slice(ORIGIN.length), {
    method,
    headers: Object.fromEntries([...request.headers].filter((header) => isSendable(...header))),
    maxHeaderSize: HEADER_BYTES_MAX,
  });
  outgoing.end(Buffer.from(await request.arrayBuffer()));
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const status = incoming.statusCode ?? 0;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const empty = method === "HEAD" || status === 204 || status === 303 || status === 304;
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers });
}
