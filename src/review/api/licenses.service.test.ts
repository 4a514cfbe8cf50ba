import * as approvals from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as onePolicy from "@app/api/v4/projects/[id]/license_approval_policies/[policy_id]/route.ts";
import * as policyConvert from "@app/api/v4/projects/[id]/license_approval_policies/convert/route.ts";
import * as policies from "@app/api/v4/projects/[id]/license_approval_policies/route.ts";
import * as oneManaged from "@app/api/v4/projects/[id]/managed_licenses/[managed_license_id]/route.ts";
import * as managed from "@app/api/v4/projects/[id]/managed_licenses/route.ts";
import * as approve from "@app/api/v4/projects/[id]/merge_requests/[iid]/approve/route.ts";
import * as violations from "@app/api/v4/projects/[id]/merge_requests/[iid]/license_violations/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as oneRequest from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as requests from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import { describe, expect, it } from "vitest";
import { type ApiRequest, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const dev = await apiUser(deps, "dev");
const reporter = await apiUser(deps, "reporter");

type Json = Readonly<Record<string, unknown>>;
type Route = Parameters<typeof callApi>[0];

let projects = 0;

/**
 * Creates a project with a developer and a reporter, and returns functions that call the API routes of the
 * project. By default, the owner sends the requests.
 */
async function setUp() {
  projects += 1;
  const project = await projectOf(deps, owner.user, `licensed-${projects}`);
  await memberOf(deps, project, dev.user, "developer");
  await memberOf(deps, project, reporter.user, "reporter");
  const call = async (
    module: Json,
    method: string,
    path: Readonly<Record<string, string>>,
    params: ApiRequest = {},
  ) => {
    const all = { token: owner.token, ...params, path: { id: String(project.id), ...path } };
    const { status, headers, body } = await callApi(module[method] as Route, method, all);
    return { status, headers, body: body as Json };
  };
  const manage = async (name: string, approval_status: string) =>
    (await call(managed, "POST", {}, { json: { name, approval_status } })).body;
  return { project, call, manage };
}

const eventsOf = async ({ id }: AuthorizedProject): Promise<readonly string[]> => {
  const rows = await deps.db.auditEvent.findMany({ orderBy: { id: "asc" } });
  return rows
    .filter(({ name, details }) =>
      name.startsWith("managed_") || name.startsWith("license_") ? JSON.parse(details).id === id : false,
    )
    .map(({ name }) => name);
};

describe("the managed licenses API", () => {
  it("the API v4 creates managed licenses, and returns, edits and deletes them by id or name; the API v5 responds with 404", async () => {
    const { project, call, manage } = await setUp();
    expect(await call(managed, "GET", {})).toMatchObject({ status: 200, body: [] });
    const mit = await manage("MIT", "approved");
    expect(mit).toEqual({ id: expect.any(Number), name: "MIT", approval_status: "allowed" });
    expect(await manage("Apache License 2.0/x", "blacklisted")).toMatchObject({ approval_status: "denied" });
    expect(await manage("ISC", "denied")).toMatchObject({ approval_status: "denied" });
    expect(await manage("mit", "denied")).toEqual({ message: { name: ["has already been taken"] } });
    for (const managed_license_id of [String(mit["id"]), "MIT", "mit"])
      expect(await call(oneManaged, "GET", { managed_license_id })).toMatchObject({ status: 200, body: mit });
    const slashed = { managed_license_id: "apache license 2.0/X" };
    expect((await call(oneManaged, "GET", slashed)).status).toBe(200);
    expect((await call(oneManaged, "GET", { ...slashed, id: project.fullPath })).status).toBe(200);
    const change = { json: { approval_status: "approved" } };
    expect((await call(oneManaged, "PATCH", slashed, change)).body).toMatchObject({
      approval_status: "allowed",
    });
    expect(await call(oneManaged, "DELETE", slashed)).toMatchObject({ status: 204, body: null });
    expect(await call(oneManaged, "DELETE", slashed)).toMatchObject({ status: 404 });
    const listed = `/api/v4/projects/${encodeURIComponent(project.fullPath)}/managed_licenses`;
    const page = await call(managed, "GET", {}, { pathname: listed, query: "?per_page=1&page=2" });
    expect(page.body).toMatchObject([{ name: "ISC" }]);
    expect(page.headers.get("x-total")).toBe("2");
    expect(page.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(page.headers.get("link")).toContain("successor-version");
    const url = `${listed.replace("v4", "v5")}/MIT`;
    const gone = await call(oneManaged, "GET", { managed_license_id: "MIT" }, { pathname: url });
    expect(gone.status).toBe(404);
    expect(gone.body["message"]).toContain("/license_approval_policies");
    const caseVariants = [`${url}/`, url.replace("managed_", "managed%5F"), url.replace("v5", "V5")];
    for (const spelled of [...caseVariants, `${listed.replace("v4", "v5")}/`]) {
      const again = await call(oneManaged, "GET", { managed_license_id: "MIT" }, { pathname: spelled });
      expect({ spelled, ...again }).toMatchObject({ spelled, status: 404, body: gone.body });
    }
    const warned = await call(managed, "GET", {}, { pathname: `${listed.replace("s", "%73")}/` });
    expect(warned.headers.get("link")).toContain(`${encodeURIComponent(project.fullPath)}/license_approval`);
    expect(await eventsOf(project)).toEqual([
      ...Array(3).fill("managed_license.added"),
      "managed_license.changed",
      "managed_license.removed",
    ]);
  });

  it("the managed licenses API rejects invalid managed licenses and managed licenses of other projects", async () => {
    const { call, manage } = await setUp();
    const other = await setUp();
    const { id } = await other.manage("MIT", "allowed");
    expect(await manage("", "allowed")).toEqual({ error: "name is empty" });
    expect(await manage("a\nb", "allowed")).toEqual({ error: "name is invalid" });
    expect(await manage("MIT", "maybe")).toEqual({ error: "approval_status does not have a valid value" });
    for (const managed_license_id of [String(id), "MIT", "99999999999"])
      expect((await call(oneManaged, "GET", { managed_license_id })).status).toBe(404);
    const asDev = { token: dev.token, json: { name: "MIT", approval_status: "allowed" } };
    expect((await call(managed, "POST", {}, asDev)).status).toBe(403);
    expect((await call(managed, "GET", {}, { token: dev.token })).status).toBe(200);
    expect((await call(managed, "GET", {}, { token: reporter.token })).status).toBe(403);
  });

  it("the managed licenses API adds a managed license only once when several requests for this license arrive simultaneously", async () => {
    const { call, manage } = await setUp();
    const responses = await Promise.all(Array.from({ length: 6 }, () => manage("MIT", "allowed")));
    expect(responses.filter((license) => "id" in license)).toHaveLength(1);
    expect((await call(managed, "GET", {})).body).toHaveLength(1);
  });
});

describe("the license approval policies API", () => {
  it("the license approval policies API creates, edits and deletes policies", async () => {
    const { project, call } = await setUp();
    const json = { name: "No copyleft", deny_list: ["GPL-3.0", "gpl-3.0", "AGPL-3.0"] };
    const created = await call(policies, "POST", {}, { json });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: "No copyleft",
        description: "",
        enabled: true,
        allow_list: [],
        deny_list: ["GPL-3.0", "AGPL-3.0"],
        approvals_required: 0,
      },
    });
    const path = { policy_id: String(created.body["id"]) };
    const form = "allow_list[]=MIT&allow_list[]=ISC&approvals_required=2&enabled=false";
    const changed = await call(onePolicy, "PUT", path, { form });
    const terms = { allow_list: ["MIT", "ISC"], approvals_required: 2, enabled: false, name: "No copyleft" };
    expect(changed.body).toMatchObject(terms);
    const v5 = { token: dev.token, pathname: `/api/v5/projects/${project.id}/license_approval_policies/1` };
    const read = await call(onePolicy, "GET", path, v5);
    expect(read).toMatchObject({ status: 200, body: changed.body });
    expect(read.headers.get("deprecation")).toBeNull();
    for (const bad of [
      { deny_list: ["mit"] },
      { allow_list: [], deny_list: [] },
      {},
      { approvals_required: 101 },
    ])
      expect((await call(onePolicy, "PUT", path, { json: bad })).status).toBe(400);
    expect((await call(onePolicy, "DELETE", path, { token: dev.token })).status).toBe(403);
    const other = await setUp();
    expect((await other.call(onePolicy, "PUT", path, { json: { enabled: true } })).status).toBe(404);
    expect((await other.call(onePolicy, "DELETE", path)).status).toBe(404);
    expect((await call(policies, "GET", {})).body).toHaveLength(1);
    expect((await call(onePolicy, "DELETE", path)).status).toBe(204);
    expect((await call(onePolicy, "GET", path)).status).toBe(404);
    const names = ["license_policy.created", "license_policy.changed", "license_policy.removed"];
    expect(await eventsOf(project)).toEqual(names);
  });

  it("managed licenses are converted to one license approval policy only once when several requests for the conversion arrive simultaneously", async () => {
    const { project, call, manage } = await setUp();
    const convert = async () => (await call(policyConvert, "POST", {})).body;
    expect(await convert()).toEqual({ converted: { allowed: 0, denied: 0 }, policy: null });
    await manage("MIT", "allowed");
    await manage("GPL-3.0", "denied");
    await manage("ISC", "allowed");
    const responses = await Promise.all([convert(), convert(), convert()]);
    expect(responses.filter(({ converted }) => (converted as Json)["allowed"] === 2)).toHaveLength(1);
    const [policy] = responses.map((conversion) => conversion["policy"] as Json);
    expect(policy).toMatchObject({ name: "Managed licenses", approvals_required: 1, enabled: true });
    expect(policy).toMatchObject({ allow_list: ["MIT", "ISC"], deny_list: ["GPL-3.0"] });
    expect((await call(managed, "GET", {})).body).toEqual([]);
    expect((await call(policies, "GET", {})).body).toHaveLength(1);
    await manage("isc", "denied");
    expect(await convert()).toMatchObject({
      converted: { allowed: 0, denied: 1 },
      policy: { id: policy?.["id"], allow_list: ["MIT"], deny_list: ["GPL-3.0", "isc"] },
    });
    expect((await eventsOf(project)).filter((name) => name === "license_policy.converted")).toHaveLength(2);
  });
});

const lock = (licenses: Readonly<Record<string, string>>) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(
      Object.entries(licenses).map(([name, license]) => [`node_modules/${name}`, { license }]),
    ),
  });

describe("licenses that a merge request introduces", GIT, () => {
  async function code() {
    const all = await setUp();
    const files = { "package-lock.json": lock({ old: "GPL-3.0", kept: "MIT" }), "a.txt": "a\n" };
    await commitAll(deps, all.project, [{ branch: "main", message: "Begin", files }]);
    const push = (branch: string, changed: Readonly<Record<string, string | null>>) =>
      commitAll(deps, all.project, [{ branch, message: "Go on", files: changed }]);
    let opened = 0;
    const open = async (changed: Readonly<Record<string, string | null>>, branch = `b${++opened}`) => {
      await push(branch, changed);
      const json = { source_branch: branch, target_branch: "main", title: branch };
      const { body } = await all.call(requests, "POST", {}, { json });
      expect(body).toMatchObject({ iid: expect.any(Number) });
      return { iid: String(body["iid"]) };
    };
    const statusOf = async (path: Readonly<{ iid: string }>) =>
      (await all.call(oneRequest, "GET", path)).body["detailed_merge_status"];
    const violationsOf = async (path: Readonly<{ iid: string }>, params: ApiRequest = {}) =>
      (await all.call(violations, "GET", path, params)).body as unknown as readonly Json[];
    const policy = async (json: Json) => {
      const { status, body } = await all.call(policies, "POST", {}, { json: { name: "Policy", ...json } });
      expect(status).toBe(201);
      return { policy_id: String(body["id"]) };
    };
    return { ...all, push, open, statusOf, violationsOf, policy };
  }

  it("a denied license blocks the merge until the license is removed from the branch, the merge request is approved, or the policy is disabled", async () => {
    const { call, push, open, statusOf, violationsOf, policy } = await code();
    const bringing = {
      "package-lock.json": lock({ old: "GPL-3.0", kept: "MIT", fresh: "GPL-3.0", two: "GPL-3.0" }),
    };
    const gpl = await open(bringing);
    const mit = await open({ "package-lock.json": lock({ old: "GPL-3.0", kept: "MIT", fresh: "MIT" }) });
    expect(await statusOf(gpl)).toBe("mergeable");
    // The licenses of a merge request are not determined before the project has a policy.
    expect(await deps.db.licenseFinding.count()).toBe(0);

    const path = await policy({ deny_list: ["gpl-3.0"] });
    const listed = (await call(requests, "GET", {})).body as unknown as readonly Json[];
    expect(listed.map((mergeRequest) => mergeRequest["detailed_merge_status"])).toEqual([
      "unchecked",
      "unchecked",
    ]);
    expect(await statusOf(gpl)).toBe("security_policy_violations");
    expect(await statusOf(mit)).toBe("mergeable");
    expect(await violationsOf(mit)).toEqual([]);
    const violation = {
      policy: { id: Number(path.policy_id), name: "Policy" },
      license: "GPL-3.0",
      reason: "denied",
      packages: ["fresh", "two"],
      packages_count: 2,
    };
    const hard = { approvals_required: 0, approvals_left: null, settled: false };
    expect(await violationsOf(gpl, { token: reporter.token })).toEqual([{ ...violation, ...hard }]);
    expect((await call(approve, "POST", gpl, { token: dev.token })).status).toBe(201);
    expect((await call(mergeRoute, "PUT", gpl)).status).toBe(405);

    // The merge request already has one approval, which permits the merge as soon as the policy requires only
    // one approval.
    await call(onePolicy, "PUT", path, { json: { approvals_required: 1 } });
    expect(await violationsOf(gpl)).toEqual([
      { ...violation, approvals_required: 1, approvals_left: 0, settled: true },
    ]);
    expect(await statusOf(gpl)).toBe("mergeable");
    // An approval permits only the merge of the approved head, even if a push does not remove approvals.
    await call(approvals, "POST", {}, { json: { reset_approvals_on_push: false } });
    await push("b1", { "a.txt": "b\n" });
    expect(await statusOf(gpl)).toBe("security_policy_violations");
    await call(onePolicy, "PUT", path, { json: { enabled: false } });
    expect(await statusOf(gpl)).toBe("mergeable");
    await call(onePolicy, "PUT", path, { json: { enabled: true } });
    await push("b1", { "package-lock.json": lock({ old: "GPL-3.0", kept: "MIT", fresh: "MIT" }) });
    expect(await statusOf(gpl)).toBe("mergeable");
    expect(await call(mergeRoute, "PUT", gpl)).toMatchObject({ status: 200, body: { state: "merged" } });
    expect(await violationsOf(gpl)).toEqual([]);
  });

  it("managed licenses have the same effect as the policy that results from their conversion", async () => {
    const { call, manage, open, statusOf, violationsOf } = await code();
    const lib = { "lib/composer.lock": JSON.stringify({ packages: [{ name: "a/b", license: ["ISC"] }] }) };
    const isc = await open(lib);
    await manage("MIT", "allowed");
    expect(await violationsOf(isc)).toMatchObject([
      {
        policy: { id: null, name: "Managed licenses" },
        license: "ISC",
        reason: "not_allowed",
        approvals_left: 1,
      },
    ]);
    await call(policyConvert, "POST", {});
    expect(await violationsOf(isc)).toMatchObject([
      { policy: { id: expect.any(Number) }, reason: "not_allowed" },
    ]);
    expect(await statusOf(isc)).toBe("security_policy_violations");
    await manage("ISC", "allowed");
    // Managed licenses and policies are both enforced: if a policy denies a license, a managed license cannot
    // allow the license.
    expect(await statusOf(isc)).toBe("security_policy_violations");
    await call(policyConvert, "POST", {});
    expect(await statusOf(isc)).toBe("mergeable");
  });

  it("an unreadable lock file blocks merging and auto-merge until enough users approve", async () => {
    const { call, push, open, statusOf, violationsOf, policy } = await code();
    await policy({ deny_list: ["GPL-3.0"], approvals_required: 1 });
    const broken = await open({ "web/npm-shrinkwrap.json": "{" });
    const large = await open({ "package-lock.json": `${lock({ a: "MIT" })}${" ".repeat(9 * 1024 * 1024)}` });
    const removed = await open({ "package-lock.json": null });
    expect(await violationsOf(broken)).toMatchObject([
      { license: null, reason: "unreadable", packages: ["web/npm-shrinkwrap.json"], packages_count: 1 },
    ]);
    expect(await violationsOf(large)).toMatchObject([
      { reason: "unreadable", packages: ["package-lock.json"] },
    ]);
    expect(await statusOf(removed)).toBe("mergeable");
    const options = { json: { auto_merge: true } };
    expect((await call(mergeRoute, "PUT", broken, options)).body).toMatchObject({ state: "opened" });
    expect((await call(approve, "POST", broken, { token: dev.token })).status).toBe(201);
    expect((await call(oneRequest, "GET", broken)).body).toMatchObject({ state: "merged" });
    await push("main", { "b.txt": "b\n" });
    expect(await statusOf(large)).toBe("security_policy_violations");
  });
});
