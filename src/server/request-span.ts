import type { IncomingMessage } from "node:http";
import { currentSpan, inRequest, type Span } from "@/kernel/tracing/tracing.ts";
import { loggablePath } from "./request-log.ts";
import { pathOf } from "./request-path.ts";
import { PROBES } from "./url-table.mjs";

/**
 * Runs the callback that processes a request, in the span of the request. Probes have no span, because the
 * many spans of probes would hide the other spans.
 */
export const tracedRequest = <Result>(incoming: IncomingMessage, run: () => Result): Result =>
  PROBES.test(pathOf(incoming.url ?? "")) ? run() : inRequest(incoming.method ?? "", incoming.headers, run);

/** Sets the name of the span of the current request to the method and the route. */
export function nameRequestSpan({ method }: IncomingMessage, route: string): void {
  const span = currentSpan();
  if (span === null) return;
  span.rename(`${method} ${route}`);
  span.setAttributes({ "http.route": route });
}

/**
 * The values from which the attributes of the span of a request are built. The values do not include the
 * client and the query.
 */
type RequestFacts = Readonly<{
  method: string | undefined;
  path: string;
  status: number;
  requestId: string;
}>;

/** Ends the span of a request. The span counts as failed if the status is at least 500. */
export function endRequestSpan(span: Span, { method = "", path, status, requestId }: RequestFacts): void {
  span.setAttributes({
    "http.request.method": method,
    "url.path": loggablePath(path),
    "http.response.status_code": status,
    "gatehouse.request_id": requestId,
  });
  if (status >= 500) span.end(new Error(`Status ${status}`));
  else span.end();
}
