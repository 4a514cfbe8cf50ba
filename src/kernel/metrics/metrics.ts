import type { Counter, Histogram, Registry } from "prom-client";
import { processWide } from "../process/process-wide.ts";
import {
  AGGREGATORS,
  type CounterName,
  GAUGES,
  type GaugeName,
  type HistogramName,
  type Labels,
  METRICS,
  type MetricName,
} from "./catalog.ts";

type Metrics = Readonly<{ registry: Registry; of: ReadonlyMap<MetricName, Counter | Histogram> }>;

const state = processWide<{ metrics: Metrics | null }>("metrics", () => ({ metrics: null }));

/** The current values of a gauge, each with the values of its labels. */
export type GaugeValues = readonly Readonly<{ labels: Readonly<Record<string, string>>; value: number }>[];

type Gauges = Readonly<Record<GaugeName, () => GaugeValues | Promise<GaugeValues>>>;

/**
 * Begins to collect the metrics of this process, in addition to the default metrics of `prom-client`:
 * processor time, memory, garbage collection, event loop lag. Before the call of `openMetrics`, `count` and
 * `observe` do nothing, and `prom-client` is not loaded.
 * @param gauges returns the current values of each gauge.
 */
export async function openMetrics(gauges: Gauges): Promise<void> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const of = new Map<MetricName, Counter | Histogram>();
  for (const [name, { help, labels, ...more }] of Object.entries(METRICS)) {
    const common = { name, help, labelNames: [...labels], registers: [registry] };
    const metric =
      "buckets" in more ? new Histogram({ ...common, buckets: [...more.buckets] }) : new Counter(common);
    of.set(name as MetricName, metric);
    if ("initial" in more && "inc" in metric) for (const values of more.initial) metric.inc(values, 0);
  }
  for (const [name, { help, labels }] of Object.entries(GAUGES)) {
    const read = gauges[name as GaugeName];
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const current = await read();
        this.reset();
        for (const { labels: values, value } of current) this.set(values, value);
      },
    });
  }
  state().metrics = { registry, of };
}

/** Increases a counter of the metrics. If the process collects no metrics, the function does nothing. */
export function count<Name extends CounterName>(name: Name, labels: Labels<Name>, by = 1): void {
  const metric = state().metrics?.of.get(name);
  if (metric !== undefined && "inc" in metric) metric.inc(labels, by);
}

/**
 * Adds a value to a histogram of the metrics. If the process collects no metrics, the function does nothing.
 */
export function observe<Name extends HistogramName>(name: Name, labels: Labels<Name>, value: number): void {
  const metric = state().metrics?.of.get(name);
  if (metric !== undefined && "observe" in metric) metric.observe(labels, value);
}

/** Returns whether this process collects metrics. */
export const metricsAreOpen = (): boolean => state().metrics !== null;

/** The metrics of one process, in the JSON form of `prom-client`. */
export type MetricValues = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Returns the metrics of this process; an empty list if the process collects no metrics. */
export const metricValues = async (): Promise<MetricValues> =>
  (await state().metrics?.registry.getMetricsAsJSON()) ?? [];

/**
 * Returns the metrics of several processes in the text format of Prometheus, version 0.0.4. The values of
 * counters and histograms are added up. The values of each gauge are combined with the aggregator in `AGGREGATORS`, or
 * else with the aggregator that `prom-client` defines for the gauge.
 */
export async function metricsText(
  processes: readonly MetricValues[],
): Promise<Readonly<{ contentType: string; text: string }>> {
  const registry = await combine(processes);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** Returns the sums of the metrics of several processes, like `metricsText`. */
export const addUpMetrics = async (processes: readonly MetricValues[]): Promise<MetricValues> =>
  (await combine(processes)).getMetricsAsJSON();

async function combine(processes: readonly MetricValues[]): Promise<Registry> {
  const { AggregatorRegistry } = await import("prom-client");
  return AggregatorRegistry.aggregate(
    processes.map((values) =>
      values.map((metric) => ({ ...metric, aggregator: AGGREGATORS[metric.name] ?? metric.aggregator })),
    ),
  );
}

/** Returns the counters and histograms of a process, whose values remain valid after the process has ended. */
export const countersOf = (values: MetricValues): MetricValues =>
  values.filter(({ type }) => String(type) === "counter" || String(type) === "histogram");
