import * as key from "@app/api/v4/projects/[id]/error_tracking/client_keys/[key_id]/route.ts";
import * as keys from "@app/api/v4/projects/[id]/error_tracking/client_keys/route.ts";
import * as settings from "@app/api/v4/projects/[id]/error_tracking/settings/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/error-tracking/settings/service.ts";
import { type ApiRequest, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const stranger = await apiUser(deps, "stranger");

const API_URL = "https://errors.example.com/api/0/projects/acme/my-shop/";
const NOT_FOUND = { status: 404, body: { message: "404 Error Tracking Setting Not Found" } };

let projectCount = 0;
let project: AuthorizedProject;

beforeEach(async () => {
  projectCount += 1;
  project = await projectOf(deps, owner.user, `shop-${projectCount}`);
  await memberOf(deps, project, maintainer.user, "maintainer");
});

const ROUTES = { GET: settings.GET, PUT: settings.PUT, PATCH: settings.PATCH };
const KEY_ROUTES = { GET: keys.GET, POST: keys.POST };

const callSettings = (method: keyof typeof ROUTES, options: ApiRequest = {}) =>
  callApi(ROUTES[method], method, {
    token: maintainer.token,
    path: { id: String(project.id) },
    ...options,
  }).then(({ status, body }) => ({ status, body }));

const callKeys = (method: "GET" | "POST", options: ApiRequest = {}) =>
  callApi(KEY_ROUTES[method], method, {
    token: maintainer.token,
    path: { id: project.fullPath },
    ...options,
  });

const removeKey = (id: string, token = maintainer.token) =>
  callApi(key.DELETE, "DELETE", { token, path: { id: String(project.id), key_id: id } });

const INTEGRATED = {
  active: true,
  project_name: null,
  errtool_external_url: null,
  api_url: null,
  integrated: true,
};

const configureRemote = (active: boolean) =>
  changeSettings(
    deps,
    project,
    { active, integrated: false, remote: { apiUrl: API_URL, projectName: null, token: "secret-token" } },
    owner.user,
  );

describe("the error tracking settings of a project", () => {
  it("the error tracking settings of a project do not exist until a PUT request creates the settings", async () => {
    expect(await callSettings("GET")).toEqual(NOT_FOUND);
    expect(await callSettings("PATCH", { query: "?active=true" })).toEqual(NOT_FOUND);
    expect(await callSettings("PUT", { query: "?active=true&integrated=true" })).toEqual({
      status: 200,
      body: INTEGRATED,
    });
    expect(await callSettings("GET")).toEqual({ status: 200, body: INTEGRATED });
  });

  it.each<[string, ApiRequest]>([
    ["the query", { query: "?active=true&integrated=true" }],
    ["a form", { form: "active=true&integrated=true" }],
    ["JSON", { json: { active: true, integrated: true } }],
    ["the query and a form body", { query: "?active=1", form: "integrated=t" }],
  ])("PUT accepts the error tracking parameters in %s", async (_where, options) => {
    expect(await callSettings("PUT", options)).toEqual({ status: 200, body: INTEGRATED });
    const off = { ...INTEGRATED, active: false };
    expect(await callSettings("PATCH", { json: { active: false } })).toEqual({ status: 200, body: off });
  });

  it.each<[string, "PUT" | "PATCH", ApiRequest, string]>([
    ["PUT without parameters", "PUT", {}, "active is missing, integrated is missing"],
    ["PUT without active", "PUT", { query: "?integrated=true" }, "active is missing"],
    ["PUT without integrated", "PUT", { query: "?active=true" }, "integrated is missing"],
    ["PUT with an empty value", "PUT", { form: "active=&integrated=true" }, "active is empty"],
    ["PUT with null", "PUT", { json: { active: true, integrated: null } }, "integrated is empty"],
    ["PUT with a word", "PUT", { query: "?active=maybe&integrated=true" }, "active is invalid"],
    ["PATCH without active", "PATCH", { query: "?integrated=true" }, "active is missing"],
    ["PATCH with an empty value", "PATCH", { query: "?active=" }, "active is empty"],
    ["PATCH with a number", "PATCH", { json: { active: 2 } }, "active is invalid"],
    [
      "PATCH with a word",
      "PATCH",
      { json: { active: true, integrated: "no idea" } },
      "integrated is invalid",
    ],
    [
      "PATCH with a repeated parameter",
      "PATCH",
      { query: "?active=true&active=false" },
      "active is sent more than once",
    ],
  ])("the endpoints for error tracking settings reject %s", async (_what, method, options, error) => {
    await callSettings("PUT", { query: "?active=false&integrated=true" });
    expect(await callSettings(method, options)).toEqual({ status: 400, body: { error } });
    expect((await callSettings("GET")).body).toEqual({ ...INTEGRATED, active: false });
  });

  it("turning on integrated tracking creates one client key if the project has no active key", async () => {
    await callSettings("PUT", { query: "?active=false&integrated=true" });
    expect((await callKeys("GET")).body).toEqual([]);
    await callSettings("PATCH", { query: "?active=true" });
    await callSettings("PATCH", { query: "?active=true" });
    expect((await callKeys("GET")).body).toHaveLength(1);
    await deps.db.errorTrackingClientKey.updateMany({ data: { active: false } });
    await callSettings("PATCH", { query: "?active=true" });
    expect((await callKeys("GET")).body).toHaveLength(2);
  });

  it("PUT activates error tracking with an external service only if the service is configured; otherwise, the response names the missing fields", async () => {
    const refused = {
      status: 400,
      body: { message: { api_url: ["is a required field"], token: ["is a required field"] } },
    };
    expect(await callSettings("PUT", { query: "?active=true&integrated=false" })).toEqual(refused);
    expect(await callSettings("GET")).toEqual(NOT_FOUND);
    await callSettings("PUT", { query: "?active=true&integrated=true" });
    expect(await callSettings("PATCH", { query: "?active=true&integrated=false" })).toEqual(refused);
    expect((await callSettings("GET")).body).toEqual(INTEGRATED);
    expect(await callSettings("PATCH", { query: "?active=false&integrated=false" })).toEqual({
      status: 200,
      body: { ...INTEGRATED, active: false, integrated: false },
    });
  });

  it("the settings API returns the settings of the external service only while this service stores the tracked errors, and never returns the token of the service", async () => {
    expect(await configureRemote(true)).toMatchObject({ settings: { active: true, hasToken: true } });
    const external = {
      active: true,
      project_name: "My Shop",
      errtool_external_url: "https://errors.example.com/acme/my-shop",
      api_url: API_URL,
      integrated: false,
    };
    expect(await callSettings("GET")).toEqual({ status: 200, body: external });
    expect(await callSettings("PATCH", { query: "?active=true&integrated=true" })).toEqual({
      status: 200,
      body: INTEGRATED,
    });
    expect((await callSettings("PUT", { query: "?active=true&integrated=false" })).body).toEqual(external);
    const row = await deps.db.errorTrackingSetting.findUniqueOrThrow({ where: { projectId: project.id } });
    expect(Object.values(row).join("\n")).not.toContain("secret-token");
    expect(JSON.stringify(deps.logged)).not.toContain("secret-token");
  });

  it("the audit log records each change of the error tracking settings and the user who made the change", async () => {
    await callSettings("PUT", { query: "?active=true&integrated=true" });
    const events = await deps.db.auditEvent.findMany({
      where: { userId: maintainer.user.id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["error_tracking.changed", "client_key.created"]),
    );
  });

  it("two concurrent requests that turn on error tracking create only one client key", async () => {
    await callSettings("PUT", { query: "?active=false&integrated=true" });
    await Promise.all([
      callSettings("PATCH", { query: "?active=true" }),
      callSettings("PATCH", { query: "?active=true" }),
    ]);
    expect((await callKeys("GET")).body).toHaveLength(1);
  });

  it("the error tracking settings are found by the full path of the project in any letter case, but not by the name of the project alone", async () => {
    await callSettings("PUT", { query: "?active=true&integrated=true" });
    expect((await callSettings("GET", { path: { id: project.fullPath.toUpperCase() } })).status).toBe(200);
    expect(await callSettings("GET", { path: { id: project.path } })).toEqual({
      status: 404,
      body: { message: "404 Project Not Found" },
    });
  });
});

describe("the client keys of a project", () => {
  it("client keys are created, listed in pages, and deleted", async () => {
    const first = await callKeys("POST");
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(Number),
      active: true,
      public_key: expect.stringMatching(/^ghek_[0-9a-f]{32}$/),
      errtool_dsn: expect.stringMatching(
        new RegExp(`^http://ghek_[0-9a-f]{32}@localhost:3000/api/v4/error_tracking/collector/${project.id}$`),
      ),
    });
    const second = await callKeys("POST", { json: { public_key: "mine", active: false } });
    const listed = await callKeys("GET", { query: "?per_page=1&page=2" });
    expect(listed.body).toEqual([second.body]);
    expect(Object.fromEntries(listed.headers)).toMatchObject({
      "x-total": "2",
      "x-total-pages": "2",
      "x-page": "2",
      "x-per-page": "1",
      "x-prev-page": "1",
      "x-next-page": "",
    });
    const { id } = first.body as { id: number };
    const removed = await removeKey(String(id));
    expect({ status: removed.status, body: removed.body }).toEqual({ status: 200, body: first.body });
    expect((await removeKey(String(id))).body).toEqual({ message: "404 Not found" });
    expect((await callKeys("GET")).body).toEqual([second.body]);
  });

  it("a client key cannot be deleted by a request for another project", async () => {
    const { id } = (await callKeys("POST")).body as { id: number };
    const other = await projectOf(deps, maintainer.user, `other-${projectCount}`);
    const path = { id: String(other.id), key_id: String(id) };
    const response = await callApi(key.DELETE, "DELETE", { token: maintainer.token, path });
    expect(response.status).toBe(404);
    expect((await callKeys("GET")).body).toHaveLength(1);
  });

  it.each(["0", "x", "-1", "1e3", "99999999999999999999", "1; DROP TABLE"])(
    "a request to delete the client key with the invalid id %s is rejected",
    async (id) => {
      expect([400, 404]).toContain((await removeKey(id)).status);
    },
  );

  it("client keys are visible only to maintainers", async () => {
    await callKeys("POST");
    for (const [token, status, message] of [
      [stranger.token, 404, "404 Project Not Found"],
      [undefined, 401, "401 Unauthorized"],
    ] as const)
      for (const method of ["GET", "POST"] as const) {
        const response = await callKeys(method, { token });
        expect({ status: response.status, body: response.body }).toEqual({ status, body: { message } });
      }
  });
});
