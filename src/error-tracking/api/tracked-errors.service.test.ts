import * as envelope from "@app/api/v4/error_tracking/collector/api/[id]/envelope/route.ts";
import * as events from "@app/api/v4/projects/[id]/error_tracking/errors/[error_id]/events/route.ts";
import * as error from "@app/api/v4/projects/[id]/error_tracking/errors/[error_id]/route.ts";
import * as errors from "@app/api/v4/projects/[id]/error_tracking/errors/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings, createClientKey } from "@/error-tracking/settings/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const developer = await apiUser(deps, "developer");
const reporter = await apiUser(deps, "reporter");

let projectCount = 0;
let project: AuthorizedProject;
let publicKey: string;

beforeEach(async () => {
  projectCount += 1;
  project = await projectOf(deps, owner.user, `shop-${projectCount}`);
  await memberOf(deps, project, developer.user, "developer");
  await memberOf(deps, project, reporter.user, "reporter");
  await changeSettings(deps, project, { active: true, integrated: true }, owner.user);
  publicKey = (await createClientKey(deps, project, owner.user))?.publicKey ?? "";
});

type Reported = Readonly<{
  type: string;
  value?: string;
  environment?: string;
  release?: string;
  user?: string;
}>;

/** Reports an error to the collector in the format of an SDK. */
async function report({
  type,
  value = "It broke",
  environment = "production",
  release = "1.0",
  user = "u1",
}: Reported) {
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const event = {
    event_id: eventId,
    level: "error",
    platform: "node",
    environment,
    release,
    user: { id: user },
    tags: { area: "checkout" },
    exception: {
      values: [
        {
          type,
          value,
          stacktrace: {
            frames: [
              {
                function: "pay",
                module: "checkout",
                filename: "checkout.js",
                lineno: 3,
                in_app: true,
                pre_context: ["a"],
                context_line: "throw it",
                post_context: ["b"],
              },
            ],
          },
        },
      ],
    },
  };
  const lines = [{ event_id: eventId }, { type: "event" }, event].map((line) => JSON.stringify(line));
  const url = `${ORIGIN}/api/v4/error_tracking/collector/api/${project.id}/envelope/?sentry_key=${publicKey}`;
  const request = new Request(url, { method: "POST", body: `${lines.join("\n")}\n` });
  const response = await envelope.POST(request, { params: Promise.resolve({ id: String(project.id) }) });
  expect(await response.json()).toEqual({ id: eventId });
  return eventId;
}

type Row = Readonly<{ id: number; name: string; status: string; count: number }>;

const list = async (query = "", token = reporter.token) => {
  const response = await callApi(errors.GET, "GET", { token, query, path: { id: String(project.id) } });
  return { ...response, rows: response.body as readonly Row[] };
};
const pathOf = (id: number) => ({ id: String(project.id), error_id: String(id) });
const setStatus = (id: number, status: string, token = developer.token) =>
  callApi(error.PUT, "PUT", { token, path: pathOf(id), json: { status } });

describe("the tracked errors of a project", () => {
  it("tracked errors are visible immediately after a report, grouped by fingerprint", async () => {
    await report({ type: "TypeError", user: "u1" });
    deps.advance(60);
    const newest = await report({ type: "TypeError", user: "u2", environment: "staging" });
    await report({ type: "RangeError" });
    const { rows, headers } = await list("?sort=count");
    expect(headers.get("x-total")).toBe("2");
    expect(rows[0]).toEqual({
      id: expect.any(Number),
      name: "TypeError",
      message: "It broke",
      culprit: "pay (checkout)",
      platform: "node",
      level: "error",
      status: "unresolved",
      count: 2,
      user_count: 2,
      first_seen: expect.stringMatching(/^2026-11-21T1\d:\d\d:00\.000Z$/),
      last_seen: expect.stringMatching(/^2026-11-21T1\d:\d\d:00\.000Z$/),
      web_url: `${ORIGIN}/projects/${project.id}/errors/${rows[0]?.id}`,
    });
    const path = pathOf(rows[0]?.id ?? 0);
    const details = await callApi(error.GET, "GET", { token: reporter.token, path });
    expect(details.body).toMatchObject({
      ...rows[0],
      environments: [
        { value: "production", count: 1 },
        { value: "staging", count: 1 },
      ],
      releases: [{ value: "1.0", count: 2 }],
    });
    const { frequency } = details.body as { frequency: { count: number }[] };
    expect(frequency).toHaveLength(24);
    expect(frequency.at(-1)?.count).toBe(2);
    const storedEvents = await callApi(events.GET, "GET", { token: reporter.token, path });
    expect(storedEvents.headers.get("x-total")).toBe("2");
    expect((storedEvents.body as readonly unknown[])[0]).toMatchObject({
      event_id: newest,
      environment: "staging",
      tags: [{ key: "area", value: "checkout" }],
      exceptions: [
        {
          type: "TypeError",
          frames: [{ filename: "checkout.js", lineno: 3, context_line: "throw it", pre_context: ["a"] }],
        },
      ],
    });
  });

  it("the list of tracked errors can be filtered by status, environment and text, and can be sorted", async () => {
    await report({ type: "FirstError", environment: "staging" });
    deps.advance(1);
    await report({ type: "SecondError", value: "Card declined" });
    deps.advance(1);
    await report({ type: "FirstError" });
    const names = async (query: string) => (await list(query)).rows.map(({ name }) => name);
    expect(await names("")).toEqual(["FirstError", "SecondError"]);
    expect(await names("?sort=first_seen")).toEqual(["SecondError", "FirstError"]);
    expect(await names("?environment=staging")).toEqual(["FirstError"]);
    expect(await names("?query=DECLINED")).toEqual(["SecondError"]);
    expect(await names("?query=100%25")).toEqual([]);
    expect(await names("?per_page=1&page=2")).toEqual(["SecondError"]);
    const [first] = (await list()).rows;
    await setStatus(first?.id ?? 0, "ignored");
    expect(await names("")).toEqual(["SecondError"]);
    expect(await names("?status=ignored")).toEqual(["FirstError"]);
    expect(await names("?status=all")).toHaveLength(2);
  });

  it("a resolved tracked error becomes unresolved when it occurs again, but an ignored tracked error stays ignored", async () => {
    await report({ type: "TypeError" });
    const id = (await list()).rows[0]?.id ?? 0;
    expect(await setStatus(id, "resolved")).toMatchObject({ status: 200, body: { status: "resolved" } });
    expect((await list()).rows).toEqual([]);
    await report({ type: "TypeError" });
    expect((await list()).rows).toMatchObject([{ id, status: "unresolved", count: 2 }]);
    await setStatus(id, "ignored");
    await report({ type: "TypeError" });
    expect((await list("?status=all")).rows).toMatchObject([{ id, status: "ignored", count: 3 }]);
    expect(await setStatus(id, "unresolved")).toMatchObject({ body: { status: "unresolved" } });
  });

  it.each<[string, string, number, unknown]>([
    ["an unknown status", "?status=closed", 400, { error: "status does not have a valid value" }],
    ["an unknown order", "?sort=random", 400, { error: "sort does not have a valid value" }],
    ["keyset pagination", "?pagination=keyset", 405, { error: expect.stringContaining("Keyset") }],
  ])("the list of tracked errors rejects a query with %s", async (_what, query, status, body) => {
    expect(await list(query)).toMatchObject({ status, body });
  });

  it("a tracked error belongs to one project and can be changed only by developers", async () => {
    await report({ type: "TypeError" });
    const id = (await list()).rows[0]?.id ?? 0;
    expect(await setStatus(id, "resolved", reporter.token)).toMatchObject({ status: 403 });
    expect(await setStatus(id, "gone")).toMatchObject({
      status: 400,
      body: { error: "status does not have a valid value" },
    });
    const other = await projectOf(deps, developer.user, `other-${projectCount}`);
    const path = { id: String(other.id), error_id: String(id) };
    const absent = { status: 404, body: { message: "404 Error Not Found" } };
    const request = { token: developer.token, path };
    expect(await callApi(error.GET, "GET", request)).toMatchObject(absent);
    expect(await callApi(events.GET, "GET", request)).toMatchObject(absent);
    expect(await callApi(error.PUT, "PUT", { ...request, json: { status: "resolved" } })).toMatchObject(
      absent,
    );
    expect((await list()).rows).toMatchObject([{ status: "unresolved" }]);
  });
});
