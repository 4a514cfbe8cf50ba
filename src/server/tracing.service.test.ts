import { once } from "node:events";
import { createServer } from "node:http";
import * as userRoute from "@app/api/v4/user/route.ts";
import * as tokenRoute from "@app/oauth/token/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "@/kernel/config/config.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf, provideDeps, systemDeps } from "@/kernel/deps/deps.ts";
import { sendOutboundRequest } from "@/kernel/http/outbound-request.ts";
import { openLog } from "@/kernel/log/log.ts";
import { inNewTrace } from "@/kernel/tracing/tracing.ts";
import { EXCHANGE } from "@/oauth/authorizations/store.sql.ts";
import {
  authorizationQuery,
  codeFor,
  encoded,
  exchangeOf,
  registeredClient,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";
import { afterThisFile } from "@/testing/release.ts";
import { type ReceivedSpan, startTraceCollector } from "@/testing/trace-collector.ts";
import { openTracing } from "./tracing.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const REQUEST_ID = "0123456789abcdef";

const base = await openTestDeps();
const ann = await signedInUser(base, "ann");
const client = await registeredClient(base, ann.user);
const collector = await startTraceCollector();
const url = await serveRoutes({ "/oauth/token": tokenRoute, "/api/v4/user": userRoute });

const lines: string[] = [];
const log = openLog("info", { write: (line: string) => lines.push(line) });
const loggedLines = () => lines.map((line) => JSON.parse(line));

/**
 * Records traces and slow statements, as the given environment variables specify.
 * @returns the function that sends the spans.
 */
async function observe(
  env: Readonly<Record<string, string>>,
  lastSpansMs = 60_000,
): Promise<() => Promise<void>> {
  const config = { ...base.config, ...pick(readConfig(env)) };
  const close = await openTracing(config, log, lastSpansMs);
  const observation = { log, slowQueryMs: config.slowQueryMs };
  const database = await openDatabase(config.database, { observation });
  afterThisFile(database.close);
  provideDeps({ ...base, ...depsOf(database), config, log });
  return close;
}

const pick = ({ tracing, slowQueryMs }: ReturnType<typeof readConfig>) => ({ tracing, slowQueryMs });

async function exchange(headers: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
  const form = exchangeOf(client, await codeFor(base, ann, authorizationQuery(client)));
  const response = await fetch(`${url}/oauth/token`, {
    method: "POST",
    body: encoded(form),
    headers: { "content-type": "application/x-www-form-urlencoded", "x-request-id": REQUEST_ID, ...headers },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const named = (name: string): ReceivedSpan => {
  const span = collector.spans.find((candidate) => candidate.name === name);
  if (span === undefined) throw new Error(`No span ${name} in ${collector.spans.map((one) => one.name)}`);
  return span;
};

beforeEach(() => {
  lines.length = 0;
  collector.spans.length = 0;
});

describe("the traces of an instance with a collector", () => {
  it("a trace of a token request contains spans for the request, for the grant type and for the database statements, and continues the trace of the caller", async () => {
    const close = await observe({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: "id",
      SLOW_QUERY_MS: "0",
    });
    const { access_token } = await exchange({ traceparent: `00-${TRACE}-${CALLER}-01` });
    const user = await fetch(`${url}/api/v4/user?access_token=${access_token}`);
    expect(user.status).toBe(200);
    await close();

    const request = named("POST /oauth/token");
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, service: "id" });
    expect(request.attributes).toMatchObject({
      "http.route": "/oauth/token",
      "http.response.status_code": 200,
      "gatehouse.request_id": REQUEST_ID,
    });
    const grant = named("grant authorization_code");
    expect(grant).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId });
    const statements = collector.spans.filter(({ attributes }) => "db.query.summary" in attributes);
    expect(statements.some(({ parentSpanId }) => parentSpanId === grant.spanId)).toBe(true);
    expect(named("GET /api/v4/user").traceId).not.toBe(TRACE);
    expect(named("authenticate").parentSpanId).toBe(named("GET /api/v4/user").spanId);

    const exchanged = loggedLines().filter(({ trace_id }) => trace_id === TRACE);
    const spanIds = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(exchanged.length).toBeGreaterThan(0);
    for (const line of exchanged) expect(spanIds).toContain(line.span_id);
    const sent = JSON.stringify([collector.spans, lines]);
    for (const secret of [client.secret, access_token]) expect(sent).not.toContain(secret);
  });

  it("the receiver of an outgoing request can continue the trace, and the URL of the outgoing request is not recorded", async () => {
    const close = await observe({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    let traceparent: unknown;
    const receiver = createServer(({ headers }, response) => {
      traceparent = headers["traceparent"];
      response.end();
    });
    afterThisFile(() => void receiver.close().closeAllConnections());
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    const { port } = receiver.address() as { port: number };
    const target = new URL(`http://127.0.0.1:${port}/hooks/path-with-a-secret`);
    const options = {
      deadlineMs: 5_000,
      bytesMax: 100,
      http: "loopback",
      allow: { loopback: true },
    } as const;
    await inNewTrace("job", () => sendOutboundRequest(target, { ...options, method: "POST", body: "" }));
    await close();
    const sent = named(`POST 127.0.0.1:${port}`);
    expect(sent).toMatchObject({ traceId: named("job").traceId, parentSpanId: named("job").spanId });
    expect(traceparent).toBe(`00-${sent.traceId}-${sent.spanId}-01`);
    expect(JSON.stringify(collector.spans)).not.toContain("path-with-a-secret");
  });

  it("traces are dropped while the collector cannot be reached, and requests succeed", async () => {
    const close = await observe({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }, 50);
    await exchange();
    await close();
  });

  it("a collector that does not respond delays the stop only until the time limit", async () => {
    let responded = false;
    const silent = createServer((_request, response) => void response.on("finish", () => (responded = true)));
    afterThisFile(() => void silent.close().closeAllConnections());
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    const { port } = silent.address() as { port: number };
    const close = await observe({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, 50);
    const received = once(silent, "request");
    await exchange();
    await close();
    await received;
    expect(responded).toBe(false);
  });

  it("a trace is recorded only if the sampler selects the trace", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER: "always_off" };
    const close = await observe(env);
    await exchange();
    await close();
    expect(collector.spans).toEqual([]);
  });
});

describe("a slow statement", () => {
  const slowLines = () => loggedLines().filter(({ event }) => event === "database.slow");

  it("a slow statement is logged with its name, its duration and the id of the request, but without its parameters", async () => {
    await observe({ SLOW_QUERY_MS: "0" });
    const { access_token } = await exchange();
    const prisma = await fetch(`${url}/api/v4/user?access_token=${access_token}`);
    expect(prisma.status).toBe(200);
    const lineOfExchange = slowLines().find(({ statement }) => statement === EXCHANGE.name);
    expect(lineOfExchange).toEqual({
      level: 40,
      time: expect.any(String),
      event: "database.slow",
      statement: EXCHANGE.name,
      milliseconds: expect.any(Number),
      request_id: REQUEST_ID,
    });
    for (const secret of [client.secret, access_token]) expect(lines.join()).not.toContain(secret);
  });

  it("a slow statement of Prisma is logged once with the model and the operation, even inside of a transaction", async () => {
    await observe({ SLOW_QUERY_MS: "0" });
    await systemDeps().transaction(async ({ db }) => {
      await db.user.count();
      await db.$queryRawUnsafe("SELECT 1");
    });
    expect(slowLines().map(({ statement }) => statement)).toEqual([
      "User.count",
      "$queryRawUnsafe",
      "transaction",
    ]);
  });

  it("a statement is not logged if it takes less than the configured duration", async () => {
    await observe({ SLOW_QUERY_MS: "60000" });
    await exchange();
    expect(slowLines()).toEqual([]);
  });
});
