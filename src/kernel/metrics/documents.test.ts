import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { GAUGES } from "./catalog.ts";
import { metricValues, openMetrics } from "./metrics.ts";

const EXAMPLES = ["grafana-dashboard.json", "prometheus-rules.yml"];
const NAMES = /\b(?:gatehouse|nodejs|process)_[a-z0-9_]+\b/g;

/** The names of the time series of this process. */
let series: readonly string[] = [];
beforeAll(async () => {
  const none = () => [];
  await openMetrics({
    gatehouse_queue_running: none,
    gatehouse_queue_waiting: none,
    gatehouse_database_connections: none,
    gatehouse_database_waiting: none,
    gatehouse_workers: none,
    gatehouse_deliveries_waiting: none,
    gatehouse_disk_free_bytes: none,
    gatehouse_disk_size_bytes: none,
  });
  series = (await metricValues()).flatMap(({ name, type }) =>
    String(type) === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
});

describe.each(EXAMPLES)("docs/operations/%s", (file) => {
  const text = readFileSync(`docs/operations/${file}`, "utf8");

  it("the operations document names only metrics that the server reports", () => {
    const names = new Set(text.match(NAMES));
    expect(names.size).toBeGreaterThan(3);
    expect([...names].filter((name) => !series.includes(name))).toEqual([]);
  });
});

it("each event and outcome that an alert rule names has a time series from the start", async () => {
  const rules = readFileSync("docs/operations/prometheus-rules.yml", "utf8");
  const named = [...rules.matchAll(/(gatehouse_\w+_total)\{(event|outcome)=~?"([\w.|]+)"/g)];
  const values = (await metricValues()).flatMap(({ name, values: samples }) =>
    samples.map(({ labels, value }) => ({ name, value, labels: Object.values(labels) })),
  );
  const labels = named.flatMap(([, name, , list = ""]) => list.split("|").map((label) => ({ name, label })));
  expect(labels).toHaveLength(4);
  for (const { name, label } of labels) expect(values).toContainEqual({ name, value: 0, labels: [label] });
});

it("the Grafana dashboard shows every gauge", () => {
  const text = readFileSync("docs/operations/grafana-dashboard.json", "utf8");
  for (const name of Object.keys(GAUGES)) expect(text).toContain(name);
});
