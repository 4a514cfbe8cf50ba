import type { IncomingMessage, ServerResponse } from "node:http";
import { pathOf } from "./request-path.ts";

/** The response body of GitLab's API for a method that a path does not support. */
export const API_METHOD_NOT_ALLOWED = JSON.stringify({ error: "405 Not Allowed" });

const API = /^\/api\/(?:v4|v5|graphql)(?:\/|$)/i;

export const isApiPath = (path: string): boolean => API.test(path);

/**
 * Adds a body to an empty 405 response of Next for a path of the API. The middleware of Next sends the
 * headers before it ends the response, so the function intercepts both steps.
 */
export function describeRefusedMethod(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (!isApiPath(pathOf(incoming.url ?? "")) || incoming.method === "HEAD") return;
  const writeHead = outgoing.writeHead.bind(outgoing);
  const end = outgoing.end.bind(outgoing);
  let isEmpty405 = false;
  const prepare = (status: number): void => {
    isEmpty405 = status === 405 && !outgoing.hasHeader("content-type");
    if (isEmpty405) outgoing.setHeader("content-type", "application/json");
  };
  outgoing.writeHead = ((...head: Parameters<typeof writeHead>) => {
    if (!outgoing.headersSent && !isEmpty405) prepare(head[0]);
    return writeHead(...head);
  }) as typeof outgoing.writeHead;
  outgoing.end = ((...args: readonly unknown[]) => {
    if (!outgoing.headersSent) prepare(outgoing.statusCode);
    const hasChunk = args[0] !== undefined && args[0] !== null && typeof args[0] !== "function";
    return isEmpty405 && !hasChunk ? end(API_METHOD_NOT_ALLOWED) : end(...(args as Parameters<typeof end>));
  }) as typeof outgoing.end;
}
