import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { jsonResponse } from "@/kernel/http/json.ts";
import { requestIdOf } from "@/kernel/http/request-id.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { refusedMethod } from "./method-not-allowed.ts";
import type { Match } from "./routes.ts";

export type MountedListener = (incoming: IncomingMessage, outgoing: ServerResponse, match: Match) => void;

/**
 * The property in which a request stores its route. A `WeakMap` with requests as keys would slow down garbage
 * collection.
 */
const MATCH = Symbol("match");
type Routed = { [MATCH]?: Match };

/**
 * Returns a request listener that calls the matching route file in the same way as Next, without loading
 * Next.
 */
export function mountedListener(log: Logger): MountedListener {
  const listener = getRequestListener((request, { incoming }) => {
    const match = (incoming as Routed)[MATCH];
    return match === undefined ? new Response(null, { status: 404 }) : answer(request, match, log);
  });
  return (incoming, outgoing, match) => {
    (incoming as Routed)[MATCH] = match;
    void listener(incoming, outgoing);
  };
}

async function answer(request: Request, { route, params }: Match, log: Logger): Promise<Response> {
  const handler = route.handlers.get(request.method);
  if (handler === undefined) return notAllowed(request, route.allow);
  try {
    return await handler(request, { params: Promise.resolve(params) });
  } catch (cause) {
    log.error({ event: "http.failed", request_id: requestIdOf(request) }, cause);
    return jsonResponse(
      { error: "server_error", error_description: "The request could not be completed." },
      { status: 500, headers: { "cache-control": "no-store" } },
    );
  }
}

/**
 * Returns the response to a method that the route file does not support.
 * @param allow the methods that the route file supports.
 */
function notAllowed(request: Request, allow: string): Response {
  const refusal = refusedMethod(new URL(request.url).pathname);
  const status = refusal?.status ?? 405;
  const headers = { ...(status === 405 ? { allow } : {}), ...refusal?.headers };
  return refusal === null || request.method === "HEAD"
    ? new Response(null, { status, headers })
    : new Response(refusal.body, { status, headers: { ...headers, "content-type": "application/json" } });
}
