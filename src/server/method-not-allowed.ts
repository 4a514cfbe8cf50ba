import type { IncomingMessage, ServerResponse } from "node:http";
import { normalizedPathOf } from "@/http-api/versioned.ts";
import { versionOf } from "@/http-api/versions.ts";
import { refusedOAuthMethod } from "@/oauth-endpoints/refused-method.ts";
import { versions } from "./api-versions.ts";
import { pathOf } from "./request-path.ts";
import { isRouteMethod } from "./routes.ts";

type Refusal = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

/** The 405 response of GitLab's API for a method that a path does not support. */
const API_REFUSAL: Refusal = { status: 405, headers: {}, body: JSON.stringify({ error: "405 Not Allowed" }) };

const API = /^\/api\/(?:v4|v5|graphql)(?:\/|$)/i;

/**
 * Returns the status, the headers and the JSON body of the response to a method that the route file of a path
 * does not support. The result is null for a path that is neither a path of the API nor an OAuth endpoint that
 * programs call.
 */
export function refusedMethod(path: string): Refusal | null {
  if (!API.test(path)) {
    const refusal = refusedOAuthMethod(path);
    return refusal && { status: 405, ...refusal };
  }
  const removed = versions.removedPath(versionOf(path), normalizedPathOf(path));
  return removed === null
    ? API_REFUSAL
    : { status: removed.status, headers: removed.headers, body: JSON.stringify(removed.body) };
}

/**
 * Replaces the empty response of Next to a method that the route file does not support. Next responds with 405,
 * or with 400 if no route file can export the method. The middleware of Next sends the headers before it ends
 * the response, so the function intercepts both steps.
 */
export function describeRefusedMethod(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const refusal = refusedMethod(pathOf(incoming.url ?? ""));
  const isSupported = isRouteMethod(incoming.method);
  if (refusal === null && isSupported) return;
  const { status, headers, body } = refusal ?? { status: 405, headers: {}, body: null };
  const hasBody = body !== null && incoming.method !== "HEAD";
  const writeHead = outgoing.writeHead.bind(outgoing);
  const end = outgoing.end.bind(outgoing);
  let isRefused = false;
  const prepare = (statusOfNext: number): void => {
    const isRefusal = statusOfNext === 405 || (statusOfNext === 400 && !isSupported);
    isRefused = isRefusal && !outgoing.hasHeader("content-type");
    if (!isRefused) return;
    outgoing.statusCode = status;
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    if (hasBody) outgoing.setHeader("content-type", "application/json");
  };
  outgoing.writeHead = ((...[statusOfNext, ...rest]: Parameters<typeof writeHead>) => {
    if (!outgoing.headersSent && !isRefused) prepare(statusOfNext);
    return writeHead(isRefused ? status : statusOfNext, ...rest);
  }) as typeof outgoing.writeHead;
  outgoing.end = ((...args: readonly unknown[]) => {
    if (!outgoing.headersSent) prepare(outgoing.statusCode);
    const hasChunk = args[0] !== undefined && args[0] !== null && typeof args[0] !== "function";
    return isRefused && hasBody && !hasChunk ? end(body) : end(...(args as Parameters<typeof end>));
  }) as typeof outgoing.end;
}
