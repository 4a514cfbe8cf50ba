import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "@/kernel/db/open.ts";
import { deleteErrorEvents, oldErrorEvents } from "@/operations/pruning/store.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { afterThisFile } from "@/testing/release.ts";
import {
  ERRORS_MAX,
  EVENTS_KEPT,
  FACET_VALUES_MAX,
  OVERFLOW,
  type RecordedEvent,
  USERS_MAX,
} from "./recorded-events.ts";
import { recordEvents } from "./store.sql.ts";

// Times must be stored in UTC, independently of the time zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { db, prepared, config } = await openTestDatabase();
const NOON = new Date("2026-11-21T12:30:00.123Z");
const HOUR = new Date("2026-11-21T12:00:00.000Z");
let projectId = 0;

const newProject = async (): Promise<number> => {
  const path = `p${Math.random()}`;
  const names = { name: path, nameLower: path, path, fullPath: path, fullPathLower: path };
  const data = { ...names, description: "", visibility: "private", createdAt: NOON, lastActivityAt: NOON };
  return (await db.project.create({ data })).id;
};

beforeEach(async () => {
  projectId = await newProject();
});

const event = (fingerprint: string, change: Partial<RecordedEvent> = {}): RecordedEvent => ({
  fingerprint,
  name: "TypeError",
  message: "x is not a function",
  culprit: "GET /",
  platform: "node",
  level: "error",
  searchText: "typeerror",
  eventId: "0123456789abcdef0123456789abcdef",
  occurredAt: NOON,
  environment: "production",
  release: "1.0",
  userDigest: null,
  payload: "{}",
  ...change,
});

const record = async (events: readonly RecordedEvent[], receivedAt = NOON, to = prepared) =>
  (await recordEvents(to, { projectId, receivedAt, events, dropped: [] })) !== false;

const errors = () => db.trackedError.findMany({ where: { projectId }, orderBy: { id: "asc" } });
const onlyError = () => db.trackedError.findFirstOrThrow({ where: { projectId } });
const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe("the events of one tracked error", () => {
  it("events with the same fingerprint are stored as one tracked error with counts, hourly counts, environments, releases and events", async () => {
    expect(await record([event("a"), event("a", { environment: "staging" })])).toBe(true);
    const row = await onlyError();
    expect(row).toMatchObject({ eventCount: 2, status: "unresolved", firstSeenAt: NOON, lastSeenAt: NOON });
    const where = { errorId: row.id };
    expect(await db.errorHour.findMany({ where })).toEqual([{ ...where, hour: HOUR, eventCount: 2 }]);
    const facets = await db.errorFacet.findMany({ where, orderBy: [{ kind: "asc" }, { value: "asc" }] });
    expect(facets.map(({ kind, value, eventCount }) => [kind, value, eventCount])).toEqual([
      ["environment", "production", 1],
      ["environment", "staging", 1],
      ["release", "1.0", 2],
    ]);
    const [stored] = await db.errorEvent.findMany({ where, orderBy: { slot: "asc" } });
    expect(stored).toMatchObject({
      slot: 0,
      eventId: event("a").eventId,
      occurredAt: NOON,
      receivedAt: NOON,
    });
    expect(await db.errorIngest.findMany({ where: { projectId } })).toEqual([
      { projectId, hour: HOUR, outcome: "accepted", category: "error", count: 2 },
    ]);
  });

  it("all events are counted, but the ring buffer stores only the newest events", async () => {
    const later = new Date("2026-11-21T13:00:00.000Z");
    const numbered = (at: number) => event("a", { release: `r${at}` });
    await record(times(20, numbered));
    await record(
      times(EVENTS_KEPT, (at) => numbered(20 + at)),
      later,
    );
    await record([numbered(70)], later);
    const row = await onlyError();
    expect(row).toMatchObject({ eventCount: 71, nextSlot: 21, lastSeenAt: later, firstSeenAt: NOON });
    const stored = await db.errorEvent.findMany({ where: { errorId: row.id } });
    const releases = stored.map(({ release }) => Number(release.slice(1))).sort((a, b) => a - b);
    expect(releases).toEqual(times(EVENTS_KEPT, (at) => 21 + at));
    expect(await db.errorHour.count({ where: { errorId: row.id } })).toBe(2);
  });

  it("when a batch is larger than the ring buffer, only the newest events of the batch are stored", async () => {
    await record(times(130, (at) => event("a", { release: `r${at}` })));
    const row = await onlyError();
    expect(row).toMatchObject({ eventCount: 130, nextSlot: 130 % EVENTS_KEPT });
    const stored = await db.errorEvent.findMany({ where: { errorId: row.id } });
    expect(Math.min(...stored.map(({ release }) => Number(release.slice(1))))).toBe(80);
    const { _sum } = await db.errorHour.aggregate({ where: { errorId: row.id }, _sum: { eventCount: true } });
    expect(_sum.eventCount).toBe(130);
  });

  it.each([
    ["resolved", "unresolved"],
    ["ignored", "ignored"],
    ["unresolved", "unresolved"],
  ])("a tracked error with the status %s has the status %s after its next event", async (before, after) => {
    await record([event("a")]);
    await db.trackedError.updateMany({ where: { projectId }, data: { status: before } });
    await record([event("a")]);
    const row = await onlyError();
    expect(row.status).toBe(after);
    expect(row.statusChangedAt).toEqual(before === after ? null : NOON);
  });

  it("each affected user of a tracked error is counted once, up to a maximum number of users", async () => {
    const met = (userDigest: string) => event("a", { userDigest });
    await record([met("ann"), met("ann"), met("ben")]);
    await record([met("ann"), met("cat")]);
    expect((await onlyError()).userCount).toBe(3);
    await record(times(USERS_MAX + 5, (at) => met(`user ${at}`)));
    await record([met("one more")]);
    expect((await onlyError()).userCount).toBeLessThanOrEqual(USERS_MAX);
    const { id } = await onlyError();
    expect(await db.errorUser.count({ where: { errorId: id } })).toBe((await onlyError()).userCount);
  });

  it("events are counted for a limited number of environments and releases", async () => {
    await record(times(90, (at) => event("a", { environment: `e${at}` })));
    await record(times(90, (at) => event("a", { environment: `f${at}` })));
    await record([event("a", { environment: "e0" })]);
    const { id } = await onlyError();
    const facets = await db.errorFacet.findMany({ where: { errorId: id, kind: "environment" } });
    expect(facets).toHaveLength(FACET_VALUES_MAX);
    expect(facets.find(({ value }) => value === "e0")?.eventCount).toBe(2);
  });
});

describe("a project with tracked errors", () => {
  it("a deleted project is skipped, while events of other projects in the same batch are stored", async () => {
    const gone = await newProject();
    await db.project.delete({ where: { id: gone } });
    const write = (id: number) =>
      recordEvents(prepared, { projectId: id, receivedAt: NOON, events: [event("a")], dropped: [] });
    const results = await Promise.all([write(projectId), write(gone), write(projectId)]);
    expect(results.map((result) => result !== false)).toEqual([true, false, true]);
    const counts = results.flatMap((result) => result || []);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect((await onlyError()).eventCount).toBe(2);
  });

  it("dropped items are counted by hour, reason and category", async () => {
    const drop = { outcome: "not_kept", category: "transaction", count: 2 };
    const dropped = [drop, { ...drop, category: "session" }];
    for (let time = 0; time < 2; time++)
      await recordEvents(prepared, { projectId, receivedAt: NOON, events: [], dropped });
    const rows = await db.errorIngest.findMany({ where: { projectId }, orderBy: { category: "asc" } });
    expect(rows.map(({ category, count }) => [category, count])).toEqual([
      ["session", 4],
      ["transaction", 4],
    ]);
  });

  it("a project has a limited number of tracked errors, and events of additional errors are counted in the overflow error of the project", async () => {
    await record(times(ERRORS_MAX - 2, (at) => event(`old ${at}`)));
    const other = await newProject();
    await Promise.all([
      record(times(5, (at) => event(`new ${at}`, { userDigest: `u${at}` }))),
      recordEvents(prepared, { projectId: other, receivedAt: NOON, events: [event("new 0")], dropped: [] }),
    ]);
    await record([event("old 7"), event("newest"), event("new 0")]);
    expect(await db.trackedError.count({ where: { projectId } })).toBe(ERRORS_MAX + 1);
    const overflow = await db.trackedError.findFirst({
      where: { projectId, fingerprint: OVERFLOW.fingerprint },
    });
    expect(overflow).toMatchObject({ eventCount: 4, userCount: 3, name: OVERFLOW.name });
    expect(await db.errorEvent.count({ where: { errorId: overflow?.id ?? 0 } })).toBe(4);
    expect(await db.trackedError.findFirst({ where: { projectId: other } })).toMatchObject({ eventCount: 1 });
    const existing = { projectId, fingerprint: "old 7" };
    expect(await db.trackedError.findFirst({ where: existing })).toMatchObject({ eventCount: 2 });
  });
});

describe("the recording of events", () => {
  const tracked = async (): Promise<void> => {
    const data = { projectId, active: true, integrated: true, updatedAt: NOON };
    await db.errorTrackingSetting.create({ data });
  };
  const storedBytes = async (): Promise<number> =>
    Number((await db.errorTrackingSetting.findFirstOrThrow({ where: { projectId } })).storedBytes);
  const payloadBytes = async (): Promise<number> =>
    (await db.errorEvent.findMany({ where: { error: { projectId } } })).reduce(
      (sum, { payload }) => sum + Buffer.byteLength(payload),
      0,
    );
  const counts = async (): Promise<readonly string[]> =>
    (await db.errorIngest.findMany({ where: { projectId } }))
      .map(({ outcome, count }) => `${outcome} ${count}`)
      .toSorted();
  let keys = 0;
  const sender = (newErrorsPerHour: number, storedBytesMax: number) => {
    const limits = { keyId: ++keys, newErrorsPerHour, storedBytesMax };
    return (events: readonly RecordedEvent[], receivedAt = NOON) =>
      recordEvents(prepared, { projectId, limits, receivedAt, events, dropped: [] });
  };
  const payload = (bytes: number): string => JSON.stringify("ä".repeat(bytes / 2 - 1));

  it(
    conformance(
      "SC-09",
      "the server drops and counts the events of new tracked errors that exceed the hourly limit of a client key",
    ),
    async () => {
      const send = sender(3, 0);
      await send([event("a"), event("b")]);
      const committed = await send([event("a"), event("c"), event("d"), event("d"), event("e")]);
      expect(committed).toMatchObject([
        { outcome: "accepted", count: 2 },
        { outcome: "new_errors", count: 3 },
      ]);
      expect((await errors()).map(({ fingerprint }) => fingerprint)).toEqual(["a", "b", "c"]);
      expect(await counts()).toEqual(["accepted 4", "new_errors 3"]);
      await sender(3, 0)([event("d")]);
      await send([event("e")], new Date(NOON.getTime() + 3_600_000));
      expect((await errors()).map(({ fingerprint }) => fingerprint)).toEqual(["a", "b", "c", "d", "e"]);
      await send([event("a"), event("b")]);
      expect(await counts()).toEqual(["accepted 1", "accepted 7", "new_errors 3"]);
    },
  );

  it(
    conformance("SC-09", "the server counts stored bytes correctly when events replace older events"),
    async () => {
      await tracked();
      const send = sender(0, 0);
      await send(times(30, () => event("a", { payload: payload(1_000) })));
      expect(await storedBytes()).toBe(30_000);
      await send(times(30, () => event("a", { payload: payload(500) })));
      await send([event("b", { payload: payload(2_000) }), event("a", { payload: payload(3_000) })]);
      await Promise.all(times(70, (at) => send([event("c", { payload: payload(100 + 2 * at) })])));
      await send(times(70, (at) => event("d", { payload: payload(100 + 2 * at) })));
      expect(await storedBytes()).toBe(await payloadBytes());
      expect(await payloadBytes()).toBeGreaterThan(40_000);
    },
  );

  it(
    conformance(
      "SC-09",
      "when a project stores too many bytes, the server removes and counts the oldest events of the project",
    ),
    async () => {
      await tracked();
      const send = sender(0, 100_000);
      const at = (second: number): Date => new Date(NOON.getTime() + second * 1_000);
      for (const [second, name] of ["old", "older", "seen again", "new"].entries())
        await send(
          times(2, () => event(name, { payload: payload(12_000) })),
          at(second),
        );
      await send([event("old", { payload: payload(2_000) })], at(5));
      expect(await storedBytes()).toBe(98_000);
      await send([event("newest", { payload: payload(10_000) })], at(6));
      const left = await db.trackedError.findMany({
        where: { projectId },
        orderBy: { lastSeenAt: "asc" },
        select: { fingerprint: true, events: true, eventCount: true },
      });
      expect(left.map((error) => [error.fingerprint, error.eventCount, error.events.length])).toEqual([
        ["older", 2, 0],
        ["seen again", 2, 2],
        ["new", 2, 2],
        ["old", 3, 3],
        ["newest", 1, 1],
      ]);
      expect(await storedBytes()).toBe(84_000);
      expect(await payloadBytes()).toBe(84_000);
      expect(await counts()).toEqual(["accepted 10", "storage 2"]);
      await send([event("older", { payload: payload(4_000) })], at(7));
      expect(await storedBytes()).toBe(88_000);
    },
  );

  it("the pruning job subtracts only the bytes of the events that it deletes", async () => {
    await tracked();
    const send = sender(0, 0);
    await send([event("a", { payload: payload(1_000) }), event("b", { payload: payload(500) })]);
    const before = new Date(NOON.getTime() + 1_000);
    const old = (await oldErrorEvents(db, before, 1_000_000)).filter(
      (event) => event.projectId === projectId,
    );
    expect(old).toHaveLength(2);
    // The ring buffer of a tracked error has EVENTS_KEPT slots, so the newer events overwrite the old event.
    await send(
      times(EVENTS_KEPT, () => event("a", { payload: payload(2_000) })),
      before,
    );
    await deleteErrorEvents(db, before, old);
    expect(await payloadBytes()).toBe(100_000);
    expect(await storedBytes()).toBe(100_000);
    // Another process has read the same old events.
    await deleteErrorEvents(db, before, old);
    expect(await storedBytes()).toBe(100_000);
  });

  it(
    conformance(
      "SC-09",
      "the server applies the storage limit of a project when several processes write concurrently",
    ),
    async () => {
      await tracked();
      const other = await openDatabase(config);
      afterThisFile(other.close);
      const limits = { keyId: ++keys, newErrorsPerHour: 0, storedBytesMax: 50_000 };
      await Promise.all(
        times(120, (at) =>
          recordEvents(at % 2 === 0 ? prepared : other.prepared, {
            projectId,
            limits,
            receivedAt: new Date(NOON.getTime() + at),
            events: [event(`e${at % 20}`, { payload: payload(1_000) })],
            dropped: [],
          }),
        ),
      );
      expect(await payloadBytes()).toBeLessThanOrEqual(50_000);
      expect(await storedBytes()).toBe(await payloadBytes());
    },
  );
});

describe("concurrent events of several processes", () => {
  it("concurrent events of several processes are added up, for existing and for new tracked errors", async () => {
    const other = await openDatabase(config);
    afterThisFile(other.close);
    const writes = times(200, (at) =>
      record(
        [event(`e${at % 7}`, { userDigest: `u${at % 10}` }), event(`n${at}`)],
        NOON,
        at % 2 === 0 ? prepared : other.prepared,
      ),
    );
    expect(new Set(await Promise.all(writes))).toEqual(new Set([true]));
    const rows = await errors();
    expect(rows).toHaveLength(207);
    expect(rows.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(400);
    const { _sum } = await db.errorIngest.aggregate({ where: { projectId }, _sum: { count: true } });
    expect(_sum.count).toBe(400);
  });
});

describe("the counts of a tracked error", () => {
  it("the counts of a tracked error stop at the maximum value of their database columns, and no exception is thrown", async () => {
    await record([event("a")]);
    await db.trackedError.updateMany({ where: { projectId }, data: { eventCount: 2_147_483_646 } });
    expect(await record(times(3, () => event("a")))).toBe(true);
    expect(await onlyError()).toMatchObject({ eventCount: 2_147_483_647, nextSlot: 4 });
  });
});

describe("the counts of dropped items", () => {
  it("the count of dropped items stops at the maximum value of its column, and the rest of the batch is stored", async () => {
    const drop = { outcome: "client_other", category: "error", count: 1_000_000_000 };
    const other = await newProject();
    const outcomes = await Promise.all([
      recordEvents(prepared, { projectId, receivedAt: NOON, events: [], dropped: [drop, drop, drop, drop] }),
      recordEvents(prepared, {
        projectId,
        receivedAt: NOON,
        events: [],
        dropped: [drop, { ...drop, count: 3e9 }],
      }),
      recordEvents(prepared, { projectId: other, receivedAt: NOON, events: [event("a")], dropped: [] }),
    ]);
    expect(outcomes).not.toContain(false);
    const counted = await db.errorIngest.findMany({ where: { projectId } });
    expect(counted.map(({ count }) => count)).toEqual([2_147_483_647]);
  });
});

describe("a batch of events", () => {
  it("a batch of events is stored except for an event that the database rejects", async () => {
    const broken = event("broken", { occurredAt: new Date(Number.NaN) });
    const outcomes = await Promise.allSettled([record([event("a")]), record([broken]), record([event("a")])]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await errors()).toMatchObject([{ eventCount: 2 }]);
  });
});
