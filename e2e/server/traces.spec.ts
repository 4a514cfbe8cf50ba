import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { expect, test } from "../fixtures.ts";
import { startInstance } from "../instance.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

type Message = Readonly<{
  resourceSpans: readonly Readonly<{
    scopeSpans: readonly Readonly<{ spans: readonly Readonly<{ traceId: string; name: string }>[] }>[];
  }>[];
}>;

/** Sends one request to the token endpoint and one request for a page, as parts of the trace of a caller. */
async function sendRequests(baseUrl: string): Promise<void> {
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const body = new URLSearchParams({ grant_type: "authorization_code", code: "wrong", client_id: "nobody" });
  const refused = await fetch(`${baseUrl}/oauth/token`, { method: "POST", body, headers });
  expect(refused.status).toBe(401);
  for (const path of ["/users/sign_in", "/help/api"])
    expect((await fetch(baseUrl + path, { headers })).status).toBe(200);
}

for (const workers of ["1", "2"])
  test(`the server with WEB_CONCURRENCY=${workers} sends its last spans to the collector when it stops`, async () => {
    const names: string[] = [];
    const collector = createServer(async (request, response) => {
      const { resourceSpans } = (await json(request)) as Message;
      for (const { spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        names.push(...spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    collector.listen(0, "127.0.0.1");
    await once(collector, "listening");
    const { port } = collector.address() as { port: number };
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, WEB_CONCURRENCY: workers };
    const instance = await startInstance({ env });
    try {
      await sendRequests(instance.baseUrl);
      expect(await instance.kill("SIGTERM")).toBe(0);
      expect(names).toEqual(
        expect.arrayContaining([
          "POST /oauth/token",
          "authenticate client",
          "GET /users/sign_in",
          "identity_providers",
          "GET pages",
        ]),
      );
      expect(instance.log()).toContain(`"trace_id":"${TRACE}"`);
    } finally {
      await instance.stop();
      collector.close();
      collector.closeAllConnections();
    }
  });

test("if a server cannot reach the collector of its spans, the server serves requests, logs the reason, and stops in time", async () => {
  const instance = await startInstance({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } });
  try {
    await sendRequests(instance.baseUrl);
    expect(await instance.kill("SIGTERM")).toBe(0);
  } finally {
    await instance.stop();
  }
});
