import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { jsonResponse } from "@/kernel/http/json.ts";
import { requestIdOf } from "@/kernel/http/request-id.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { refusedMethod } from "./method-not-allowed.ts";
import { type Match, METHODS } from "./routes.ts";

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

/** Returns the response of Next to a method that route files cannot export. */
function notAllowed(request: Request, allow: string): Response {
  if (!METHODS.some((method) => method === request.method)) return new Response(null, { status: 400 });
  const refusal = refusedMethod(new URL(request.url).pathname);
  const headers = { allow, ...refusal?.headers };
  return refusal === null || request.method === "HEAD"
    ? new Response(null, { status: 405, headers })
    : new Response(refusal.body, {
        status: 405,
        headers: { ...headers, "content-type": "application/json" },
      });
}
