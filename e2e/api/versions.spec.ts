import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { expect, test } from "../fixtures.ts";
import { type Desk, hasGit, openDesk } from "../git/git.ts";
import { type Instance, startInstance } from "../instance.ts";

test.skip(!hasGit(), notRunnableWithout("git"));

type Json = Readonly<Record<string, unknown>>;
type ApiResponse = Readonly<{ status: number; body: Json; headers: Headers }>;
type SendRequest = (version: "v4" | "v5", method: string, path: string, body?: Json) => Promise<ApiResponse>;

/** The name of each row in the table of deprecations in docs/api-versions.md. */
const ROWS = readFileSync("docs/api-versions.md", "utf8")
  .split("\n")
  .flatMap((line) => /\| `(\w+)` \|$/.exec(line)?.[1] ?? []);

const PROJECT = "/projects/sea%2Fchart";
/** The common date of all deprecations in docs/api-versions.md, in the format of RFC 9745. */
const SINCE = `@${Date.parse("2026-11-21T00:00:00Z") / 1000}`;

let instance: Instance;
let desk: Desk;
let token: string;
let runnerId: number;

const send: SendRequest = async (version, method, path, body) => {
  const response = await fetch(`${instance.baseUrl}/api/${version}${path}`, {
    method,
    headers: { "private-token": token, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
};

async function cli(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli(...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

test.beforeAll(async () => {
  instance = await startInstance();
  desk = openDesk();
  const scopes = "api create_runner manage_runner";
  token = await cli("token", "create", "--user", "root", "--scopes", scopes, "--name", "versions");
  await cli("project", "create", "--path", "sea/chart", "--owner", "root");
  await branchesPushed();
  for (const source_branch of ["north", "south"])
    await send("v5", "POST", `${PROJECT}/merge_requests`, {
      ...{ source_branch, target_branch: "main", title: source_branch },
    });
  await send("v5", "PUT", `${PROJECT}/merge_requests/1/merge`);
  const created = await send("v5", "POST", "/user/runners", { runner_type: "instance_type" });
  runnerId = Number(created.body["id"]);
});

/** Creates two branches that conflict in one file. */
async function branchesPushed(): Promise<void> {
  const { host } = new URL(instance.baseUrl);
  const clone = join(desk.folder, "chart");
  await desk.ok(["clone", "-q", `http://root:${token}@${host}/sea/chart.git`, clone]);
  const commit = async (branch: string, text: string) => {
    await desk.ok(["checkout", "-q", "-B", branch, ...(branch === "main" ? [] : ["main"])], clone);
    writeFileSync(join(clone, "depth.txt"), text);
    await desk.ok(["add", "."], clone);
    await desk.ok(["commit", "-q", "-m", `Measure ${branch}`], clone);
  };
  await commit("main", "unknown\n");
  await commit("north", "12\n");
  await commit("south", "17\n");
  await desk.ok(["push", "-q", "--all", "origin"], clone);
}

test.afterAll(async () => {
  desk?.remove();
  await instance?.stop();
});

/** Asserts that a v4 response reports the deprecation `name`. */
function expectDeprecation(old: ApiResponse, name: string): void {
  expect(old.headers.get("deprecation")).toBe(SINCE);
  const anchor = `v5-${name.replaceAll("_", "-")}`;
  expect(old.headers.get("link")).toContain(`<${instance.baseUrl}/help/api#${anchor}>; rel="deprecation"`);
}

const without = (body: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/**
 * Compares the responses of an endpoint in v4 and v5, for a field that v5 omits or returns with another
 * value.
 */
const field =
  (path: () => string, name: string, values: Readonly<{ v4: unknown; v5?: unknown }>, others: string[]) =>
  async (row: string) => {
    const [old, preview] = [await send("v4", "GET", path()), await send("v5", "GET", path())];
    expect([old.status, preview.status]).toEqual([200, 200]);
    expect(old.body[name]).toEqual(values.v4);
    expect(preview.body[name]).toEqual(values.v5);
    expect(without(old.body, [name, ...others])).toEqual(without(preview.body, [name, ...others]));
    expectDeprecation(old, row);
    expect(preview.headers.get("deprecation")).toBeNull();
  };

/** Checks an endpoint that is missing from v5, and the successor of the endpoint. */
const endpoint = (path: string, successor: string) => async (row: string) => {
  const [old, preview] = [await send("v4", "GET", path), await send("v5", "GET", path)];
  expect(old.status).toBe(200);
  expectDeprecation(old, row);
  expect(old.headers.get("link")).toContain(
    `<${instance.baseUrl}/api/v4${successor}>; rel="successor-version"`,
  );
  expect(preview.status).toBe(404);
  expect(preview.body["message"]).toContain(`/api/v5${successor}`);
  expect(preview.headers.get("deprecation")).toBeNull();
  expect((await send("v5", "GET", successor)).status).toBe(200);
};

const RUNNER_FIELDS = ["active", "ip_address", "status"];
const APPROVER_FIELDS = ["approvers", "approver_groups", "approval_groups"];
const MERGE_REQUEST_FIELDS = ["merged_by", "merge_status"];
const runner = () => `/runners/${runnerId}`;
const approvals = (name: string) => field(() => `${PROJECT}/approvals`, name, { v4: [] }, APPROVER_FIELDS);

const CASES: Readonly<Record<string, (row: string) => Promise<void>>> = {
  geo_nodes: async (row) => {
    const site = { name: "here", url: "https://here.example.com/", primary: true };
    expect((await send("v4", "POST", "/geo_nodes", site)).status).toBe(201);
    await endpoint("/geo_nodes", "/geo_sites")(row);
    const [legacySite, currentSite] = [
      await send("v4", "GET", "/geo_nodes/1"),
      await send("v5", "GET", "/geo_sites/1"),
    ];
    const differing = ["web_edit_url", "_links"];
    expect(without(legacySite.body, differing)).toEqual(without(currentSite.body, differing));
    expect(legacySite.body["_links"]).toMatchObject({
      self: expect.stringMatching(/\/api\/v4\/geo_nodes\/1$/),
    });
    expect(currentSite.body["_links"]).toMatchObject({
      self: expect.stringMatching(/\/api\/v5\/geo_sites\/1$/),
    });
  },
  merge_request_merged_by: async (row) => {
    const merged = await send("v5", "GET", `${PROJECT}/merge_requests/1`);
    expect(merged.body).toMatchObject({ state: "merged", merge_user: { username: "root" } });
    const v4 = merged.body["merge_user"];
    await field(() => `${PROJECT}/merge_requests/1`, "merged_by", { v4 }, MERGE_REQUEST_FIELDS)(row);
    await field(() => `${PROJECT}/merge_requests/2`, "merged_by", { v4: null }, MERGE_REQUEST_FIELDS)(row);
  },
  merge_request_merge_status: async (row) => {
    const conflict = await send("v5", "GET", `${PROJECT}/merge_requests/2`);
    expect(conflict.body).toMatchObject({ detailed_merge_status: "conflict" });
    const v4 = "cannot_be_merged";
    await field(() => `${PROJECT}/merge_requests/2`, "merge_status", { v4 }, MERGE_REQUEST_FIELDS)(row);
  },
  private_profile_null: async (row) => {
    const about = { name: "Cy", email: "cy@example.com", username: "cy", force_random_password: true };
    const created = await send("v4", "POST", "/users", { ...about, private_profile: null });
    expect(created).toMatchObject({ status: 201, body: { private_profile: false } });
    expectDeprecation(created, row);
    const path = `/users/${created.body["id"]}`;
    const refused = await send("v5", "PUT", path, { private_profile: null });
    expect(refused).toMatchObject({ status: 400, body: { error: "private_profile is empty" } });
    for (const version of ["v4", "v5"] as const) {
      const changed = await send(version, "PUT", path, { private_profile: true });
      expect(changed).toMatchObject({ status: 200, body: { private_profile: true } });
      expect(changed.headers.get("deprecation")).toBeNull();
    }
  },
  merge_request_changes: async (row) => {
    const mergeRequest = `${PROJECT}/merge_requests/2`;
    await endpoint(`${mergeRequest}/changes`, `${mergeRequest}/diffs`)(row);
    const [old, preview] = [
      await send("v4", "GET", `${mergeRequest}/changes`),
      await send("v5", "GET", `${mergeRequest}/diffs`),
    ];
    expect(old.body["changes"]).toEqual(preview.body);
  },
  managed_licenses: endpoint(`${PROJECT}/managed_licenses`, `${PROJECT}/license_approval_policies`),
  approvers: approvals("approvers"),
  approver_groups: approvals("approver_groups"),
  approval_groups: approvals("approval_groups"),
  runner_active: field(runner, "active", { v4: true }, RUNNER_FIELDS),
  runner_active_sent: async (row) => {
    const paused = await send("v4", "PUT", runner(), { active: false });
    expect(paused).toMatchObject({ status: 200, body: { active: false, paused: true } });
    expectDeprecation(paused, row);
    const both = await send("v4", "PUT", runner(), { active: true, paused: true });
    expect(both).toMatchObject({ status: 400, body: { error: "active, paused are mutually exclusive" } });
    expect((await send("v5", "PUT", runner(), { active: true })).status).toBe(400);
    const changed = await send("v5", "PUT", runner(), { description: "deep", active: true });
    expect(changed).toMatchObject({ status: 200, body: { paused: true } });
    expect((await send("v5", "PUT", runner(), { paused: false })).body).toMatchObject({ paused: false });
  },
  runner_status: async (row) => {
    await send("v5", "PUT", runner(), { paused: true });
    await field(runner, "status", { v4: "paused", v5: "not_connected" }, RUNNER_FIELDS)(row);
    await send("v5", "PUT", runner(), { paused: false });
    await field(runner, "status", { v4: "not_connected", v5: "not_connected" }, RUNNER_FIELDS)(row);
  },
  runner_status_sent: async (row) => {
    const listed = async (query: string) => (await send("v4", "GET", `/runners/all?${query}`)).body["length"];
    expect([await listed("status=active"), await listed("status=paused")]).toEqual([1, 0]);
    expectDeprecation(await send("v4", "GET", "/runners/all?status=paused"), row);
    const refused = await send("v5", "GET", "/runners/all?status=paused");
    expect(refused).toMatchObject({ status: 400, body: { error: "status does not have a valid value" } });
  },
  runner_ip_address: field(runner, "ip_address", { v4: "" }, RUNNER_FIELDS),
};

test("every row of the table of deprecations has a test case, and every test case has a row", () => {
  expect(ROWS.length).toBeGreaterThan(9);
  expect(Object.keys(CASES).toSorted()).toEqual(ROWS.toSorted());
});

for (const [row, walk] of Object.entries(CASES))
  test(`the deprecated part ${row} differs between v4 and v5 as documented`, () => walk(row));

test("the server counts a user's uses of deprecated parts of v4, and does not count requests to v5", async () => {
  const own = await send("v5", "GET", "/deprecated_uses?per_page=100");
  const counts = own.body as unknown as readonly Json[];
  expect(counts.map(({ name }) => name).toSorted()).toEqual(ROWS.toSorted());
  expect(counts.find(({ name }) => name === "private_profile_null")).toMatchObject({
    kind: "parameter",
    count: 1,
    user: { username: "root" },
    application: null,
  });
});
