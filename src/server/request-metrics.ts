import type { IncomingMessage, ServerResponse } from "node:http";
import { metricsAreOpen, observe } from "@/kernel/metrics/metrics.ts";
import { isRouteMethod } from "./routes.ts";

/**
 * Measures the duration of a request until its response is complete or the connection is closed.
 * @param route the pattern of the route, not the path of the request.
 */
export function measureRequest(incoming: IncomingMessage, outgoing: ServerResponse, route: string): void {
  if (!metricsAreOpen()) return;
  const startedAt = performance.now();
  const method = isRouteMethod(incoming.method) ? incoming.method : "other";
  outgoing.once("close", () => {
    const labels = { route, method, status: String(outgoing.statusCode) };
    observe("gatehouse_http_request_duration_seconds", labels, (performance.now() - startedAt) / 1000);
  });
}
