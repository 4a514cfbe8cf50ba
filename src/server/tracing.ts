import type { Config } from "@/kernel/config/config.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { followRequests } from "@/kernel/tracing/tracing.ts";

const LAST_SPANS_MS = 2_000;

/**
 * Begins to record traces, if the configuration enables traces. Without traces, begins to record the ids of
 * requests for the log of slow statements, if the configuration enables this log. The function must be called
 * before the instance opens its database. The packages of OpenTelemetry are loaded only for traces.
 * @param lastSpansMs the time limit for sending the last spans, in milliseconds. The limit is shorter if a stop has
 * already taken long.
 * @returns a function that sends the last spans.
 */
export async function openTracing(
  config: Config,
  log: Logger,
  lastSpansMs = LAST_SPANS_MS,
): Promise<() => Promise<void>> {
  if (config.tracing !== null) {
    const { openTelemetry } = await import("./open-telemetry.ts");
    const { tracer, close } = openTelemetry(config.tracing, log, lastSpansMs);
    followRequests(tracer);
    return close;
  }
  if (config.slowQueryMs !== null) followRequests(null);
  return async () => undefined;
}
