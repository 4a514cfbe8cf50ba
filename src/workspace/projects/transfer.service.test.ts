import * as mergeRequests from "@app/api/v4/groups/[id]/merge_requests/route.ts";
import * as project from "@app/api/v4/projects/[id]/route.ts";
import * as transferRoute from "@app/api/v4/projects/[id]/transfer/route.ts";
import * as user from "@app/api/v4/user/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { createRunner } from "@/fleet/runners/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { createAccessToken } from "../access-tokens/service.ts";
import { createDeployToken } from "../deploy-tokens/service.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { findMember } from "../members/service.ts";
import { type AuthorizedProject, namespaceIdOf } from "./rules.ts";
import { resourceOf } from "./service.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "chief", { admin: true });
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");

let group: AuthorizedGroup;
let inner: AuthorizedGroup;
let shop: AuthorizedProject;
let name: string;

beforeEach(async () => {
  name = `shop-${crypto.randomUUID().slice(0, 8)}`;
  group = await groupOf(deps, ann.user, `team-${crypto.randomUUID()}`, { visibility: "internal" });
  inner = await groupOf(deps, ann.user, "inner", { visibility: "internal", parent: group });
  shop = await projectOf(deps, ann.user, name, { visibility: "public" });
});

const transfer = (namespace: unknown, token = ann.token) =>
  callApi(transferRoute.PUT, "PUT", { token, path: { id: String(shop.id) }, json: { namespace } });
const rowOf = () => deps.db.project.findUniqueOrThrow({ where: { id: shop.id } });

describe("the transfer of a project", () => {
  it("the transfer of a project to a group reduces the visibility, and keeps the id and the members of the project", async () => {
    await memberOf(deps, shop, bob.user, "developer");
    expect(await transfer(inner.id)).toMatchObject({
      status: 200,
      body: {
        id: shop.id,
        path_with_namespace: `${inner.fullPath}/${name}`,
        visibility: "internal",
        namespace: { id: inner.id },
      },
    });
    expect(await rowOf()).toMatchObject({ groupId: inner.id, topGroupId: group.id, visibility: "internal" });
    const members = await deps.db.projectMember.count({ where: { projectId: shop.id } });
    expect(members).toBe(2);
    const [event] = await deps.db.auditEvent.findMany({ where: { name: "project.transferred" } });
    expect(JSON.parse(event?.details ?? "{}")).toMatchObject({
      path: `${inner.fullPath}/${name}`,
      from: `ann/${name}`,
    });
    const byOldPath = { token: ann.token, path: { id: `ann/${name}` } };
    expect(await callApi(project.GET, "GET", byOldPath)).toMatchObject({ status: 404 });
  });

  it("the transfer of a project updates the group id that is stored with its merge requests, runners and tokens", async () => {
    const by = { resource: resourceOf(shop), by: ann.user, held: "owner" } as const;
    const draft = { name: "CI", scopes: ["api"], role: "guest", expiresAt: null } as const;
    await createAccessToken(deps, by, draft);
    const deploy = { name: "CD", username: "", scopes: ["read_repository"], expiresAt: null };
    await createDeployToken(deps, by, deploy);
    await createRunner(deps, root.user, { kind: "project_type", project: shop }, {});
    const now = deps.clock();
    await deps.db.mergeRequest.create({
      data: {
        ...{ projectId: shop.id, visibility: "public", iid: 1, sourceBranch: "a", targetBranch: "main" },
        ...{ title: "T", titleLower: "t", description: "", searchText: "t", draft: false, state: "closed" },
        ...{ squash: false, removesSource: false, createdAt: now, updatedAt: now, changesCount: 1 },
        ...{ headSha: "a".repeat(40), baseSha: "b".repeat(40), startSha: "b".repeat(40) },
        ...{ mergeability: "clean", behind: false, checkedSha: "b".repeat(40), closedAt: now },
      },
    });
    await transfer(inner.fullPath);
    const where = { where: { projectId: shop.id } };
    const place = { groupId: inner.id, topGroupId: group.id };
    expect(await deps.db.mergeRequest.findFirst(where)).toMatchObject({ ...place, visibility: "internal" });
    expect(await deps.db.runnerProject.findFirst(where)).toMatchObject(place);
    expect(await deps.db.accessTokenBot.findFirst(where)).toMatchObject({ groupId: inner.id });
    expect(await deps.db.deployToken.findFirst(where)).toMatchObject({ groupId: inner.id });
    const listed = await callApi(mergeRequests.GET, "GET", {
      token: ann.token,
      path: { id: String(group.id) },
      query: "?state=all",
    });
    expect(listed.body).toHaveLength(1);
  });

  it("an administrator can transfer a project to a user, who becomes the owner of the project", async () => {
    await memberOf(deps, shop, bob.user, "guest");
    expect(await transfer("bob", root.token)).toMatchObject({
      status: 200,
      body: { path_with_namespace: `bob/${name}`, visibility: "public", creator_id: bob.user.id },
    });
    expect(await findMember(deps, resourceOf(shop), bob.user.id)).toMatchObject({ role: "owner" });
    const where = { name: "member.changed", userId: bob.user.id };
    const changed = await deps.db.auditEvent.findFirstOrThrow({ where });
    expect(changed.actorId).toBe(root.user.id);
    expect(JSON.parse(changed.details)).toMatchObject({ path: `bob/${name}`, role: "owner" });
    const home = namespaceIdOf({ ...ann.user, kind: "user" });
    expect(await transfer(home, root.token)).toMatchObject({ body: { path_with_namespace: `ann/${name}` } });
  });

  it("the transfer of a project requires the owner role in the project and the maintainer role in the group", async () => {
    await memberOf(deps, shop, bob.user, "maintainer");
    const own = await groupOf(deps, bob.user, `bobs-${crypto.randomUUID()}`);
    expect(await transfer(own.id, bob.token)).toMatchObject({ status: 403 });
    expect(await transfer(own.id)).toMatchObject({ status: 404 });
    await memberOf(deps, own, ann.user, "developer");
    expect(await transfer(own.id)).toMatchObject({ status: 404 });
    await deps.db.groupMember.updateMany({
      where: { groupId: own.id, userId: ann.user.id },
      data: { role: 40 },
    });
    expect(await transfer(own.id)).toMatchObject({ status: 200 });
  });

  it("a project cannot be transferred to the namespace of another user, to the namespace of a blocked user, or to an unknown namespace", async () => {
    expect(await transfer("bob")).toMatchObject({ status: 404 });
    expect(await transfer(bob.user.email, root.token)).toMatchObject({ status: 404 });
    expect(await transfer("nowhere", root.token)).toMatchObject({ status: 404 });
    const carl = await apiUser(deps, `carl${name}`);
    await deps.db.user.update({ where: { id: carl.user.id }, data: { state: "blocked" } });
    expect(await transfer(carl.user.username, root.token)).toMatchObject({ status: 404 });
    expect(await callApi(user.GET, "GET", { token: bob.token })).toMatchObject({ status: 200 });
  });

  it("a project cannot be transferred if its path is in use in the target namespace, if it is already there, or if it has container images", async () => {
    expect(await transfer("ann")).toMatchObject({ status: 400 });
    await projectOf(deps, ann.user, name, { group });
    expect(await transfer(group.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("same path") },
    });
    await deps.db.containerRepository.create({
      data: { projectId: shop.id, path: `ann/${name}`, createdAt: deps.clock() },
    });
    expect(await transfer(inner.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("container images") },
    });
    expect(await rowOf()).toMatchObject({ groupId: null, fullPath: `ann/${name}` });
  });
});
