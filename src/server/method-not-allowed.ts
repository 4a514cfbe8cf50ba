import type { IncomingMessage, ServerResponse } from "node:http";
import { refusedOAuthMethod } from "@/oauth-endpoints/refused-method.ts";
import { pathOf } from "./request-path.ts";

type Refusal = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>;

/** The 405 response of GitLab's API for a method that a path does not support. */
const API_REFUSAL: Refusal = { headers: {}, body: JSON.stringify({ error: "405 Not Allowed" }) };

const API = /^\/api\/(?:v4|v5|graphql)(?:\/|$)/i;

/**
 * Returns the headers and the JSON body of the 405 response for a path of the API, or for an OAuth endpoint
 * that programs call; null for any other path.
 */
export const refusedMethod = (path: string): Refusal | null =>
  API.test(path) ? API_REFUSAL : refusedOAuthMethod(path);

/**
 * Adds headers and a body to an empty 405 response of Next for an endpoint that programs call. The middleware
 * of Next sends the headers before it ends the response, so the function intercepts both steps.
 */
export function describeRefusedMethod(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const refusal = refusedMethod(pathOf(incoming.url ?? ""));
  if (refusal === null) return;
  const hasBody = incoming.method !== "HEAD";
  const writeHead = outgoing.writeHead.bind(outgoing);
  const end = outgoing.end.bind(outgoing);
  let isEmpty405 = false;
  const prepare = (status: number): void => {
    isEmpty405 = status === 405 && !outgoing.hasHeader("content-type");
    if (!isEmpty405) return;
    for (const [name, value] of Object.entries(refusal.headers)) outgoing.setHeader(name, value);
    if (hasBody) outgoing.setHeader("content-type", "application/json");
  };
  outgoing.writeHead = ((...head: Parameters<typeof writeHead>) => {
    if (!outgoing.headersSent && !isEmpty405) prepare(head[0]);
    return writeHead(...head);
  }) as typeof outgoing.writeHead;
  outgoing.end = ((...args: readonly unknown[]) => {
    if (!outgoing.headersSent) prepare(outgoing.statusCode);
    const hasChunk = args[0] !== undefined && args[0] !== null && typeof args[0] !== "function";
    return isEmpty405 && hasBody && !hasChunk ? end(refusal.body) : end(...(args as Parameters<typeof end>));
  }) as typeof outgoing.end;
}
