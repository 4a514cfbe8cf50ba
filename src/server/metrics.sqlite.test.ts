import { beforeEach, describe, expect, it } from "vitest";
import type { MetricsConfig } from "@/kernel/config/config.ts";
import { parseTrustedProxies } from "@/kernel/config/trusted-proxies.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { collectMetrics, getMetrics } from "./metrics.ts";

const deps = await openTestDeps();
const TOKEN = "a-token-of-the-operator";

const configure = (metrics: MetricsConfig | null): void =>
  provideDeps({ ...deps, config: { ...deps.config, metrics } });

const get = (headers: Record<string, string> = {}) =>
  getMetrics(
    new Request("http://localhost/-/metrics", { headers: { [CLIENT_IP_HEADER]: "10.1.2.3", ...headers } }),
  );

describe("/-/metrics", () => {
  beforeEach(() => collectMetrics());

  it("the URL of the metrics does not exist if neither METRICS_TOKEN nor METRICS_ALLOW is set", async () => {
    configure(null);
    expect((await get({ authorization: `Bearer ${TOKEN}` })).status).toBe(404);
  });

  it.each([
    ["no credentials", {}],
    ["another token", { authorization: "Bearer a-token-of-a-stranger" }],
    ["the token with another scheme", { authorization: `Basic ${TOKEN}` }],
    ["an empty token", { authorization: "Bearer " }],
  ])(
    "if METRICS_TOKEN is set, the server refuses a request for the metrics with %s",
    async (_what, headers) => {
      configure({ token: TOKEN, allowed: null });
      const response = await get(headers);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="Metrics"',
      ]);
      expect(await response.text()).not.toContain("gatehouse_");
    },
  );

  it("if METRICS_TOKEN is set, the server sends the metrics to a client that sends this token", async () => {
    configure({ token: TOKEN, allowed: null });
    const response = await get({ authorization: `bearer ${TOKEN}` });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const text = await response.text();
    for (const line of ['gatehouse_queue_running{queue="git"} 0', "process_resident_memory_bytes "])
      expect(text).toContain(line);
  });

  it("if METRICS_ALLOW is set, the server sends the metrics only to the listed IP addresses", async () => {
    configure({ token: null, allowed: parseTrustedProxies("10.1.0.0/16") });
    expect((await get()).status).toBe(200);
    expect((await get({ [CLIENT_IP_HEADER]: "10.2.0.1" })).status).toBe(403);
    expect((await get({ [CLIENT_IP_HEADER]: "unknown" })).status).toBe(403);
  });
});
