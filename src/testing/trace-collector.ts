import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterThisFile } from "./release.ts";

/** A span as a collector receives it, with its attributes as an object. */
export type ReceivedSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Readonly<Record<string, unknown>>;
  service: unknown;
}>;

type Attribute = Readonly<{ key: string; value: Readonly<Record<string, unknown>> }>;
type SentSpan = Omit<ReceivedSpan, "attributes"> & Readonly<{ attributes: readonly Attribute[] }>;
type Message = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: { attributes: readonly Attribute[] };
    scopeSpans: readonly Readonly<{ spans: readonly SentSpan[] }>[];
  }>[];
}>;

const attributesIn = (list: readonly Attribute[]) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));

/**
 * Starts a server that receives spans over OTLP/HTTP, and stops after the test file.
 * @returns the endpoint of the server, and the received spans.
 */
export async function startTraceCollector(): Promise<Readonly<{ endpoint: string; spans: ReceivedSpan[] }>> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Message;
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          attributes: attributesIn(span.attributes),
          service: attributesIn(resource.attributes)["service.name"],
        });
    response.writeHead(request.url === "/v1/traces" ? 200 : 404, { "content-type": "application/json" });
    response.end("{}");
  });
  afterThisFile(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return { endpoint: `http://127.0.0.1:${port}`, spans };
}
