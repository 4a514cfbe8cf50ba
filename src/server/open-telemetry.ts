import { setTimeout as pause } from "node:timers/promises";
import {
  type Context,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { PRODUCT_VERSION } from "@/kernel/config/product.ts";
import type { TracingConfig } from "@/kernel/config/tracing.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { currentWorker } from "@/kernel/process/worker.ts";
import type { Carrier, Span, SpanKind, Tracer } from "@/kernel/tracing/tracing.ts";
import { remainingStopTime } from "./stop-signal.ts";

/**
 * Opens a tracer that sends its spans to a collector in batches (OTLP/HTTP). A collector that fails or does not respond
 * never delays a request: spans that do not fit into the queue are dropped.
 */
export function openTelemetry(
  config: TracingConfig,
  log: Logger,
  lastSpansMs: number,
): Readonly<{ tracer: Tracer; close: () => Promise<void> }> {
  const worker = currentWorker();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": config.serviceName,
      "service.version": PRODUCT_VERSION,
      "process.pid": process.pid,
      ...(worker === null ? {} : { "gatehouse.worker": worker.number }),
    }),
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(new OTLPTraceExporter({ url: config.url.href }), log),
      }),
    ],
  });
  return {
    tracer: tracerOn(provider.getTracer("gatehouse", PRODUCT_VERSION)),
    close: async () => {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(remainingStopTime(lastSpansMs), undefined, { ref: false }),
      ]);
    },
  };
}

function samplerOf({ sampler, sampledRatio }: TracingConfig): Sampler {
  const root = sampler.endsWith("always_off")
    ? new AlwaysOffSampler()
    : sampler.endsWith("ratio")
      ? new TraceIdRatioBasedSampler(sampledRatio)
      : new AlwaysOnSampler();
  return sampler.startsWith("parentbased") ? new ParentBasedSampler({ root }) : root;
}

/** Logs the first failure of the export, and the first success after one or more failures. */
function reportingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let hasFailed = false;
  return {
    export: (spans, resultCallback) =>
      exporter.export(spans, (result) => {
        const fails = result.code !== ExportResultCode.SUCCESS;
        if (fails && !hasFailed) log.warn({ event: "traces.not_exported" }, result.error);
        if (!fails && hasFailed) log.info({ event: "traces.exported_again" });
        hasFailed = fails;
        resultCallback(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

const propagator = new W3CTraceContextPropagator();

const KINDS: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

function tracerOn(tracer: OtelTracer): Tracer {
  function started(parent: Context, span: OtelSpan): Span {
    const context = trace.setSpan(parent, span);
    const { traceId, spanId } = span.spanContext();
    return {
      traceId,
      spanId,
      startChild: (name, kind, attributes = {}) =>
        started(context, tracer.startSpan(name, { kind: KINDS[kind], attributes }, context)),
      rename: (name) => void span.updateName(name),
      setAttributes: (attributes) => void span.setAttributes(attributes),
      end: (cause) => {
        if (cause !== undefined) recordFailure(span, cause);
        span.end();
      },
      propagationHeaders: () => {
        const headers: Record<string, string> = {};
        propagator.inject(context, headers, { set: (_headers, name, value) => (headers[name] = value) });
        return headers;
      },
    };
  }

  return {
    startRoot: (name, kind, carrier = {}) => {
      const parent = propagator.extract(ROOT_CONTEXT, carrier, HEADERS);
      return started(parent, tracer.startSpan(name, { kind: KINDS[kind] }, parent));
    },
  };
}

const HEADERS = {
  keys: (carrier: Carrier) => Object.keys(carrier),
  get: (carrier: Carrier, name: string) => {
    const value = carrier[name];
    return typeof value === "object" ? [...value] : value;
  },
};

/**
 * Records the class of an error, but not its message, which can contain values of a query. A refused request
 * is not recorded as an error.
 */
function recordFailure(span: OtelSpan, cause: unknown): void {
  span.setAttribute("error.type", cause instanceof Error ? cause.name : typeof cause);
  const isRefusal = cause instanceof Error && "status" in cause && Number(cause.status) < 500;
  if (!isRefusal) span.setStatus({ code: SpanStatusCode.ERROR });
}
