import { beforeEach, describe, expect, it } from "vitest";
import { resetProcessWide } from "../process/process-wide.ts";
import { GAUGES, METRICS } from "./catalog.ts";
import { count, metricsAreOpen, metricsText, metricValues, observe, openMetrics } from "./metrics.ts";

const none = () => [];
const GAUGE_VALUES = {
  gatehouse_queue_running: none,
  gatehouse_queue_waiting: () => [{ labels: { queue: "git" }, value: 3 }],
  gatehouse_database_connections: none,
  gatehouse_database_waiting: none,
  gatehouse_workers: none,
  gatehouse_deliveries_waiting: none,
  gatehouse_disk_free_bytes: none,
  gatehouse_disk_size_bytes: none,
};

const textNow = async () => (await metricsText([await metricValues()])).text;

beforeEach(resetProcessWide);

describe("metrics that are disabled", () => {
  it("while the metrics are disabled, `count` and `observe` do nothing", async () => {
    count("gatehouse_tokens_issued_total", { grant_type: "password" });
    observe("gatehouse_database_write_group_size", {}, 2);
    expect(metricsAreOpen()).toBe(false);
    expect(await metricValues()).toEqual([]);
  });
});

describe("metrics that are enabled", () => {
  beforeEach(() => openMetrics(GAUGE_VALUES));

  it("the metrics contain each metric of the catalog with the description of the metric", async () => {
    const text = await textNow();
    for (const [name, { help }] of Object.entries({ ...METRICS, ...GAUGES }))
      expect(text).toContain(`# HELP ${name} ${help}`);
  });

  it("a counter is increased separately for each combination of label values", async () => {
    count("gatehouse_tokens_refused_total", { grant_type: "refresh_token", error: "invalid_grant" });
    count("gatehouse_tokens_refused_total", { grant_type: "refresh_token", error: "invalid_grant" }, 2);
    expect(await textNow()).toContain(
      'gatehouse_tokens_refused_total{grant_type="refresh_token",error="invalid_grant"} 3\n',
    );
  });

  it("the values of a histogram are sorted into buckets", async () => {
    for (const size of [1, 3, 100]) observe("gatehouse_database_write_group_size", {}, size);
    const text = await textNow();
    for (const line of ['_bucket{le="1"} 1', '_bucket{le="4"} 2', '_bucket{le="+Inf"} 3', "_sum 104"])
      expect(text).toContain(`gatehouse_database_write_group_size${line}\n`);
  });

  it("the metrics contain the value of each gauge at the time of the request", async () => {
    expect(await textNow()).toContain('gatehouse_queue_waiting{queue="git"} 3\n');
  });

  it.each([
    "nodejs_eventloop_lag_seconds",
    "nodejs_eventloop_lag_p50_seconds",
    "nodejs_eventloop_lag_p99_seconds",
  ])("the metric %s of several processes is the maximum of all processes", async (name) => {
    const lagOf = (value: number) => async () =>
      (await metricValues()).map((metric) =>
        metric.name === name ? { ...metric, values: [{ value, labels: {} }] } : metric,
      );
    const { text } = await metricsText([await lagOf(0.5)(), await lagOf(0.01)()]);
    expect(text).toContain(`\n${name} 0.5\n`);
  });

  it("for several processes, process_open_fds is the highest value and process_max_fds is the lowest value", async () => {
    const gauge = (await metricValues()).find(({ name }) => name === "gatehouse_queue_waiting");
    if (gauge === undefined) throw new Error("The gauge is missing.");
    const processWith = (open: number, limit: number) => [
      { ...gauge, name: "process_open_fds", values: [{ value: open, labels: {} }] },
      { ...gauge, name: "process_max_fds", values: [{ value: limit, labels: {} }] },
    ];
    const { text } = await metricsText([
      processWith(30, 1024),
      processWith(900, 1024),
      processWith(40, 4096),
    ]);
    expect(text).toContain("\nprocess_open_fds 900\n");
    expect(text).toContain("\nprocess_max_fds 1024\n");
  });

  it("the counters of several processes are added up", async () => {
    count("gatehouse_error_events_received_total", {}, 5);
    const values = await metricValues();
    const { text, contentType } = await metricsText([values, values]);
    expect(text).toContain("gatehouse_error_events_received_total 10\n");
    expect(contentType).toContain("version=0.0.4");
  });
});
