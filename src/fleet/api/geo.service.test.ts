import * as nodeStatus from "@app/api/v4/geo_nodes/[id]/status/route.ts";
import * as nodes from "@app/api/v4/geo_nodes/route.ts";
import * as repair from "@app/api/v4/geo_sites/[id]/repair/route.ts";
import * as site from "@app/api/v4/geo_sites/[id]/route.ts";
import * as status from "@app/api/v4/geo_sites/[id]/status/route.ts";
import * as sites from "@app/api/v4/geo_sites/route.ts";
import * as statuses from "@app/api/v4/geo_sites/status/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { PRODUCT_VERSION } from "@/kernel/config/product.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });
const ann = await apiUser(deps, "ann");
const token = root.token;
const group = await groupOf(deps, ann.user, "team");
await projectOf(deps, ann.user, "one");
await projectOf(deps, ann.user, "two", { group });

beforeEach(async () => {
  await deps.db.geoSite.deleteMany();
  await deps.db.application.deleteMany();
});

type Row = Record<string, unknown> & { id: number };
const create = (json: object, by = token) => callApi(sites.POST, "POST", { token: by, json });
async function createSite(json: object): Promise<Row> {
  const { status, body } = await create(json);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Row;
}
const second = { name: "second", url: "https://second.example.com/base" };
const first = { name: "first", url: "https://first.example.com", primary: true };
const path = (id: number) => ({ id: String(id) });
const read = (id: number) => callApi(site.GET, "GET", { token, path: path(id) });
const change = (id: number, json: object) => callApi(site.PUT, "PUT", { token, path: path(id), json });
const remove = (id: number) => callApi(site.DELETE, "DELETE", { token, path: path(id) });
const statusOf = async (id: number) =>
  (await callApi(status.GET, "GET", { token, path: path(id) })).body as Row;
const report = (id: number, json: object) => callApi(status.POST, "POST", { token, path: path(id), json });

describe("Geo sites in the API", () => {
  it("a new Geo site has the settings in the request, and defaults for all other settings", async () => {
    const site = await createSite({
      ...second,
      files_max_capacity: 3,
      selective_sync_type: "shards",
      selective_sync_shards: "a,b",
    });
    const self = `http://localhost:3000/api/v4/geo_sites/${site.id}`;
    expect(site).toEqual({
      id: site.id,
      name: "second",
      url: "https://second.example.com/base/",
      internal_url: "https://second.example.com/base/",
      primary: false,
      enabled: true,
      current: false,
      files_max_capacity: 3,
      repos_max_capacity: 25,
      verification_max_capacity: 100,
      container_repositories_max_capacity: 10,
      selective_sync_type: "shards",
      selective_sync_shards: ["a", "b"],
      selective_sync_namespace_ids: [],
      minimum_reverification_interval: 7,
      sync_object_storage: false,
      web_edit_url: `http://localhost:3000/admin/geo/sites/${site.id}/edit`,
      _links: { self, status: `${self}/status`, repair: `${self}/repair` },
    });
    expect((await read(site.id)).body).toEqual(site);
    const listed = await callApi(nodes.GET, "GET", { token });
    const asNode = `http://localhost:3000/api/v4/geo_nodes/${site.id}`;
    expect(listed.body).toEqual([
      {
        ...site,
        web_edit_url: `http://localhost:3000/admin/geo/sites/${site.id}/edit`,
        _links: { self: asNode, status: `${asNode}/status`, repair: `${asNode}/repair` },
      },
    ]);
  });

  it("only one of several concurrent requests can create a primary site", async () => {
    const responses = await Promise.all(
      ["a", "b", "c"].map((name) => create({ name, url: `https://${name}.example.com`, primary: true })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    expect(await create({ ...first, name: "again" })).toMatchObject({
      status: 400,
      body: { message: { primary: ["has already been taken"] } },
    });
    const rows = await deps.db.geoSite.findMany();
    expect(rows.map(({ primarySlot }) => primarySlot)).toEqual([1]);
    expect(await deps.db.application.count()).toBe(0);
    const same = await Promise.all([create(second), create(second)]);
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    expect((await create(second)).body).toEqual({
      message: { name: ["has already been taken"], url: ["has already been taken"] },
    });
    expect(await deps.db.application.count()).toBe(1);
  });

  it.each<[string, object, unknown]>([
    ["no URL", { name: "x" }, { error: "url is missing" }],
    [
      "a javascript: URL",
      { ...second, url: "javascript:alert(1)" },
      { message: { url: [expect.any(String)] } },
    ],
    [
      "a URL with a password",
      { ...second, url: "https://a:b@x.example" },
      { message: { url: [expect.any(String)] } },
    ],
    [
      "a URL with a query",
      { ...second, url: "https://x.example/?" },
      { message: { url: [expect.any(String)] } },
    ],
    ["a blank name", { ...second, name: " " }, { message: { name: ["can't be blank"] } }],
    [
      "a capacity of zero",
      { ...second, repos_max_capacity: 0 },
      { error: "repos_max_capacity does not have a valid value" },
    ],
    [
      "an unknown type of selective synchronization",
      { ...second, selective_sync_type: "x" },
      { error: "selective_sync_type is invalid" },
    ],
    [
      "an unknown group",
      { ...second, selective_sync_namespace_ids: "999" },
      { message: { selective_sync_namespace_ids: ["there is no group 999"] } },
    ],
    [
      "a disabled primary",
      { ...first, enabled: false },
      { message: { enabled: [expect.stringContaining("primary")] } },
    ],
  ])("the API does not create a Geo site with %s", async (_what, json, body) => {
    expect(await create(json)).toMatchObject({ status: 400, body });
    expect(await deps.db.geoSite.count()).toBe(0);
  });

  it("an update cannot change whether a Geo site is the primary site or a secondary site", async () => {
    const primary = await createSite(first);
    const { id } = await createSite(second);
    const response = await change(id, {
      name: "moved",
      internal_url: "http://10.0.0.2",
      selective_sync_type: "namespaces",
      selective_sync_namespace_ids: [group.id],
      primary: true,
    });
    expect(response).toMatchObject({
      status: 200,
      body: {
        name: "moved",
        url: "https://second.example.com/base/",
        internal_url: "http://10.0.0.2/",
        primary: false,
        selective_sync_type: "namespaces",
        selective_sync_namespace_ids: [group.id],
      },
    });
    expect((await statusOf(id))["namespaces"]).toMatchObject([{ id: group.id, full_path: "team" }]);
    expect((await change(id, { selective_sync_type: null })).body).toMatchObject({
      selective_sync_type: null,
    });
    expect((await change(id, { url: "https://first.example.com/" })).body).toEqual({
      message: { url: ["has already been taken"] },
    });
    expect((await change(id, {})).status).toBe(400);
    expect((await change(primary.id, { enabled: false })).status).toBe(400);
    expect((await change(999_999, { enabled: false })).body).toEqual({ message: "404 Geo Site Not Found" });
  });

  it("concurrent requests can change different fields of a Geo site, and a change never restores a site that was deleted concurrently", async () => {
    const { id } = await createSite(second);
    const capacities = ["files", "repos", "verification", "container_repositories"].map(
      (name) => `${name}_max_capacity`,
    );
    const all = await Promise.all(capacities.map((name, at) => change(id, { [name]: at + 3 })));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await read(id)).body).toMatchObject(
      Object.fromEntries(capacities.map((name, at) => [name, at + 3])),
    );
    const urls = ["a", "b", "c"].map((name) => ({ url: `https://${name}.example.com` }));
    const [removed, ...moved] = await Promise.all([remove(id), ...urls.map((json) => change(id, json))]);
    expect(removed.status).toBe(204);
    for (const { status } of moved) expect([200, 404]).toContain(status);
    expect(await deps.db.application.count()).toBe(0);
  });

  it("the OAuth application of a Geo site is replaced when the URL changes, created by a repair if it is missing, and deleted with the site", async () => {
    const { id } = await createSite(second);
    const only = () => deps.db.application.findFirstOrThrow();
    const before = await only();
    expect(before).toMatchObject({
      redirectUris: "https://second.example.com/base/oauth/geo/callback",
      scopes: "openid profile email",
      trusted: false,
    });
    expect((await change(id, { url: "https://other.example.com" })).status).toBe(200);
    const moved = await only();
    expect(moved.redirectUris).toBe("https://other.example.com/oauth/geo/callback");
    expect(moved.id).not.toBe(before.id);
    expect(await statusOf(id)).toMatchObject({ missing_oauth_application: false });
    await deps.db.application.deleteMany();
    expect(await statusOf(id)).toMatchObject({ missing_oauth_application: true });
    const repairs = [1, 2].map(() => callApi(repair.POST, "POST", { token, path: path(id) }));
    for (const response of await Promise.all(repairs))
      expect(response).toMatchObject({
        status: 200,
        body: { geo_node_id: id, missing_oauth_application: false },
      });
    expect(await deps.db.application.count()).toBe(1);
    expect((await remove(id)).status).toBe(204);
    expect(await deps.db.application.count()).toBe(0);
    expect((await remove(id)).status).toBe(404);
  });

  it("only administrators can read and change Geo sites", async () => {
    const { id } = await createSite(second);
    for (const call of [
      create(first, ann.token),
      callApi(sites.GET, "GET", { token: ann.token }),
      callApi(statuses.GET, "GET", { token: ann.token }),
      callApi(status.POST, "POST", { token: ann.token, path: path(id), json: { projects_count: 1 } }),
    ])
      expect((await call).status).toBe(403);
  });
});

describe("the status of a Geo site", () => {
  it("the status of the primary site contains the current numbers of projects and repositories", async () => {
    const { id } = await createSite(first);
    const self = `http://localhost:3000/api/v4/geo_sites/${id}`;
    const now = await statusOf(id);
    expect(now).toMatchObject({
      geo_node_id: id,
      healthy: true,
      health: "Healthy",
      health_status: "Healthy",
      projects_count: 2,
      repositories_count: 2,
      repositories_synced_count: null,
      repositories_synced_in_percentage: "0.00%",
      db_replication_lag_seconds: null,
      version: PRODUCT_VERSION,
      updated_at: deps.clock().toISOString(),
      _links: { self: `${self}/status`, site: self },
    });
    const project = await projectOf(deps, ann.user, "three");
    expect(await statusOf(id)).toMatchObject({ projects_count: 3 });
    await deps.db.project.delete({ where: { id: project.id } });
    expect(await report(id, { projects_count: 9 })).toMatchObject({ status: 400 });
  });

  it("the status of a secondary site is the last status report of the site, and is unhealthy if this report is outdated", async () => {
    const { id } = await createSite(second);
    const unknown = { healthy: false, health_status: "Unhealthy", projects_count: null, version: null };
    expect(await statusOf(id)).toMatchObject({ ...unknown, health: "Never reported", updated_at: null });
    const figures = {
      projects_count: 2,
      repositories_count: "3",
      repositories_synced_count: 1,
      version: "0.1.0",
    };
    const response = await report(id, { ...figures, db_replication_lag_seconds: 4, health: "Healthy" });
    const reported = {
      healthy: true,
      health: "Healthy",
      projects_count: 2,
      repositories_count: 3,
      repositories_synced_count: 1,
      repositories_synced_in_percentage: "33.33%",
      db_replication_lag_seconds: 4,
      version: "0.1.0",
      updated_at: deps.clock().toISOString(),
    };
    expect(response).toMatchObject({ status: 201, body: reported });
    const node = await callApi(nodeStatus.GET, "GET", { token, path: path(id) });
    const url = `http://localhost:3000/api/v4/geo_nodes/${id}`;
    expect(node.body).toMatchObject({ ...reported, _links: { self: `${url}/status`, node: url } });
    deps.advance(601);
    expect(await statusOf(id)).toMatchObject({
      ...reported,
      healthy: false,
      health: "Status has not been updated in the past 10 minutes",
    });
    expect((await report(id, { health: "The disk is full" })).body).toMatchObject({
      healthy: false,
      health: "The disk is full",
      projects_count: null,
    });
    expect((await report(id, { projects_count: -1 })).status).toBe(400);
    expect((await report(999_999, {})).status).toBe(404);
  });

  it("the statuses of all Geo sites are returned in pages", async () => {
    const ids = [(await createSite(first)).id, (await createSite(second)).id];
    const all = await callApi(statuses.GET, "GET", { token, pathname: "/api/v4/geo_sites/status" });
    expect((all.body as Row[]).map((row) => row["geo_node_id"])).toEqual(ids);
    expect((all.body as Row[]).map((row) => row["health"])).toEqual(["Healthy", "Never reported"]);
    expect(all.headers.get("x-total")).toBe("2");
    const page = await callApi(statuses.GET, "GET", { token, query: "?per_page=1&page=2" });
    expect((page.body as Row[]).map((row) => row["geo_node_id"])).toEqual(ids.slice(1));
  });
});
