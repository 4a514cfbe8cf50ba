import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { openCollector, type RequestParts } from "@/testing/collecting-server.ts";
import { collectingProject, envelopeOf } from "@/testing/collector.ts";
import { conformance } from "@/testing/conformance.ts";

const { deps, ann, post, event, messages, counts, currentProject } = await openCollector();

describe("the collector", () => {
  it("the collector rejects and counts events that exceed the quota of a client key per minute", async () => {
    await changeSettings(deps, { error_events_per_minute: "3" });
    const other = await collectingProject(deps, ann.user, `other${currentProject().project.id}`);
    for (let time = 0; time < 3; time++) expect((await post()).status).toBe(200);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("x-sentry-rate-limits")).toBe("60:error:key:quota");
    expect(refused.headers.get("x-sentry-error")).toBe(refused.body["detail"]);
    expect(await counts()).toEqual(["accepted error 3", "quota error 1"]);
    const path = `/api/${other.project.id}/envelope/`;
    expect((await post({ path, query: `?sentry_key=${other.key}` })).status).toBe(200);
    deps.advance(60);
    const two = Buffer.from(envelopeOf([1, 2].map((at) => ["event", { message: `${at}` }] as const)));
    expect((await post({ body: two })).status).toBe(200);
    expect((await post({ body: two })).status).toBe(429);
    expect((await post()).status).toBe(200);
    expect((await counts()).toSorted()).toEqual(["accepted error 6", "quota error 3"]);
    await changeSettings(deps, { error_events_per_minute: "6000" });
    expect((await post()).status).toBe(200);
  });

  it(
    conformance(
      "SC-09",
      "when a client key exceeds its hourly quota of new tracked errors, the collector responds with 200, but drops and counts the events",
    ),
    async () => {
      await changeSettings(deps, { new_errors_per_hour: "2" });
      const send = async (fingerprint: string) =>
        (await post({ body: Buffer.from(envelopeOf([["event", { message: fingerprint }]])) })).status;
      expect(await Promise.all(["a", "b", "a"].map(send))).toEqual([200, 200, 200]);
      expect(await Promise.all(["c", "d", "a", "c"].map(send))).toEqual([200, 200, 200, 200]);
      expect((await messages()).toSorted()).toEqual(["a", "b"]);
      expect((await counts()).toSorted()).toEqual(["accepted error 4", "new_errors error 3"]);
      deps.advance(3_600);
      expect(await send("c")).toBe(200);
      expect((await messages()).toSorted()).toEqual(["a", "b", "c"]);
      await changeSettings(deps, { new_errors_per_hour: "1000" });
    },
  );

  it(
    conformance(
      "SC-09",
      "when a project exceeds its quota of stored bytes, the collector removes the oldest events first",
    ),
    async () => {
      await changeSettings(deps, { error_bytes_per_project: "20000" });
      const send = async (name: string) => {
        const event = {
          message: name,
          tags: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`t${at}`, "x".repeat(100)])),
        };
        expect((await post({ body: Buffer.from(envelopeOf([["event", event]])) })).status).toBe(200);
        deps.advance(1);
      };
      for (let at = 0; at < 12; at++) await send("x".repeat(at + 1));
      const stored = await deps.db.trackedError.findMany({
        where: { projectId: currentProject().project.id },
        orderBy: { id: "asc" },
        select: { events: { select: { payload: true } } },
      });
      const eventCounts = stored.map(({ events }) => events.length);
      expect(eventCounts).toEqual(eventCounts.toSorted());
      expect(eventCounts).toHaveLength(12);
      expect(eventCounts.filter((events) => events === 0).length).toBeGreaterThan(1);
      expect(eventCounts.at(-1)).toBe(1);
      expect((await counts()).toSorted()).toContainEqual(expect.stringMatching(/^storage error \d+$/));
      await changeSettings(deps, { error_bytes_per_project: "268435456" });
    },
  );

  it("while the quota of events is exhausted, the collector counts client reports and each rejected event", async () => {
    await changeSettings(deps, { error_events_per_minute: "1" });
    expect((await post()).status).toBe(200);
    const report = (quantity: number) => {
      const discarded_events = [{ reason: "network_error", category: "error", quantity }];
      return ["client_report", { discarded_events }] as const;
    };
    const session = ["session", {}] as const;
    expect((await post({ body: Buffer.from(envelopeOf([report(5), session])) })).status).toBe(200);
    const many = Array.from({ length: 50 }, () => ["event", { message: "b" }] as const);
    const refused = await post({ body: Buffer.from(envelopeOf([...many, report(7), session])) });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-sentry-rate-limits")).toBe("60:error:key:quota");
    expect(await counts()).toEqual([
      "quota error 50",
      "client_network_error error 12",
      "not_kept session 2",
      "accepted error 1",
    ]);
    expect((await post({ body: "no envelope" })).status).toBe(400);
    await changeSettings(deps, { error_events_per_minute: "6000" });
  });

  it.each<[string, RequestParts]>([
    ["large", { body: Buffer.from(event("a".repeat(65_536))) }],
    [
      "too large after decompression",
      { headers: { "content-encoding": "gzip" }, body: gzipSync(event("a".repeat(262_144))) },
    ],
  ])(
    "while the quota of events is exhausted, the collector rejects a body that is %s, and does not parse the body",
    async (_what, request) => {
      await changeSettings(deps, { error_events_per_minute: "1" });
      expect((await post(request)).status).toBe(200);
      const refused = await post(request);
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("60");
      expect((await counts()).toSorted()).toEqual(["accepted error 1", "quota error 1"]);
      // The server does not parse a body of this size while the quota is exhausted.
      expect((await post({ body: "x".repeat(65_537) })).status).toBe(429);
      await changeSettings(deps, { error_events_per_minute: "6000" });
      expect((await post(request)).status).toBe(200);
    },
  );
});
