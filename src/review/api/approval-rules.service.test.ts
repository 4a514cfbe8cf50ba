import * as oneRule from "@app/api/v4/projects/[id]/approval_rules/[rule_id]/route.ts";
import * as rules from "@app/api/v4/projects/[id]/approval_rules/route.ts";
import * as configuration from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as stateRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/approval_state/route.ts";
import * as approvals from "@app/api/v4/projects/[id]/merge_requests/[iid]/approvals/route.ts";
import * as approve from "@app/api/v4/projects/[id]/merge_requests/[iid]/approve/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as oneRequest from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as requests from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { findNonMembers, listRules } from "@/review/approvals/rule-editing.ts";
import { type ApiRequest, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
provideDeps(deps);
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const dev = await apiUser(deps, "dev");
const other = await apiUser(deps, "other");
const reporter = await apiUser(deps, "reporter");
const stranger = await apiUser(deps, "stranger");

let project: AuthorizedProject;
let elsewhere: AuthorizedProject;
/**
 * A private group, and a subgroup of the private group. `dev` and `reporter` are members of the private
 * group, so they are also members of the subgroup.
 */
let hidden: AuthorizedGroup;
let below: AuthorizedGroup;

beforeAll(async () => {
  const group = await groupOf(deps, owner.user, "team", { visibility: "private" });
  project = await projectOf(deps, owner.user, "shop", { group });
  elsewhere = await projectOf(deps, owner.user, "elsewhere");
  await memberOf(deps, project, maintainer.user, "maintainer");
  await memberOf(deps, project, dev.user, "developer");
  await memberOf(deps, group, other.user, "developer");
  await memberOf(deps, project, reporter.user, "reporter");
  hidden = await groupOf(deps, owner.user, "council", { visibility: "private" });
  below = await groupOf(deps, owner.user, "inner", { visibility: "private", parent: hidden });
  for (const { user } of [dev, reporter]) await memberOf(deps, hidden, user, "guest");
  if (gitIsHere)
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": "a\n" } }]);
});

beforeEach(async () => {
  await deps.db.approvalRule.deleteMany({});
});

type Json = Readonly<Record<string, unknown>>;
type Route = Parameters<typeof callApi>[0];
type Module = Readonly<Record<string, unknown>>;

async function call(module: Module, method: string, params: ApiRequest = {}) {
  const path = { id: String(project.id), ...params.path };
  const response = await callApi(module[method] as Route, method, { token: owner.token, ...params, path });
  return { ...response, body: response.body as Json };
}

async function createRule(json: Json, token = owner.token): Promise<Json> {
  const { status, body } = await call(rules, "POST", { json: { name: "Rule", ...json }, token });
  expect(body).toMatchObject({ id: expect.any(Number) });
  expect(status).toBe(201);
  return body;
}

const ruleParams = (id: unknown) => ({ path: { rule_id: String(id) } });
const names = (users: unknown) => (users as readonly Json[]).map(({ username }) => username);

describe("the approval rules API", () => {
  it("the approval rules API creates, returns, edits and deletes an approval rule with the fields of the GitLab API", async () => {
    const body = await createRule({
      approvals_required: 1,
      user_ids: [dev.user.id, reporter.user.id, stranger.user.id, 999_999],
      usernames: ["OTHER", "stranger"],
      group_ids: [below.id, 999_999],
    });
    expect(body).toMatchObject({
      name: "Rule",
      rule_type: "regular",
      approvals_required: 1,
      contains_hidden_groups: false,
      protected_branches: [],
      applies_to_all_protected_branches: false,
      groups: [{ id: below.id, full_path: "council/inner" }],
    });
    expect(names(body["users"])).toEqual(["dev", "other", "reporter"]);
    // Group members who have only the role Reporter in the project may not approve. The owner of the private
    // group is also a member of the subgroup.
    expect(names(body["eligible_approvers"])).toEqual(["owner", "dev", "other"]);
    expect((await call(oneRule, "GET", ruleParams(body["id"]))).body).toEqual(body);

    const changed = await call(oneRule, "PUT", {
      ...ruleParams(body["id"]),
      json: { name: "Another", approvals_required: 2, user_ids: [], group_ids: [] },
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        id: body["id"],
        name: "Another",
        approvals_required: 2,
        users: [],
        groups: [],
        eligible_approvers: [],
      },
    ]);
    const same = await call(oneRule, "PUT", { ...ruleParams(body["id"]), json: { usernames: "dev" } });
    expect(same.body).toMatchObject({ name: "Another", approvals_required: 2, users: [{ username: "dev" }] });
    expect((await call(oneRule, "DELETE", ruleParams(body["id"]))).status).toBe(204);
    expect((await call(oneRule, "DELETE", ruleParams(body["id"]))).status).toBe(404);
    expect(await deps.db.approvalRuleUser.count()).toBe(0);
    const events = await deps.db.auditEvent.findMany({
      where: { name: { startsWith: "approval_rule." } },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ name, userId }) => [name, userId])).toEqual([
      ["approval_rule.created", owner.user.id],
      ["approval_rule.changed", owner.user.id],
      ["approval_rule.changed", owner.user.id],
      ["approval_rule.removed", owner.user.id],
    ]);
  });

  it("listRules filters approval rules by type, and findNonMembers returns usernames of users who are not project members", async () => {
    await createRule({ name: "Two", approvals_required: 2, usernames: "dev" });
    await createRule({ name: "Any", approvals_required: 1, rule_type: "any_approver" });
    const all = { kind: "offset", page: 1, perPage: 20 } as const;
    const { rows, total } = await listRules(deps, project, owner.user, all, "regular");
    expect([rows.map(({ rule }) => rule.name), total]).toEqual([["Two"], 1]);
    // Members of an ancestor group count as project members, and usernames match regardless of letter case.
    const named = ["DEV", "Other", "stranger", "owner", "nobody-at-all"];
    expect(await findNonMembers(deps, project, named)).toEqual(["stranger", "nobody-at-all"]);
    expect(await findNonMembers(deps, project, [])).toEqual([]);
  });

  it("the approval rules API rejects an invalid rule, a name that is already in use, a rule beyond the maximum number, and a rule of another project", async () => {
    const { id } = await createRule({ approvals_required: 0 });
    const all = [
      { name: "Rule", approvals_required: 1 },
      { name: "", approvals_required: 1 },
      { name: "B" },
      { name: "B", approvals_required: 101 },
      { name: "B", approvals_required: -1 },
      { name: "B", approvals_required: 1, rule_type: "code_owner" },
      { name: "x".repeat(256), approvals_required: 1 },
      { name: "B", approvals_required: 1, user_ids: "a" },
    ];
    for (const json of all)
      expect((await call(rules, "POST", { json })).status, JSON.stringify(json)).toBe(400);
    const taken = await call(rules, "POST", { json: { name: "Rule", approvals_required: 1 } });
    expect(taken.body).toEqual({ message: { name: ["has already been taken"] } });
    await createRule({ name: "C", approvals_required: 0 });
    expect((await call(oneRule, "PUT", { ...ruleParams(id), json: { name: "C" } })).status).toBe(400);
    const there = { path: { id: String(elsewhere.id), rule_id: String(id) } };
    for (const [method, params] of [
      ["GET", {}],
      ["PUT", { json: { name: "Mine" } }],
      ["DELETE", {}],
    ] as const)
      expect((await call(oneRule, method, { ...there, ...params })).status).toBe(404);
    for (const bad of ["0", "x", "99999"])
      expect((await call(oneRule, "GET", ruleParams(bad))).status).toBeGreaterThanOrEqual(400);
    // If several simultaneous requests create a rule with the same name, only one request succeeds.
    const race = await Promise.all(
      [1, 2, 3, 4].map(() => call(rules, "POST", { json: { name: "Race", approvals_required: 1 } })),
    );
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
    const many = Array.from({ length: 97 }, (_, at) => ({
      ...{ projectId: project.id, name: `${at}`, key: `regular ${at}` },
      ...{ ruleType: "regular", approvalsRequired: 0 },
    }));
    await deps.db.approvalRule.createMany({ data: many });
    const last = await call(rules, "POST", { json: { name: "Last", approvals_required: 1 } });
    expect([last.status, last.body]).toEqual([
      400,
      { message: { base: ["A project can have at most 100 approval rules."] } },
    ]);
  });

  it("the approval rules API lets developers list approval rules in pages, and lets maintainers create approval rules", async () => {
    for (const name of ["A", "B", "C"]) await createRule({ name, approvals_required: 0 });
    const { body, headers } = await call(rules, "GET", { query: "?per_page=2&page=2", token: dev.token });
    expect(body).toMatchObject([{ name: "C" }]);
    expect(headers.get("x-total")).toBe("3");
    const keyed = await call(rules, "GET", { query: "?per_page=2&pagination=keyset&sort=asc" });
    expect(keyed.body).toMatchObject([{ name: "A" }, { name: "B" }]);
    expect(keyed.headers.get("link")).toContain("cursor=");
    const json = { name: "D", approvals_required: 1 };
    expect((await call(rules, "GET", { token: reporter.token })).status).toBe(403);
    expect((await call(rules, "POST", { json, token: dev.token })).status).toBe(403);
    expect((await call(rules, "POST", { json, token: maintainer.token })).status).toBe(201);
    expect((await call(rules, "POST", { json, token: stranger.token })).status).toBe(404);
  });

  it("an approval rule does not show its groups to maintainers who cannot see these groups, and keeps the groups when such a maintainer edits the rule", async () => {
    const { id } = await createRule({ approvals_required: 1, group_ids: [below.id] });
    const response = await call(oneRule, "GET", { ...ruleParams(id), token: maintainer.token });
    expect(response.body).toMatchObject({ groups: [], contains_hidden_groups: true });
    expect(names(response.body["eligible_approvers"])).toContain("dev");
    const change = (json: Json) => call(oneRule, "PUT", { ...ruleParams(id), json, token: maintainer.token });
    // A maintainer cannot add a group that the maintainer cannot see.
    expect((await change({ group_ids: [hidden.id] })).body).toMatchObject({ contains_hidden_groups: true });
    const ownView = await call(oneRule, "GET", ruleParams(id));
    expect(ownView.body).toMatchObject({ groups: [{ id: below.id }], contains_hidden_groups: false });
    expect((await change({ remove_hidden_groups: true })).body).toMatchObject({
      groups: [],
      contains_hidden_groups: false,
    });
  });

  it("the number of approvals in the approval settings is stored as the any-approver rule", async () => {
    const configured = async () => (await call(configuration, "GET")).body["approvals_before_merge"];
    const rule = await createRule({
      name: "Everybody",
      approvals_required: 2,
      rule_type: "any_approver",
      user_ids: [dev.user.id],
    });
    expect(rule).toMatchObject({ rule_type: "any_approver", users: [], eligible_approvers: [] });
    expect(await configured()).toBe(2);
    const json = { approvals_before_merge: 3 };
    expect((await call(configuration, "POST", { json })).body).toMatchObject(json);
    expect((await call(oneRule, "GET", ruleParams(rule["id"]))).body).toMatchObject({
      name: "Everybody",
      approvals_required: 3,
    });
    const again = { name: "X", approvals_required: 1, rule_type: "any_approver" };
    expect((await call(rules, "POST", { json: again })).body).toEqual({
      message: { rule_type: ["any-approver for the project already exists"] },
    });
    await call(oneRule, "DELETE", ruleParams(rule["id"]));
    expect(await configured()).toBe(0);
    await Promise.all(
      [1, 1, 1].map((n) => call(configuration, "POST", { json: { approvals_before_merge: n } })),
    );
    expect((await call(rules, "GET")).body).toMatchObject([{ name: "All Members", approvals_required: 1 }]);
    await createRule({ name: "All Members", approvals_required: 0 });
  });
});

let branches = 0;

/** Creates a merge request whose author is the owner of the project. */
async function createMergeRequest(): Promise<string> {
  branches += 1;
  const branch = `topic-${branches}`;
  await commitAll(deps, project, [{ branch, message: "Go on", files: { [`${branch}.txt`]: "x\n" } }]);
  const json = { source_branch: branch, target_branch: "main", title: branch };
  const { body } = await call(requests, "POST", { json });
  return String(body["iid"]);
}

describe("merge requests in a project with approval rules", GIT, () => {
  const on = (iid: string, token = owner.token) => ({ path: { iid }, token });
  const give = (iid: string, token: string) => call(approve, "POST", on(iid, token));
  const statusOf = async (iid: string) =>
    (await call(oneRequest, "GET", on(iid))).body["detailed_merge_status"];

  it("a merge request can be merged when it has enough approvals for every approval rule", async () => {
    const named = await createRule({ name: "Named", approvals_required: 1, user_ids: [maintainer.user.id] });
    const council = await createRule({ name: "Council", approvals_required: 1, group_ids: [below.id] });
    await createRule({ name: "Optional", approvals_required: 0 });
    await call(configuration, "POST", { json: { approvals_before_merge: 2 } });
    const iid = await createMergeRequest();
    expect(await statusOf(iid)).toBe("not_approved");
    expect((await give(iid, other.token)).body).toMatchObject({
      approved: false,
      approvals_required: 4,
      approvals_left: 3,
      has_approval_rules: true,
      approval_rules_left: [
        { id: named["id"], name: "Named", rule_type: "regular" },
        { id: council["id"], name: "Council", rule_type: "regular" },
        { name: "All Members", rule_type: "any_approver" },
      ],
    });
    // This approval counts for the rule that contains the group, and for the any-approver rule.
    expect((await give(iid, dev.token)).body).toMatchObject({ approvals_left: 1 });
    expect((await call(mergeRoute, "PUT", on(iid))).status).toBe(405);
    const state = await call(stateRoute, "GET", on(iid, reporter.token));
    expect(state.body).toMatchObject({
      approval_rules_overwritten: false,
      rules: [
        { name: "Named", approved: false, approved_by: [], contains_hidden_groups: false },
        { name: "Council", approved: true, approved_by: [{ username: "dev" }] },
        { name: "Optional", approved: true, approved_by: [] },
        { name: "All Members", approved: true, approved_by: [{ username: "dev" }, { username: "other" }] },
      ],
    });
    expect((await give(iid, maintainer.token)).body).toMatchObject({ approved: true, approvals_left: 0 });
    expect(await statusOf(iid)).toBe("mergeable");

    // The approvals of users who have left the group or no longer have the required role do not count.
    await deps.db.groupMember.updateMany({
      where: { groupId: hidden.id, userId: dev.user.id },
      data: { expiresAt: deps.clock() },
    });
    expect(await statusOf(iid)).toBe("not_approved");
    await deps.db.groupMember.updateMany({ where: { userId: dev.user.id }, data: { expiresAt: null } });
    expect(await statusOf(iid)).toBe("mergeable");
    for (const [role, expected] of [
      [20, "not_approved"],
      [40, "mergeable"],
    ] as const) {
      await deps.db.projectMember.updateMany({ where: { userId: maintainer.user.id }, data: { role } });
      expect(await statusOf(iid)).toBe(expected);
    }
    for (const [state, expected] of [
      ["blocked", "not_approved"],
      ["active", "mergeable"],
    ] as const) {
      await deps.db.user.update({ where: { id: maintainer.user.id }, data: { state } });
      expect(await statusOf(iid)).toBe(expected);
    }
    expect((await call(mergeRoute, "PUT", on(iid))).status).toBe(200);
  });

  it("approvals by the author and approval rules of other projects are ignored", async () => {
    await createRule({ approvals_required: 1, user_ids: [owner.user.id] });
    const iid = await createMergeRequest();
    await call(configuration, "POST", { json: { merge_requests_author_approval: true } });
    expect((await give(iid, owner.token)).body).toMatchObject({ approved: true });
    await call(configuration, "POST", { json: { merge_requests_author_approval: false } });
    expect((await call(approvals, "GET", on(iid))).body).toMatchObject({ approved: false, approved_by: [] });
    await deps.db.approvalRule.updateMany({ data: { projectId: elsewhere.id } });
    expect((await call(approvals, "GET", on(iid))).body).toMatchObject({
      approved: true,
      approvals_required: 0,
    });
  });
});
