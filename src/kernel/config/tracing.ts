import { z } from "zod";
import { numberBetween } from "./number.ts";
import { PRODUCT_NAME } from "./product.ts";

/** The samplers of traces, with the names that OpenTelemetry defines for `OTEL_TRACES_SAMPLER`. */
const TRACE_SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The environment variables of traces, with the names that OpenTelemetry defines. */
export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL, such as http://localhost:4318" })
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(255).default(PRODUCT_NAME.toLowerCase()),
  OTEL_TRACES_SAMPLER: z.enum(TRACE_SAMPLERS).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: numberBetween(0, 1).default(1),
};

/** The export of traces to a collector of OpenTelemetry. */
export type TracingConfig = Readonly<{
  /** The URL of the collector that receives traces over OTLP/HTTP. */
  url: URL;
  serviceName: string;
  sampler: (typeof TRACE_SAMPLERS)[number];
  /** The ratio of recorded traces, which only the samplers with a ratio use. */
  sampledRatio: number;
}>;

/** Returns the export of traces that the environment variables define; null if no collector is configured. */
export function tracingOf(settings: z.infer<z.ZodObject<typeof TRACING_VARIABLES>>): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return null;
  return Object.freeze({
    // The name of the signal, `traces`, is appended to the path of the endpoint (OpenTelemetry, "Endpoint
    // URLs for OTLP/HTTP").
    url: new URL(`${endpoint.replace(/\/+$/, "")}/v1/traces`),
    serviceName: settings.OTEL_SERVICE_NAME,
    sampler: settings.OTEL_TRACES_SAMPLER,
    sampledRatio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
}
