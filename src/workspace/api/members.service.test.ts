import * as groupMember from "@app/api/v4/groups/[id]/members/[user_id]/route.ts";
import * as groupAnyMember from "@app/api/v4/groups/[id]/members/all/[user_id]/route.ts";
import * as groupAll from "@app/api/v4/groups/[id]/members/all/route.ts";
import * as groupMembers from "@app/api/v4/groups/[id]/members/route.ts";
import * as groups from "@app/api/v4/groups/[id]/route.ts";
import * as member from "@app/api/v4/projects/[id]/members/[user_id]/route.ts";
import * as anyMember from "@app/api/v4/projects/[id]/members/all/[user_id]/route.ts";
import * as all from "@app/api/v4/projects/[id]/members/all/route.ts";
import * as members from "@app/api/v4/projects/[id]/members/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");

let group: AuthorizedGroup;
let project: AuthorizedProject;

beforeEach(async () => {
  group = await groupOf(deps, owner.user, `team-${crypto.randomUUID()}`, { visibility: "private" });
  project = await projectOf(deps, owner.user, "shop", { group });
  await memberOf(deps, project, maintainer.user, "maintainer");
});

const add = (json: object, token = maintainer.token) =>
  callApi(members.POST, "POST", { token, path: { id: String(project.id) }, json });
const change = (userId: number, json: object, token = maintainer.token) =>
  callApi(member.PUT, "PUT", { token, path: { id: String(project.id), user_id: String(userId) }, json });
const remove = (userId: number, token = maintainer.token) =>
  callApi(member.DELETE, "DELETE", { token, path: { id: String(project.id), user_id: String(userId) } });
const listed = async (route: typeof members | typeof all, query = "") => {
  const { body } = await callApi(route.GET, "GET", {
    token: maintainer.token,
    path: { id: String(project.id) },
    query,
  });
  return (body as { username: string; access_level: number }[]).map((row) => [
    row.username,
    row.access_level,
  ]);
};

describe("the project members API", () => {
  it("the members API adds members by id or username, with a role and an expiry date", async () => {
    const added = await add({ user_id: ann.user.id, access_level: 30, expires_at: "2027-01-01" });
    expect(added).toMatchObject({
      status: 201,
      body: { id: ann.user.id, username: "ann", access_level: 30, expires_at: "2027-01-01" },
    });
    expect(await add({ username: "bob", access_level: "10" })).toMatchObject({ status: 201 });
    expect(await add({ username: "bob", access_level: 10 })).toMatchObject({
      status: 409,
      body: { message: "Member already exists" },
    });
    expect(await listed(members)).toEqual([
      ["owner", 50],
      ["maintainer", 40],
      ["ann", 30],
      ["bob", 10],
    ]);
    expect(await listed(members, "?query=AN")).toEqual([["ann", 30]]);
  });

  it.each<[string, object, number, unknown]>([
    ["without a user", { access_level: 10 }, 400, { error: expect.stringContaining("user_id, username") }],
    ["without a role", { username: "bob" }, 400, { error: "access_level is missing" }],
    [
      "with an unknown role",
      { username: "bob", access_level: 35 },
      400,
      { error: "access_level does not have a valid value" },
    ],
    [
      "with an unknown username",
      { username: "nobody", access_level: 10 },
      404,
      { message: "404 User Not Found" },
    ],
    [
      "with an e-mail address",
      { username: "bob@example.com", access_level: 10 },
      404,
      { message: "404 User Not Found" },
    ],
    [
      "with an expiry date in the past",
      { username: "bob", access_level: 10, expires_at: "2026-11-20" },
      400,
      { message: expect.any(String) },
    ],
    [
      "with an invalid expiry date",
      { username: "bob", access_level: 10, expires_at: "2026-02-30" },
      400,
      { error: "expires_at is invalid" },
    ],
    [
      "with a role above the own role",
      { username: "bob", access_level: 50 },
      403,
      { message: "403 Forbidden" },
    ],
  ])("the members API does not add a member %s", async (_what, json, status, body) => {
    expect(await add(json)).toMatchObject({ status, body });
  });

  it("the members API allows a member to be edited and removed by members with an equal or higher role, and allows members to leave", async () => {
    await add({ username: "ann", access_level: 30 });
    expect(await change(ann.user.id, { access_level: 20, expires_at: "2027-01-01" })).toMatchObject({
      body: { access_level: 20, expires_at: "2027-01-01" },
    });
    expect(await change(ann.user.id, { access_level: 20 })).toMatchObject({
      body: { expires_at: "2027-01-01" },
    });
    expect(await change(ann.user.id, { access_level: 20, expires_at: "" })).toMatchObject({
      body: { expires_at: null },
    });
    expect((await change(ann.user.id, { access_level: 50 })).status).toBe(403);
    expect((await change(owner.user.id, { access_level: 10 })).status).toBe(403);
    expect((await remove(owner.user.id)).status).toBe(403);
    expect((await change(ann.user.id, { access_level: 30 }, ann.token)).status).toBe(403);
    expect((await remove(ann.user.id, ann.token)).status).toBe(204);
    expect((await remove(ann.user.id)).status).toBe(404);
    expect((await change(bob.user.id, { access_level: 30 })).status).toBe(404);
  });

  it("the members API finds no member for a query that is an e-mail address", async () => {
    await add({ username: "ann", access_level: 30 });
    expect(await listed(members, "?query=ann@example.com")).toEqual([]);
    expect(await listed(all, "?query=ann@example.com")).toEqual([]);
  });

  it("the members API does not list members whose membership has expired, and allows these users to be added again", async () => {
    await add({ username: "ann", access_level: 30, expires_at: "2026-11-22" });
    deps.advance(12 * 3_600);
    expect((await change(ann.user.id, { access_level: 20 })).status).toBe(404);
    expect((await remove(ann.user.id)).status).toBe(404);
    expect(await add({ username: "ann", access_level: 20 })).toMatchObject({
      status: 201,
      body: { expires_at: null },
    });
    deps.advance(-12 * 3_600);
  });

  it("the members API lists each inherited member only once, with the highest role of the member", async () => {
    await memberOf(deps, group, ann.user, "reporter");
    await add({ username: "bob", access_level: 10 });
    await memberOf(deps, group, bob.user, "developer");
    expect(await listed(members)).not.toContainEqual(["ann", 20]);
    expect(await listed(all)).toEqual([
      ["owner", 50],
      ["maintainer", 40],
      ["ann", 20],
      ["bob", 30],
    ]);
    expect(await listed(all, "?per_page=2&page=2")).toEqual([
      ["ann", 20],
      ["bob", 30],
    ]);
    expect(await listed(all, "?pagination=keyset&sort=desc&per_page=1")).toEqual([["bob", 30]]);
    expect(await listed(all, `?pagination=keyset&sort=asc&cursor=${ann.user.id}`)).toEqual([["bob", 30]]);
    const request = { token: ann.token, path: { id: String(project.id), user_id: String(ann.user.id) } };
    expect((await callApi(member.GET, "GET", request)).status).toBe(404);
    expect((await callApi(anyMember.GET, "GET", request)).body).toMatchObject({ access_level: 20 });
    expect(await add({ username: "ann", access_level: 10 })).toMatchObject({ status: 400 });
  });
});

describe("the group members API", () => {
  const inGroup = (user: { id: number }) => ({ id: group.fullPath, user_id: String(user.id) });

  it("the members API allows only owners to add members", async () => {
    await memberOf(deps, group, maintainer.user, "maintainer");
    const addAnn = (token: string) =>
      callApi(groupMembers.POST, "POST", {
        token,
        path: { id: group.fullPath },
        json: { username: "ann", access_level: 20 },
      });
    expect((await addAnn(maintainer.token)).status).toBe(403);
    expect((await addAnn(owner.token)).status).toBe(201);
    expect((await addAnn(ann.token)).status).toBe(403);
    expect((await addAnn(bob.token)).status).toBe(404);
  });

  it("the members API hides the members of a private group from users who are members only of a descendant group", async () => {
    await memberOf(deps, project, bob.user, "reporter");
    const path = { id: group.fullPath, user_id: String(owner.user.id) };
    const statusesFor = async (token: string) =>
      Promise.all(
        [groupMembers, groupAll, groupMember, groupAnyMember].map(
          async ({ GET }) => (await callApi(GET, "GET", { token, path })).status,
        ),
      );
    expect((await callApi(groups.GET, "GET", { token: bob.token, path })).status).toBe(200);
    expect(await statusesFor(bob.token)).toEqual([403, 403, 403, 403]);
    await memberOf(deps, group, ann.user, "guest");
    expect(await statusesFor(ann.token)).toEqual([200, 200, 200, 200]);
    await deps.db.group.update({ where: { id: group.id }, data: { visibility: "internal" } });
    expect(await statusesFor(bob.token)).toEqual([200, 200, 200, 200]);
  });

  it("the members API keeps one owner when both owners leave simultaneously", async () => {
    const leave = (apiUser: typeof ann) =>
      callApi(groupMember.DELETE, "DELETE", { token: apiUser.token, path: inGroup(apiUser.user) });
    const demote = (json: object) =>
      callApi(groupMember.PUT, "PUT", { token: owner.token, path: inGroup(owner.user), json });
    expect((await leave(owner)).status).toBe(403);
    expect((await demote({ access_level: 40 })).status).toBe(403);
    expect((await demote({ access_level: 50, expires_at: "2027-01-01" })).status).toBe(403);
    await memberOf(deps, group, ann.user, "owner");
    const both = await Promise.all([leave(owner), leave(ann)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 403]);
  });
});
