import { GitbeakerRequestError, Gitlab } from "@gitbeaker/rest";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { hasGit } from "../git/git.ts";
import type { Instance } from "../instance.ts";
import { pushCode } from "../pages/code-world.ts";
import { expect, test } from "./fixtures.ts";

type Client = InstanceType<typeof Gitlab<false>>;
type World = Readonly<{
  root: Client;
  token: string;
  projectId: number;
  ids: Readonly<Record<string, number>>;
}>;

const USERS = ["pia", "quin", "rosa", "sven", "tara"] as const;
const world: { created: World | null } = { created: null };

/**
 * Returns the projects and users of these tests. The first call creates the projects and users with
 * gitbeaker.
 */
async function worldOf(instance: Instance): Promise<World> {
  world.created ??= await makeWorld(instance);
  return world.created;
}

async function makeWorld(instance: Instance): Promise<World> {
  const args = ["--user", "root", "--scopes", "api", "--name", "gitbeaker", "--json"];
  const { token } = JSON.parse((await instance.cli("token", "create", ...args)).stdout);
  const root = new Gitlab({ host: instance.baseUrl, token });
  const { id: namespaceId } = await root.Groups.create("beaker", "beaker");
  for (const name of ["shop", "blog", "docs"]) await root.Projects.create({ name, namespaceId });
  const { id: projectId } = await root.Projects.show("beaker/shop");
  const ids: Record<string, number> = {};
  for (const username of USERS) {
    const email = `${username}@example.com`;
    const { id } = await root.Users.create({ username, email, name: username, password: "a long password" });
    await root.ProjectMembers.add(projectId, 30, { userId: id });
    ids[username] = id;
  }
  return { root, token, projectId, ids };
}

/** Returns a gitbeaker client whose token belongs to the user `username` and has one scope. */
async function clientOf(instance: Instance, username: string, scope: "api" | "read_user"): Promise<Client> {
  const { root, ids } = await worldOf(instance);
  const { token } = await root.PersonalAccessTokens.create(ids[username] ?? 0, "gitbeaker", [scope]);
  return new Gitlab({ host: instance.baseUrl, token: String(token) });
}

/** Returns the HTTP status of a refused gitbeaker call. */
async function refusedWith(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (cause) {
    if (cause instanceof GitbeakerRequestError) return cause.cause?.response.status ?? 0;
    throw cause;
  }
  throw new Error("The call was not refused.");
}

type Body = Readonly<Record<string, unknown>>;

/** The response fields that exist only in v4 of the API. */
const V4_ONLY = [
  ...["merged_by", "merge_status"],
  ...["approvers", "approver_groups", "approval_groups"],
  ...["active", "ip_address"],
];

const withoutV4 = (body: unknown): unknown =>
  Array.isArray(body)
    ? body.map(withoutV4)
    : Object.fromEntries(Object.entries(body as Body).filter(([name]) => !V4_ONLY.includes(name)));

const fieldsOf = (body: unknown): readonly string[] => Object.keys(body as Body).toSorted();

/**
 * Asserts that the responses of API v4 and API v5 have the same fields, except for fields that exist only in
 * v4.
 */
const expectAlike = (v4: unknown, v5: unknown): void => expect(fieldsOf(v5)).toEqual(fieldsOf(withoutV4(v4)));

/** Sends a plain HTTP request to API v5, as an administrator. */
async function plainV5(instance: Instance) {
  const { token } = await worldOf(instance);
  return async (method: string, path: string, input?: Body): Promise<Body> => {
    const response = await fetch(`${instance.baseUrl}/api/v5${path}`, {
      method,
      headers: { "private-token": token, "content-type": "application/json" },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    });
    const text = await response.text();
    expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true);
    return text === "" ? {} : JSON.parse(text);
  };
}

test(
  conformance(
    "US-01",
    "gitbeaker reads the current user with an OAuth token and with a personal access token",
  ),
  async ({ instance }) => {
    const { root } = await worldOf(instance);
    expect(await root.Users.showCurrentUser()).toMatchObject({ username: "root", is_admin: true });
    expect(await root.Metadata.show()).toMatchObject({ version: expect.any(String) });
    const login = { username: "ulla", password: "correct horse battery" };
    const user = ["--username", login.username, "--email", "ulla@example.com", "--password", login.password];
    expect((await instance.cli("user", "create", ...user)).code).toBe(0);
    const body = new URLSearchParams({ grant_type: "password", ...login });
    const granted = await fetch(`${instance.baseUrl}/oauth/token`, { method: "POST", body });
    const { access_token: oauthToken } = await granted.json();
    const other = new Gitlab({ host: instance.baseUrl, oauthToken });
    expect(await other.Users.showCurrentUser()).toMatchObject({ username: "ulla" });
    const nobody = new Gitlab({ host: instance.baseUrl, token: "unknown" });
    expect(await refusedWith(nobody.Users.showCurrentUser())).toBe(401);
  },
);

test("gitbeaker lists projects and members with offset and keyset pagination", async ({ instance }) => {
  const { root, projectId } = await worldOf(instance);
  const mine = { search: "beaker", owned: true, orderBy: "id", sort: "asc" } as const;
  const paths = (rows: readonly { path_with_namespace: unknown }[]) =>
    rows.map(({ path_with_namespace }) => path_with_namespace).toSorted();
  const all = ["beaker/blog", "beaker/docs", "beaker/shop"];
  expect(paths(await root.Projects.all({ ...mine, perPage: 1 }))).toEqual(all);
  expect(paths(await root.Projects.all({ ...mine, perPage: 2, pagination: "keyset" }))).toEqual(all);
  const { data, paginationInfo } = await root.Projects.all({
    search: "beaker",
    owned: true,
    pagination: "offset",
    perPage: 2,
    page: 1,
    showExpanded: true,
  });
  expect(data).toHaveLength(2);
  expect(paginationInfo).toMatchObject({ total: 3, totalPages: 2, next: 2, current: 1, perPage: 2 });
  const members = await root.ProjectMembers.all(projectId, { perPage: 2 });
  expect(members.map(({ username }) => username)).toEqual(expect.arrayContaining([...USERS]));
  expect(await root.ProjectMembers.all("beaker/shop", { includeInherited: true })).toHaveLength(6);
});

test("gitbeaker adds, changes and removes members", async ({ instance }) => {
  const { root, projectId, ids } = await worldOf(instance);
  const id = ids["pia"] ?? 0;
  await root.ProjectMembers.remove(projectId, id);
  expect(await root.ProjectMembers.add(projectId, 40, { userId: id })).toMatchObject({ access_level: 40 });
  expect(await root.ProjectMembers.edit(projectId, id, 30)).toMatchObject({ access_level: 30 });
  expect(await root.ProjectMembers.show(projectId, id)).toMatchObject({ username: "pia" });
});

test("gitbeaker configures error tracking and creates client keys as a maintainer, but not as a developer", async ({
  instance,
}) => {
  const { root, projectId } = await worldOf(instance);
  expect(await refusedWith(root.ErrorTrackingSettings.show(projectId))).toBe(404);
  const settings = { active: true, integrated: true, project_name: null, api_url: null };
  expect(await root.ErrorTrackingSettings.create(projectId, true, true)).toMatchObject(settings);
  expect(await root.ErrorTrackingSettings.edit(projectId, false, { integrated: true })).toMatchObject({
    ...settings,
    active: false,
  });
  expect(await root.ErrorTrackingSettings.edit("beaker/shop", true)).toMatchObject(settings);
  expect(await root.ErrorTrackingSettings.show(projectId)).toMatchObject(settings);
  const created = await root.ErrorTrackingClientKeys.create(projectId);
  expect(created).toMatchObject({ active: true, errtool_dsn: expect.stringContaining(`/${projectId}`) });
  const keys = await root.ErrorTrackingClientKeys.all(projectId, { perPage: 1 });
  expect(keys).toHaveLength(2);
  const developer = await clientOf(instance, "quin", "api");
  expect(await refusedWith(developer.ErrorTrackingSettings.show(projectId))).toBe(403);
  expect(await refusedWith(developer.ErrorTrackingClientKeys.create(projectId))).toBe(403);
});

test("gitbeaker creates, finds, edits and blocks users", async ({ instance }) => {
  const { root } = await worldOf(instance);
  const created = await root.Users.create({
    username: "uma",
    email: "uma@example.com",
    name: "Uma",
    password: "a long password",
    privateProfile: "true",
    skipConfirmation: true,
  });
  expect(created).toMatchObject({ username: "uma", state: "active" });
  expect(
    await refusedWith(
      root.Users.create({ username: "uma", email: "u@example.com", name: "U", forceRandomPassword: true }),
    ),
  ).toBe(409);
  const allUsers = await root.Users.all({ perPage: 2 });
  expect(allUsers.map(({ username }) => username)).toEqual(expect.arrayContaining(["root", "uma", ...USERS]));
  expect(await root.Users.edit(created.id, { name: "Uma Ukwu" })).toMatchObject({
    name: "Uma Ukwu",
    private_profile: true,
  });
  const reader = await clientOf(instance, "rosa", "read_user");
  expect(await reader.Users.show(created.id)).not.toHaveProperty("created_at");
  expect(await refusedWith(reader.Projects.all())).toBe(403);
  await root.Users.block(created.id);
  expect(await root.Users.show(created.id)).toMatchObject({ state: "blocked" });
  await root.Users.unblock(created.id);
  expect(await root.Users.show(created.id)).toMatchObject({ state: "active", email: "uma@example.com" });
});

test("gitbeaker creates, rotates and revokes personal access tokens", async ({ instance }) => {
  const { root, ids } = await worldOf(instance);
  const created = await root.PersonalAccessTokens.create(ids["sven"] ?? 0, "nightly", ["read_api"], {
    expiresAt: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
  });
  const own = new Gitlab({ host: instance.baseUrl, token: String(created["token"]) });
  expect(await own.PersonalAccessTokens.show()).toMatchObject({
    id: created.id,
    name: "nightly",
    active: true,
  });
  expect((await own.PersonalAccessTokens.all()).map(({ name }) => name)).toEqual(["nightly"]);
  const rotated = await root.PersonalAccessTokens.rotate(created.id);
  const next = new Gitlab({ host: instance.baseUrl, token: String(rotated["token"]) });
  expect(await next.PersonalAccessTokens.show()).toMatchObject({ scopes: ["read_api"] });
  await next.PersonalAccessTokens.remove();
  for (const ended of [next, own]) expect(await refusedWith(ended.PersonalAccessTokens.show())).toBe(401);
  expect(await root.PersonalAccessTokens.show({ tokenId: rotated.id })).toMatchObject({ revoked: true });
});

test("gitbeaker registers and deletes instance-wide applications", async ({ instance }) => {
  const { root } = await worldOf(instance);
  const created = await root.Applications.create("Beaker", "https://beaker.example/callback", "read_user");
  expect(created).toMatchObject({ application_name: "Beaker", confidential: true });
  const names = (await root.Applications.all()).map(({ application_name }) => application_name);
  expect(names).toContain("Beaker");
  await root.Applications.remove(created.id);
  expect((await root.Applications.all()).map(({ id }) => id)).not.toContain(created.id);
});

test("gitbeaker registers, lists, edits, assigns and deletes runners", async ({ instance }) => {
  const { root, token: rootToken, projectId } = await worldOf(instance);
  const { id: otherId } = await root.Projects.show("beaker/blog");
  const created = await root.Users.createCIRunner("project_type", {
    projectId,
    tagList: ["arm"],
    paused: true,
  });
  expect(created).toMatchObject({ token: expect.any(String) });
  const { id, token } = created;
  // In API v4, a paused runner has the status `paused`. In API v5, the status is `not_connected`.
  expect(await root.Runners.show(id)).toMatchObject({ status: "paused", contacted_at: null });

  expect(await root.Runners.create(token, { info: { version: "17.1.0" } })).toMatchObject({ id, token });
  expect(await root.Runners.show(id)).toMatchObject({ online: true, version: "17.1.0", tag_list: ["arm"] });
  expect(await refusedWith(root.Runners.create("ghrn_unknown"))).toBe(403);

  expect(await root.Runners.edit(id, { paused: false, description: "Cellar" })).toMatchObject({
    paused: false,
    description: "Cellar",
  });
  expect(await refusedWith(root.Runners.edit(id))).toBe(400);
  const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);
  expect(idsOf(await root.Runners.all({ status: "online", tagList: ["arm"] }))).toContain(id);
  expect(idsOf(await root.Runners.all({ owned: true, paused: false }))).toContain(id);
  expect(idsOf(await root.Runners.all({ projectId, perPage: 1 }))).toContain(id);
  expect(idsOf(await root.Runners.all({ groupId: "beaker" }))).not.toContain(id);

  const response = await fetch(`${instance.baseUrl}/api/graphql`, {
    method: "POST",
    headers: { "private-token": rootToken, "content-type": "application/json" },
    body: JSON.stringify({ query: "{ runners(paused: false) { nodes { id status } } }" }),
  });
  const inGraphql = { id: `gid://gitlab/Ci::Runner/${id}`, status: "ONLINE" };
  expect(await response.json()).toEqual({
    data: { runners: { nodes: expect.arrayContaining([inGraphql]) } },
  });

  expect(await root.Runners.enable(otherId, id)).toMatchObject({ id });
  expect(idsOf(await root.Runners.all({ projectId: otherId }))).toContain(id);
  await root.Runners.disable(otherId, id);
  expect(await refusedWith(root.Runners.disable(projectId, id))).toBe(403);
  const developer = await clientOf(instance, "tara", "api");
  expect(await refusedWith(developer.Runners.show(id))).toBe(403);
  await root.Runners.remove({ token });
  expect(await refusedWith(root.Runners.show(id))).toBe(404);
});

test("gitbeaker creates, edits, repairs and deletes Geo sites at /geo_sites and /geo_nodes", async ({
  instance,
}) => {
  const { root } = await worldOf(instance);
  for (const { sites, name } of [
    { sites: root.GeoSites, name: "site" },
    { sites: root.GeoNodes, name: "node" },
  ]) {
    const { id } = await sites.create(name, `https://${name}.example.com`);
    expect(await sites.edit(id, { reposMaxCapacity: 5, enabled: false })).toMatchObject({
      repos_max_capacity: 5,
      web_edit_url: expect.stringMatching(/\/admin\/geo\/sites\/\d+\/edit$/),
    });
    expect(await sites.repair(id)).toMatchObject({ geo_node_id: id });
    expect(await sites.showStatus(id)).toMatchObject({ health: "Never reported", projects_count: null });
    expect((await sites.all()).map((site) => site.id)).toContain(id);
    await sites.remove(id);
    expect(await refusedWith(sites.show(id))).toBe(404);
  }
});

test("gitbeaker (API v4) and plain HTTP requests (API v5) create, read and accept merge requests with the same results", async ({
  instance,
}) => {
  test.skip(!hasGit(), notRunnableWithout("git"));
  const { root, ids } = await worldOf(instance);
  const v5 = await plainV5(instance);
  const { id } = await root.Projects.show("beaker/docs");
  await pushCode(instance, "root", "beaker/docs");
  for (const branch of ["stable", "older"]) await root.Branches.create(id, branch, "v1");
  // A rebase rewrites the source branch, so the source branch must not be the default branch, which is
  // protected.
  await root.Branches.create(id, "work", "main");
  const home = `/projects/${id}/merge_requests`;

  const created = await root.MergeRequests.create(id, "work", "stable", "Draft: Pay once", {
    assigneeId: ids["pia"] ?? 0,
    labels: "pay",
  });
  expect(created).toMatchObject({ iid: 1, merge_status: "can_be_merged", merged_by: null });
  const draft = { source_branch: "work", target_branch: "older", title: "Draft: Pay once", labels: "pay" };
  const twin = await v5("POST", home, draft);
  expect(twin).toMatchObject({ iid: 2, detailed_merge_status: "draft_status" });
  expectAlike(created, twin);

  const { iid } = created;
  const pairs: readonly (readonly [unknown, string])[] = [
    [await root.MergeRequests.show(id, iid), ""],
    [await root.MergeRequests.allCommits(id, iid), "/commits"],
    [await root.MergeRequests.allDiffs(id, iid), "/diffs"],
    [await root.MergeRequests.allDiffVersions(id, iid), "/versions"],
  ];
  for (const [v4, path] of pairs) expect(await v5("GET", `${home}/${iid}${path}`)).toEqual(withoutV4(v4));
  const changes = await root.MergeRequests.showChanges(id, iid);
  expect(changes.changes).toEqual(await root.MergeRequests.allDiffs(id, iid));
  const listed = await root.MergeRequests.all({ projectId: id, state: "opened", perPage: 1 });
  expect(listed.map((mergeRequest) => mergeRequest.iid)).toEqual([2, 1]);
  expect(await v5("GET", `${home}?state=opened`)).toEqual(withoutV4(listed));
  expect(await v5("GET", "/merge_requests?scope=all")).toEqual(
    withoutV4(await root.MergeRequests.all({ scope: "all" })),
  );

  const edited = await root.MergeRequests.edit(id, iid, { title: "Pay once", squash: true });
  expect(edited).toMatchObject({ draft: false, squash: true });
  expectAlike(edited, await v5("PUT", `${home}/2`, { title: "Pay once", squash: true }));
  expect(await root.MergeRequests.rebase(id, iid)).toMatchObject({ rebase_in_progress: expect.any(Boolean) });
  expect(await v5("PUT", `${home}/2/rebase`)).toMatchObject({ rebase_in_progress: expect.any(Boolean) });
  expect(await refusedWith(root.MergeRequests.merge(id, iid, { sha: "0".repeat(40) }))).toBe(409);
  const merged = await root.MergeRequests.merge(id, iid);
  expect(merged).toMatchObject({ state: "merged", merged_by: { username: "root" } });
  const other = await v5("PUT", `${home}/2/merge`);
  expect(other).toMatchObject({ state: "merged", merge_user: { username: "root" } });
  expectAlike(merged, other);
});

test("gitbeaker (API v4) and plain HTTP requests (API v5) manage approval rules and approvals with the same results", async ({
  instance,
}) => {
  test.skip(!hasGit(), notRunnableWithout("git"));
  const { root, ids } = await worldOf(instance);
  const v5 = await plainV5(instance);
  const { id } = await root.Projects.show("beaker/blog");
  await pushCode(instance, "root", "beaker/blog");
  await root.Branches.create(id, "stable", "v1");
  const [quin, rosa] = [ids["quin"] ?? 0, ids["rosa"] ?? 0];
  for (const userId of [quin, rosa]) await root.ProjectMembers.add(id, 30, { userId });
  const approvals = root.MergeRequestApprovals;
  const home = `/projects/${id}`;

  const configured = await approvals.editConfiguration(id, { mergeRequestsAuthorApproval: true });
  expect(configured).toMatchObject({ merge_requests_author_approval: true, approvers: [] });
  expectAlike(configured, await v5("POST", `${home}/approvals`, { reset_approvals_on_push: true }));
  const configuration = await approvals.showConfiguration(id);
  expect(await v5("GET", `${home}/approvals`)).toEqual(withoutV4(configuration));

  const rule = await approvals.createApprovalRule(id, "Readers", 1, { userIds: [quin], usernames: ["rosa"] });
  expect(rule).toMatchObject({ rule_type: "regular", approvals_required: 1, contains_hidden_groups: false });
  const twin = await v5("POST", `${home}/approval_rules`, { name: "Twin", approvals_required: 0 });
  expectAlike(rule, twin);
  const any = await approvals.createApprovalRule(id, "Anybody", 1, { ruleType: "any_approver" });
  const edited = await approvals.editApprovalRule(id, rule.id, "Readers", 1, { userIds: [quin] });
  expect(edited).toMatchObject({ users: [{ username: "quin" }], eligible_approvers: [{ username: "quin" }] });
  expectAlike(edited, await v5("PUT", `${home}/approval_rules/${twin["id"]}`, { name: "Pair" }));
  const rules = await approvals.allApprovalRules(id);
  expect(rules.map(({ name }) => name)).toEqual(["Readers", "Pair", "Anybody"]);
  expect(await v5("GET", `${home}/approval_rules`)).toEqual(rules);
  expect(await v5("GET", `${home}/approval_rules/${rule.id}`)).toEqual(
    await approvals.showApprovalRule(id, rule.id),
  );
  expect(await approvals.showConfiguration(id)).toMatchObject({ approvals_before_merge: 1 });

  const { iid } = await root.MergeRequests.create(id, "main", "stable", "Pay once");
  const reader = await clientOf(instance, "quin", "api");
  const mergeRequestUrl = `${home}/merge_requests/${iid}`;
  const lacking = await approvals.approve(id, iid);
  expect(lacking).toMatchObject({ approved: false, approvals_required: 2, approvals_left: 1 });
  expect(await refusedWith(root.MergeRequests.merge(id, iid))).toBe(405);
  const approval = await reader.MergeRequestApprovals.approve(id, iid);
  expect(approval).toMatchObject({ approved: true, approvals_left: 0, user_has_approved: true });
  const state = await approvals.showApprovalState(id, iid);
  expect(state.rules.map(({ name, approved }) => [name, approved])).toEqual([
    ["Readers", true],
    ["Pair", true],
    ["Anybody", true],
  ]);
  expect(await v5("GET", `${mergeRequestUrl}/approval_state`)).toEqual(state);
  const shown = await approvals.showConfiguration(id, { mergerequestIId: iid });
  expect(await v5("GET", `${mergeRequestUrl}/approvals`)).toEqual(withoutV4(shown));
  await reader.MergeRequestApprovals.unapprove(id, iid);
  const withdrawn = await v5("POST", `${mergeRequestUrl}/unapprove`);
  expect(withdrawn).toMatchObject({ approved: false, approvals_left: 2, approved_by: [] });
  expectAlike(lacking, withdrawn);
  expectAlike(lacking, await v5("POST", `${mergeRequestUrl}/approve`));

  for (const gone of [rule, any]) await approvals.removeApprovalRule(id, gone.id);
  await v5("DELETE", `${home}/approval_rules/${twin["id"]}`);
  expect(await approvals.allApprovalRules(id)).toEqual([]);
  expect(await root.MergeRequests.merge(id, iid)).toMatchObject({ state: "merged" });
});

test("plain HTTP requests (API v5) and gitbeaker (API v4) read and edit runners and users with the same results", async ({
  instance,
}) => {
  const { root, projectId, ids } = await worldOf(instance);
  const v5 = await plainV5(instance);
  const { id } = await root.Users.createCIRunner("project_type", { projectId, tagList: ["twin"] });
  const twin = await v5("POST", "/user/runners", { runner_type: "project_type", project_id: projectId });
  expect(fieldsOf(twin)).toContain("token");
  expect(await v5("GET", `/runners/${id}`)).toEqual(withoutV4(await root.Runners.show(id)));
  const tagged = await root.Runners.all({ tagList: ["twin"] });
  expect(tagged).toMatchObject([{ id, active: true, ip_address: "", status: "not_connected" }]);
  for (const path of ["/runners", "/runners/all", `/projects/${projectId}/runners`])
    expect(await v5("GET", `${path}?tag_list=twin`)).toEqual(withoutV4(tagged));
  const edited = await root.Runners.edit(id, { paused: true });
  expect(edited).toMatchObject({ active: false, status: "paused" });
  const changed = await v5("PUT", `/runners/${twin["id"]}`, { paused: true });
  expect(changed).toMatchObject({ paused: true, status: "not_connected" });
  expectAlike(edited, changed);
  const { id: otherId } = await root.Projects.show("beaker/docs");
  const enabled = await root.Runners.enable(otherId, id);
  expectAlike(enabled, await v5("POST", `/projects/${otherId}/runners`, { runner_id: twin["id"] }));
  await v5("DELETE", `/runners/${twin["id"]}`);
  await root.Runners.remove({ runnerId: id });

  expect(await v5("GET", "/user")).toEqual(await root.Users.showCurrentUser());
  expect(await v5("GET", "/users?username=rosa")).toEqual(await root.Users.all({ username: "rosa" }));
  const rosa = ids["rosa"] ?? 0;
  expect(await v5("GET", `/users/${rosa}`)).toEqual(await root.Users.show(rosa));
  const renamed = await root.Users.edit(rosa, { name: "Rosa" });
  expect(await v5("PUT", `/users/${rosa}`, { name: "Rosa" })).toEqual(renamed);
});
