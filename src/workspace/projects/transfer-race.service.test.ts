import * as projectRoute from "@app/api/v4/projects/[id]/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { createAccessToken } from "../access-tokens/service.ts";
import { createDeployToken } from "../deploy-tokens/service.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { deleteGroup, resourceOf as resourceOfGroup, updateGroup } from "../groups/service.ts";
import { removeMember } from "../members/service.ts";
import type { AuthorizedProject } from "./rules.ts";
import { deleteProject, resourceOf, updateProject } from "./service.ts";
import { transferProject } from "./transfer.ts";

/** Each test calls a function with a project or a group that was read before another request changed it. */

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");

let group: AuthorizedGroup;
let shop: AuthorizedProject;
let name: string;

beforeEach(async () => {
  name = `shop-${crypto.randomUUID().slice(0, 8)}`;
  group = await groupOf(deps, ann.user, `team-${crypto.randomUUID()}`, { visibility: "public" });
  shop = await projectOf(deps, ann.user, name, { visibility: "public" });
});

const rowOf = () => deps.db.project.findUniqueOrThrow({ where: { id: shop.id } });

describe("a transfer that began before another change", () => {
  const transfer = (to = group) => transferProject(deps, shop, { kind: "group", group: to }, ann.user);

  it("a transfer keeps the lower visibility if another request has reduced the visibility of the project or the group", async () => {
    await updateProject(deps, shop, { visibility: "internal" }, ann.user);
    expect(await transfer()).toMatchObject({ visibility: "internal" });
    const other = await groupOf(deps, ann.user, `other-${crypto.randomUUID()}`, { visibility: "public" });
    await updateGroup(deps, other, { visibility: "private" }, ann.user);
    expect(await transfer(other)).toMatchObject({ visibility: "private" });
    expect(await rowOf()).toMatchObject({ visibility: "private", groupId: other.id });
  });

  it("a transfer is refused for a user who is no longer an owner", async () => {
    await memberOf(deps, shop, bob.user, "owner");
    await removeMember(deps, { resource: resourceOf(shop), by: bob.user, held: "owner" }, ann.user.id);
    expect(await transfer()).toBe("not_allowed");
    expect(await rowOf()).toMatchObject({ groupId: null });
  });

  it("a transfer is refused for a group of which the user is no longer a maintainer", async () => {
    const bobs = await groupOf(deps, bob.user, `bobs-${crypto.randomUUID()}`);
    await memberOf(deps, bobs, ann.user, "maintainer");
    const held = { ...bobs, role: "maintainer" } as AuthorizedGroup;
    await removeMember(deps, { resource: resourceOfGroup(bobs), by: bob.user, held: "owner" }, ann.user.id);
    expect(await transfer(held)).toBe("target_gone");
    expect(await rowOf()).toMatchObject({ groupId: null });
  });

  it("a transfer is refused if the target group or the project no longer exists", async () => {
    await deleteGroup(deps, group, ann.user);
    expect(await transfer()).toBe("target_gone");
    await deleteProject(deps, shop, ann.user);
    expect(await transfer()).toBe("gone");
  });

  it("a transfer is refused if another transfer already moved the project, and the audit event names the latest path", async () => {
    await transfer();
    expect(await transfer()).toBe("same");
    const second = await groupOf(deps, ann.user, `second-${crypto.randomUUID()}`);
    await transfer(second);
    const events = await deps.db.auditEvent.findMany({ where: { name: "project.transferred" } });
    const details = events.map(({ details }) => JSON.parse(details));
    expect(details).toContainEqual(
      expect.objectContaining({ path: `${second.fullPath}/${name}`, from: `${group.fullPath}/${name}` }),
    );
  });
});

describe("a token that is created with values from before a transfer", () => {
  const access = { name: "CI", scopes: ["api"], role: "maintainer", expiresAt: null } as const;
  const deploy = { name: "CD", username: "", scopes: ["read_repository"], expiresAt: null };

  it("an access token that is created during a transfer is refused if the user had a role only through the old group", async () => {
    const old = await groupOf(deps, bob.user, `old-${crypto.randomUUID()}`);
    await memberOf(deps, old, ann.user, "maintainer");
    shop = await projectOf(deps, bob.user, name, { group: old });
    const before = { resource: resourceOf(shop), by: ann.user, held: "maintainer" } as const;
    await transferProject(deps, shop, { kind: "user", user: bob.user }, bob.user);
    expect(await createAccessToken(deps, before, access)).toBe("not_allowed");
    expect(await createDeployToken(deps, before, deploy)).toBe("not_allowed");
    const where = { where: { projectId: shop.id } };
    expect(await deps.db.accessTokenBot.count(where)).toBe(0);
    expect(await deps.db.deployToken.count(where)).toBe(0);
  });

  it("an access token that is created during a transfer is stored with the id of the new group of the project", async () => {
    const before = { resource: resourceOf(shop), by: ann.user, held: "owner" } as const;
    await transferProject(deps, shop, { kind: "group", group }, ann.user);
    const created = await createAccessToken(deps, before, access);
    await createDeployToken(deps, before, deploy);
    const where = { where: { projectId: shop.id } };
    expect(await deps.db.accessTokenBot.findFirst(where)).toMatchObject({ groupId: group.id });
    expect(await deps.db.deployToken.findFirst(where)).toMatchObject({ groupId: group.id });
    const token = typeof created === "object" && "value" in created ? created.value : "";
    const path = { id: String(shop.id) };
    expect(await callApi(projectRoute.GET, "GET", { token, path })).toMatchObject({ status: 200 });
  });

  it("the creation of an access token is refused if the project no longer exists", async () => {
    const before = { resource: resourceOf(shop), by: ann.user, held: "owner" } as const;
    await deleteProject(deps, shop, ann.user);
    expect(await createAccessToken(deps, before, access)).toBe("not_allowed");
    expect(await createDeployToken(deps, before, deploy)).toBe("not_allowed");
  });
});
