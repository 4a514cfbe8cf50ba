import { GET } from "@app/-/errors/[id]/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { GAUGES } from "@/kernel/metrics/catalog.ts";
import { metricsText, metricValues, openMetrics } from "@/kernel/metrics/metrics.ts";
import { prune } from "@/operations/pruning/service.ts";
import { apiUser } from "@/testing/api.ts";
import { ORIGIN, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { setMatchingStatuses } from "./change-all.ts";
import type { ErrorSort } from "./rules.ts";
import {
  countsOverTime,
  type ErrorListInput,
  errorEvents,
  findTrackedError,
  ingest,
  ingestCounts,
  listErrors,
  listVersion,
  setErrorStatus,
  setErrorStatuses,
} from "./service.ts";

const deps = await openTestDeps();
let project: AuthorizedProject;
let other: AuthorizedProject;
let projects = 0;
let ann: Awaited<ReturnType<typeof apiUser>>;

beforeAll(async () => {
  ann = await apiUser(deps, "ann");
  other = await projectOf(deps, ann.user, "other");
});
beforeEach(async () => {
  project = await projectOf(deps, ann.user, `shop${++projects}`);
});

let ids = 0;
const eventId = (): string => (++ids).toString(16).padStart(32, "0");
const report = async (body: Record<string, unknown>, to: AuthorizedProject = project): Promise<void> => {
  expect(await ingest(deps, to, { events: [{ eventId: eventId(), body }], dropped: [] })).toBe(true);
};
const ANY: ErrorListInput = {
  status: null,
  environment: null,
  query: null,
  sort: "last_seen",
  page: 1,
  perPage: 20,
};
const list = async (change: Partial<ErrorListInput> = {}) => {
  const { errors, total } = await listErrors(deps, project, { ...ANY, ...change });
  return { names: errors.map(({ message }) => message), total };
};
const onlyId = async (): Promise<number> => {
  const { errors } = await listErrors(deps, project, ANY);
  expect(errors).toHaveLength(1);
  return errors[0]?.id ?? 0;
};

describe("a resolved error that occurs again", () => {
  it("a resolved tracked error that occurs again is marked as regressed until a user sets a status", async () => {
    await report({ message: "back" });
    const id = await onlyId();
    const regressedAt = async () => (await findTrackedError(deps, project, id))?.regressedAt;
    await setErrorStatus(deps, project, id, "resolved");
    expect(await regressedAt()).toBeNull();
    deps.advance(60);
    await report({ message: "back" });
    expect(await regressedAt()).toEqual(deps.clock());
    await report({ message: "back" });
    expect((await listErrors(deps, project, ANY)).errors[0]).toMatchObject({
      status: "unresolved",
      regressedAt: deps.clock(),
    });
    await setErrorStatus(deps, project, id, "ignored");
    await report({ message: "back" });
    expect(await regressedAt()).toBeNull();
  });
});

describe("several selected errors", () => {
  it("several selected tracked errors get a new status together, while tracked errors of other projects stay unchanged", async () => {
    for (const message of ["one", "two", "three"]) await report({ message });
    await report({ message: "foreign" }, other);
    const { errors } = await listErrors(deps, project, ANY);
    const [foreign] = (await listErrors(deps, other, { ...ANY, query: "foreign" })).errors;
    const selected = errors.slice(0, 2).map(({ id }) => id);
    const all = [...selected, foreign?.id ?? 0, 999_999];
    expect(await setErrorStatuses(deps, project, all, "resolved")).toBe(2);
    expect(await setErrorStatuses(deps, project, selected, "resolved"), "a second time").toBe(0);
    expect((await list({ status: "resolved" })).total).toBe(2);
    expect((await listErrors(deps, other, { ...ANY, query: "foreign" })).errors[0]?.status).toBe(
      "unresolved",
    );
    expect(await setErrorStatuses(deps, project, [], "resolved")).toBe(0);
  });
});

describe("a change of all errors that match a filter", () => {
  it("a status change for all tracked errors that match a filter affects only errors of the project that existed when the list was shown", async () => {
    for (const message of ["cart a", "cart b", "search"]) await report({ message });
    await report({ message: "cart elsewhere" }, other);
    const filter = { status: "unresolved", environment: null, query: "CART" } as const;
    const earlier = new Date(deps.clock().getTime() - 60_000);
    const change = (firstSeenUntil: Date) =>
      setMatchingStatuses(deps, project, filter, { status: "ignored", firstSeenUntil });
    expect(await change(earlier), "errors that appeared later").toBe(0);
    expect(await change(deps.clock())).toBe(2);
    expect(await change(deps.clock()), "a second time").toBe(0);
    expect((await list({ status: "ignored" })).names.toSorted()).toEqual(["cart a", "cart b"]);
    expect((await listErrors(deps, other, { ...ANY, query: "elsewhere" })).errors[0]?.status).toBe(
      "unresolved",
    );
  });
});

describe("the version of the list", () => {
  it("the version of the list of tracked errors changes only if a tracked error is added, occurs again or gets another status", async () => {
    const versions = [await listVersion(deps, project)];
    const add = async () => versions.push(await listVersion(deps, project));
    await report({ message: "a" });
    await add();
    await report({ message: "a" });
    await add();
    await setErrorStatus(deps, project, await onlyId(), "resolved");
    await add();
    expect(new Set(versions).size).toBe(4);
    await report({ message: "elsewhere" }, other);
    expect(await listVersion(deps, project)).toBe(versions.at(-1));
  });

  it("GET /-/errors/:project returns the version of the list of tracked errors to members as an entity tag, and responds to other users with 404", async () => {
    await report({ message: "a" });
    const poll = (cookie: string | null, tag = "") =>
      GET(
        new Request(`${ORIGIN}/-/errors/${project.id}`, {
          headers: { ...(cookie === null ? {} : { cookie }), "if-none-match": tag },
        }),
        { params: Promise.resolve({ id: String(project.id) }) },
      );
    const member = await signedInUser(deps, `member${projects}`);
    const stranger = await signedInUser(deps, `stranger${projects}`);
    await memberOf(deps, project, member.user, "reporter");
    const response = await poll(member.cookie);
    const tag = response.headers.get("etag") ?? "";
    expect([response.status, tag]).toEqual([204, `"${await listVersion(deps, project)}"`]);
    expect((await poll(member.cookie, tag)).status).toBe(304);
    await report({ message: "b" });
    expect((await poll(member.cookie, tag)).status).toBe(204);
    for (const cookie of [stranger.cookie, null]) expect((await poll(cookie, tag)).status).toBe(404);
  });
});

describe("the list of tracked errors", () => {
  it("the list of tracked errors contains only tracked errors of one project, and can be filtered, sorted and divided into pages", async () => {
    await report({ message: "first", environment: "staging" });
    deps.advance(60);
    for (let time = 0; time < 3; time++) await report({ message: "second", environment: "production" });
    deps.advance(60);
    await report({ message: "third 100%" });
    deps.advance(60);
    await report({ message: "first", environment: "production" });
    await report({ message: "not ours" }, other);
    expect(await list()).toEqual({ names: ["first", "third 100%", "second"], total: 3 });
    const sorted = async (sort: ErrorSort) => (await list({ sort })).names;
    expect(await sorted("first_seen")).toEqual(["third 100%", "second", "first"]);
    expect(await sorted("count")).toEqual(["second", "first", "third 100%"]);
    expect(await sorted("frequency")).toEqual(await sorted("count"));
    expect(await list({ environment: "production" })).toEqual({ names: ["first", "second"], total: 2 });
    expect(await list({ environment: "prod" })).toEqual({ names: [], total: 0 });
    expect((await list({ query: " SECond " })).names).toEqual(["second"]);
    expect((await list({ query: "\0" })).total).toBe(3);
    expect(await list({ page: 2, perPage: 2 })).toEqual({ names: ["second"], total: 3 });
    expect(await list({ page: 9, perPage: 2 })).toEqual({ names: [], total: 3 });
  });

  it("the list of tracked errors can be filtered by status", async () => {
    await report({ message: "a" });
    await report({ message: "b" });
    const id = (await listErrors(deps, project, { ...ANY, query: "a" })).errors[0]?.id;
    await setErrorStatus(deps, project, id ?? 0, "resolved");
    expect((await list({ status: "unresolved" })).names).toEqual(["b"]);
    expect((await list({ status: "resolved" })).names).toEqual(["a"]);
    expect((await list({ status: "ignored" })).total).toBe(0);
  });
});

describe("a tracked error", () => {
  it("a tracked error is returned with its environments, releases and counts", async () => {
    const raised = { exception: { type: "TypeError", value: "x" }, transaction: "GET /", platform: "node" };
    await report({ ...raised, release: "2", environment: "production", user: { email: "a@b.example" } });
    await report({ ...raised, release: "1", environment: "production", user: { email: "c@d.example" } });
    await report({ ...raised, release: "1", user: { email: "a@b.example" } });
    const occurredAt = deps.clock();
    expect(await findTrackedError(deps, project, await onlyId())).toMatchObject({
      name: "TypeError",
      message: "x",
      culprit: "GET /",
      platform: "node",
      level: "error",
      status: "unresolved",
      statusChangedAt: null,
      firstSeenAt: occurredAt,
      lastSeenAt: occurredAt,
      eventCount: 3,
      userCount: 2,
      environments: [{ value: "production", eventCount: 2 }],
      releases: [
        { value: "1", eventCount: 2, firstSeenAt: occurredAt, lastSeenAt: occurredAt },
        { value: "2", eventCount: 1 },
      ],
    });
    const users = JSON.stringify(await deps.db.errorUser.findMany());
    expect(users).not.toContain("example");
  });

  it("a tracked error cannot be read or changed in a request for another project", async () => {
    await report({ message: "a" });
    const id = await onlyId();
    expect(await findTrackedError(deps, other, id)).toBeNull();
    expect(await setErrorStatus(deps, other, id, "resolved")).toBeNull();
    expect(await errorEvents(deps, other, id)).toBeNull();
    expect(await countsOverTime(deps, other, [id], "24h")).toEqual(new Map());
    expect(await findTrackedError(deps, project, 999_999)).toBeNull();
    expect((await findTrackedError(deps, project, id))?.status).toBe("unresolved");
  });

  it("a tracked error becomes unresolved if it occurs again after it was resolved, but stays ignored after it was ignored", async () => {
    await report({ message: "a" });
    const id = await onlyId();
    deps.advance(5);
    const at = deps.clock();
    expect(await setErrorStatus(deps, project, id, "resolved")).toMatchObject({
      status: "resolved",
      statusChangedAt: at,
    });
    deps.advance(5);
    expect(await setErrorStatus(deps, project, id, "resolved")).toMatchObject({ statusChangedAt: at });
    await report({ message: "a" });
    expect(await findTrackedError(deps, project, id)).toMatchObject({
      status: "unresolved",
      statusChangedAt: deps.clock(),
    });
    await setErrorStatus(deps, project, id, "ignored");
    await report({ message: "a" });
    expect(await findTrackedError(deps, project, id)).toMatchObject({ status: "ignored", eventCount: 3 });
  });

  it("the newest events of a tracked error are returned newest first, with the data that the SDK sent", async () => {
    for (let at = 0; at < 53; at++) await report({ message: "a", release: `${at}`, tags: { at } });
    const events = (await errorEvents(deps, project, await onlyId())) ?? [];
    expect(events.map(({ release }) => Number(release))).toEqual(
      Array.from({ length: 50 }, (_, at) => 52 - at),
    );
    expect(events[0]).toMatchObject({
      eventId: ids.toString(16).padStart(32, "0"),
      level: "error",
      receivedAt: deps.clock(),
      payload: { message: "a", tags: [["at", "52"]], exceptions: [] },
    });
  });
});

describe("the counts of a tracked error over time", () => {
  it("the counts of a tracked error have a point for every hour or day, including hours and days without events", async () => {
    await report({ message: "a" });
    deps.advance(2 * 3600);
    await report({ message: "a" });
    await report({ message: "a" });
    const id = await onlyId();
    const points = async (range: "24h" | "14d") =>
      ((await countsOverTime(deps, project, [id], range)).get(id) ?? []).map(({ count }) => count);
    expect(await points("24h")).toEqual([...new Array(21).fill(0), 1, 0, 2]);
    expect((await points("14d")).slice(-2)).toEqual([0, 3]);
    deps.advance(24 * 3600);
    expect(await points("24h")).toEqual(new Array(24).fill(0));
    expect((await points("14d")).slice(-2)).toEqual([3, 0]);
  });
});

describe("the metrics of error events", () => {
  it("the metrics count stored and dropped error events after the commit, including new errors above the hourly limit", async () => {
    const noGauges = Object.fromEntries(Object.keys(GAUGES).map((name) => [name, () => []]));
    await openMetrics(noGauges as unknown as Parameters<typeof openMetrics>[0]);
    const events = ["a", "b", "c"].map((message) => ({ eventId: eventId(), body: { message } }));
    const dropped = [
      { outcome: "not_kept", category: "transaction", count: 5 },
      { outcome: "quota", category: "error", count: 2 },
    ];
    const limits = { keyId: 4711, newErrorsPerHour: 2, storedBytesMax: 0 };
    expect(await ingest(deps, project, { events, dropped, limits })).toBe(true);
    const failing = {
      ...deps,
      prepared: { ...deps.prepared, write: () => Promise.reject(new Error("full")) },
    };
    await expect(ingest(failing, project, { events, dropped, limits })).rejects.toThrow("full");
    const { text } = await metricsText([await metricValues()]);
    expect(text.match(/^gatehouse_error_events_\S+ \d+$/gm)?.toSorted()).toEqual([
      'gatehouse_error_events_dropped_total{reason="new_errors"} 1',
      'gatehouse_error_events_dropped_total{reason="quota"} 2',
      "gatehouse_error_events_received_total 2",
    ]);
  });
});

describe("the ingest counts of a project", () => {
  it("the ingest counts of a project contain dropped items by reason and category", async () => {
    await report({ message: "a" });
    const dropped = [
      { outcome: "not_kept", category: "transaction", count: 5 },
      { outcome: "quota", category: "error", count: 2 },
    ];
    await ingest(deps, project, { events: [], dropped });
    await ingest(deps, other, { events: [], dropped });
    expect(await ingestCounts(deps, project, "24h")).toEqual([
      ...dropped,
      { outcome: "accepted", category: "error", count: 1 },
    ]);
    deps.advance(2 * 3600);
    await report({ message: "a" });
    expect((await ingestCounts(deps, project, "24h")).at(-1), "the sum of two hours").toMatchObject({
      count: 2,
    });
    deps.advance(25 * 3600);
    expect(await ingestCounts(deps, project, "24h")).toEqual([]);
    expect(await ingestCounts(deps, project, "14d")).toHaveLength(3);
  });
});

describe("the retention job", () => {
  it(
    conformance(
      "SC-09",
      "after the retention period, the retention job removes tracked errors and events with their bytes and counts, and keeps newer rows",
    ),
    async () => {
      await changeSettings(deps, { error_retention_days: "0" });
      await report({ message: "old", user: { id: 1 }, release: "1" });
      await report({ message: "again" });
      deps.advance(400 * 86_400);
      expect(await prune(deps)).toMatchObject({
        errors: 0,
        error_events: 0,
        error_hours: 0,
        error_counts: 0,
      });
      await changeSettings(deps, { error_retention_days: "30" });
      await report({ message: "again" });
      const old = await deps.db.trackedError.count({ where: { lastSeenAt: { lt: deps.clock() } } });
      await deps.db.errorTrackingSetting.create({
        data: {
          projectId: project.id,
          active: true,
          integrated: true,
          updatedAt: deps.clock(),
          storedBytes: 1e9,
        },
      });
      const oldEvents = await deps.db.errorEvent.findMany({
        where: {
          error: { projectId: project.id },
          receivedAt: { lt: new Date(deps.clock().getTime() - 1_000) },
        },
      });
      expect(await prune(deps)).toMatchObject({ errors: old });
      const { storedBytes } = await deps.db.errorTrackingSetting.findFirstOrThrow({
        where: { projectId: project.id },
      });
      expect(1e9 - Number(storedBytes)).toBe(
        oldEvents.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0),
      );
      expect((await list()).names).toEqual(["again"]);
      expect(await findTrackedError(deps, project, await onlyId())).toMatchObject({ eventCount: 2 });
      for (const left of [
        deps.db.errorEvent.count(),
        deps.db.errorHour.count(),
        deps.db.errorIngest.count(),
        deps.db.trackedError.count(),
      ])
        expect(await left).toBe(1);
      for (const gone of [deps.db.errorUser.count(), deps.db.errorFacet.count()]) expect(await gone).toBe(0);
      await report({ message: "again" });
      expect(await errorEvents(deps, project, await onlyId())).toHaveLength(2);
    },
  );
});
