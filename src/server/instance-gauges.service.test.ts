import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { diskSpaceOf } from "@/kernel/disk/disk-space.ts";
import { metricsText, metricValues } from "@/kernel/metrics/metrics.ts";
import { becomeWorker } from "@/kernel/process/worker.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { insertApplication, insertUser } from "@/testing/rows.ts";
import { DELIVERIES } from "./compose.ts";
import { deliveriesGauge } from "./instance-gauges.ts";
import { collectMetrics } from "./metrics.ts";

const deps = await openTestDeps();
const { db, clock, config } = deps;

const textNow = async (): Promise<string> => (await metricsText([await metricValues()])).text;

const sampleOf = (text: string, series: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  );

/** Stores one waiting message of each kind, and one message that does not wait any longer. */
async function storeMessages(): Promise<void> {
  const now = clock();
  const mail = { kind: "test", recipient: "a@example.com", subject: "Test", createdAt: now, expiresAt: now };
  await db.mailMessage.createMany({
    data: ["waiting", "waiting", "sent"].map((state, index) => ({
      ...mail,
      uid: `mail-${index}`,
      state,
      nextAttemptAt: now,
    })),
  });
  const events = { pushEvents: true, tagPushEvents: false, mergeRequestsEvents: false, errorEvents: false };
  const { id: webhookId } = await db.webhook.create({
    data: {
      ...{ ...events, securityEvents: false, auditEvents: false, branchFilter: "", createdAt: now },
      ...{ uid: "hook", kind: "instance", name: "Hook", description: "", sealedUrl: "", sealedSecret: "" },
    },
  });
  await db.webhookDelivery.createMany({
    data: ["waiting", "waiting", "waiting", "delivered"].map((state, index) => ({
      ...{
        webhookId,
        uid: `delivery-${index}`,
        eventUid: "event",
        trigger: "push_events",
        source: "{}",
        state,
      },
      ...{ createdAt: now, expiresAt: now, nextAttemptAt: now },
    })),
  });
  const { id: applicationId } = await insertApplication(db, (await insertUser(db, "ann")).id, "app");
  await db.clientSession.createMany({
    data: ["waiting", "live"].map((state, index) => ({
      ...{
        sid: `sid-${index}`,
        applicationId,
        sessionId: index,
        userId: 1,
        state,
        createdAt: now,
        endsAt: now,
      },
    })),
  });
}

describe("the gauges of the instance", () => {
  it("the metrics contain the number of waiting messages of each kind, and count again after five seconds", async () => {
    await storeMessages();
    await collectMetrics();
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now);
    const counts = async () => {
      const text = await textNow();
      return Object.keys(DELIVERIES).map((kind) =>
        sampleOf(text, `gatehouse_deliveries_waiting{kind="${kind}"}`),
      );
    };
    expect(await counts()).toEqual([2, 3, 1]);
    await db.mailMessage.updateMany({ data: { state: "sent" } });
    expect(await counts()).toEqual([2, 3, 1]);
    clock.mockReturnValue(now + 5_000);
    expect(await counts()).toEqual([0, 3, 1]);
    vi.restoreAllMocks();
  });

  it("the metrics contain the free space and the size of each disk of the instance", async () => {
    await collectMetrics();
    const text = await textNow();
    const { totalBytes } = await diskSpaceOf(config.dataDir);
    expect(sampleOf(text, 'gatehouse_disk_size_bytes{disk="data"}')).toBe(totalBytes);
    expect(sampleOf(text, 'gatehouse_disk_free_bytes{disk="data"}')).toBeGreaterThan(0);
    const { database } = config;
    const hasOwnDisk = database.provider === "sqlite" && dirname(database.file) !== config.dataDir;
    expect(text.includes('gatehouse_disk_free_bytes{disk="database"}')).toBe(hasOwnDisk);
  });

  it("the metrics of a server without workers contain one ready process, and no restart", async () => {
    await collectMetrics();
    const text = await textNow();
    const names = ['gatehouse_workers{state="configured"}', 'gatehouse_workers{state="ready"}'];
    expect(names.map((name) => sampleOf(text, name))).toEqual([1, 1]);
    expect(sampleOf(text, "gatehouse_worker_restarts_total")).toBe(0);
  });

  it("each value of a label that an alert rule names exists in the metrics", async () => {
    await collectMetrics();
    const text = await textNow();
    const rules = readFileSync("docs/operations/prometheus-rules.yml", "utf8");
    const named = [...rules.matchAll(/(gatehouse_\w+)\{(state|kind|disk)=~?"([\w|]+)"\}/g)].flatMap(
      ([, name, label, list = ""]) => list.split("|").map((value) => `${name}{${label}="${value}"}`),
    );
    expect(named).toHaveLength(5);
    for (const series of named) expect(text).toContain(`\n${series} `);
  });

  it("a gauge that cannot be read within a second is missing from the metrics", async () => {
    const never = new Promise<never>(() => undefined);
    const stuck = new Proxy(db, {
      get: (target, name) =>
        name === "mailMessage" ? { count: () => never } : Reflect.get(target, name, target),
    });
    provideDeps({ ...deps, db: stuck });
    const startedAt = performance.now();
    expect(await deliveriesGauge()()).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    provideDeps(deps);
    expect(await deliveriesGauge()()).toHaveLength(3);
  });

  it("a worker process does not report the gauges of the instance", async () => {
    becomeWorker({ number: 1, count: 2 });
    await collectMetrics();
    expect(await textNow()).not.toMatch(/^gatehouse_(?:workers|deliveries_waiting|disk_\w+)\{/m);
  });
});
