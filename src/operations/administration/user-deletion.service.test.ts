import * as userRoute from "@app/api/v4/users/[id]/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { findDeletion } from "@/identity/users/account-deletion.ts";
import { blockUserAsAdministrator, unblockUserAsAdministrator } from "@/identity/users/administration.ts";
import { deleteDueAccounts } from "@/identity/users/deletion-job.ts";
import { findById } from "@/identity/users/service.ts";
import { type ApiUser, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import { resourceOf as groupResource } from "@/workspace/groups/service.ts";
import { isInSoleOwnedGroup, removeMember } from "@/workspace/members/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { deletionImpactOf } from "./deletion-impact.ts";
import { deleteOwnAccount } from "./user-deletion.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "chief", { admin: true });
const bob = await apiUser(deps, "bob");

let users = 0;
let ann: ApiUser;
let group: AuthorizedGroup;
let shop: AuthorizedProject;

beforeEach(async () => {
  users += 1;
  ann = await apiUser(deps, `ann${users}`);
  group = await groupOf(deps, bob.user, `team${users}`);
  await memberOf(deps, group, ann.user, "maintainer");
  shop = await projectOf(deps, ann.user, "shop");
});

const remove = (query: string, id = ann.user.id) =>
  callApi(userRoute.DELETE, "DELETE", { token: root.token, path: { id: String(id) }, query });
const pathOf = async () => (await deps.db.project.findUnique({ where: { id: shop.id } }))?.fullPath ?? null;

describe("the deletion of a user with a transfer of the personal projects", () => {
  it("when a user is deleted and the personal projects are transferred to a group, the projects remain, with the ghost user as creator", async () => {
    expect(await remove(`?transfer_to=${group.fullPath}`)).toMatchObject({ status: 204 });
    await deleteDueAccounts(deps);
    expect(await findById(deps, ann.user.id)).toBeNull();
    expect(await pathOf()).toBe(`${group.fullPath}/shop`);
  });

  it("when a user is deleted and the personal projects are transferred to another user, the projects remain in the namespace of the other user", async () => {
    expect(await remove("?transfer_to=bob")).toMatchObject({ status: 204 });
    await deleteDueAccounts(deps);
    expect(await pathOf()).toBe("bob/shop");
    await deps.db.project.delete({ where: { id: shop.id } });
  });

  it("when a user is deleted and the personal projects are not transferred, the projects are deleted", async () => {
    await remove("");
    await deleteDueAccounts(deps);
    expect(await pathOf()).toBeNull();
  });

  it("a deletion request changes nothing if the transfer of one project or the deletion of the user is refused", async () => {
    await projectOf(deps, ann.user, "zoo");
    await projectOf(deps, bob.user, "zoo", { group });
    expect(await remove(`?transfer_to=${group.fullPath}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`ann${users}/zoo cannot be transferred`) },
    });
    expect(await remove("?transfer_to=nowhere")).toMatchObject({ status: 400 });
    expect(await remove(`?transfer_to=${ann.user.username}`)).toMatchObject({ status: 400 });
    const sole = await groupOf(deps, ann.user, `sole${users}`);
    expect(await remove(`?transfer_to=${sole.fullPath}`)).toMatchObject({ status: 409 });
    expect(await pathOf()).toBe(`${ann.user.username}/shop`);
    expect(await findById(deps, ann.user.id)).toMatchObject({ state: "active" });
  });

  it("the personal projects of a user cannot be transferred to a group that is deleted together with the user", async () => {
    const sole = await groupOf(deps, ann.user, `sole${users}`);
    const inner = await groupOf(deps, ann.user, "inner", { parent: sole });
    for (const { id } of [sole, inner])
      expect(await remove(`?hard_delete=true&transfer_to=${id}`)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining("deleted with the user") },
      });
    expect(await findDeletion(deps, ann.user.id)).toBeNull();
    await memberOf(deps, sole, bob.user, "owner");
    expect(await remove(`?hard_delete=true&transfer_to=${inner.id}`)).toMatchObject({ status: 204 });
    await deleteDueAccounts(deps);
    expect(await pathOf()).toBe(`${inner.fullPath}/shop`);
  });

  it("personal projects cannot be transferred to a user whose deletion was requested", async () => {
    const carl = await apiUser(deps, `leaver${users}`);
    expect(await deleteOwnAccount(deps, carl.user, "")).toHaveProperty("dueAt");
    expect(await remove(`?transfer_to=${carl.user.username}`)).toMatchObject({ status: 400 });
    expect(await pathOf()).toBe(`${ann.user.username}/shop`);
  });

  it("users can transfer their personal projects to a group, but not to another user", async () => {
    expect(await deleteOwnAccount(deps, ann.user, "bob")).toHaveProperty("problem");
    expect(await deleteOwnAccount(deps, ann.user, ann.user.username)).toHaveProperty("problem");
    expect(await pathOf()).toBe(`${ann.user.username}/shop`);
    expect(await deleteOwnAccount(deps, ann.user, String(group.id))).toHaveProperty("dueAt");
    expect(await pathOf()).toBe(`${group.fullPath}/shop`);
  });
});

it("the impact of a deletion contains the first personal projects of the user and their number", async () => {
  const paths = ["a", "b", "c", "d", "e"];
  for (const path of paths) await projectOf(deps, ann.user, path);
  await projectOf(deps, ann.user, "f", { group: await groupOf(deps, ann.user, `own${users}`) });
  const { projects } = await deletionImpactOf(deps, ann.user);
  const names = ["shop", ...paths.slice(0, 4)].map((path) => `${ann.user.username}/${path}`);
  expect(projects).toEqual({ names, total: 6 });
});

it("a group is deleted with a user who is the only owner of the group or of one of its ancestors", async () => {
  const parent = await groupOf(deps, ann.user, `parent${users}`);
  const child = await groupOf(deps, ann.user, `child${users}`, { parent });
  await memberOf(deps, child, bob.user, "owner");
  const isDeletedWith = ({ user }: ApiUser, { id }: AuthorizedGroup) => isInSoleOwnedGroup(deps, user.id, id);
  expect(await isDeletedWith(ann, parent)).toBe(true);
  expect(await isDeletedWith(ann, child)).toBe(true);
  expect(await isDeletedWith(bob, child)).toBe(false);
});

describe("a group with two owners", () => {
  let shared: AuthorizedGroup;
  let carl: ApiUser;
  beforeEach(async () => {
    carl = await apiUser(deps, `carl${users}`);
    shared = await groupOf(deps, ann.user, `shared${users}`);
    await memberOf(deps, shared, carl.user, "owner");
  });

  it("a group keeps its last active owner after the other owner has requested account deletion", async () => {
    expect(await deleteOwnAccount(deps, ann.user, "")).toHaveProperty("dueAt");
    expect(await deleteOwnAccount(deps, carl.user, "")).toBe("sole_owner");
    const change = { resource: groupResource(shared), by: carl.user, held: "owner" } as const;
    expect(await removeMember(deps, change, carl.user.id)).toBe("last_owner");
  });

  it("the deletion of a group owner is delayed while the only other owner of the group is blocked", async () => {
    expect(await deleteOwnAccount(deps, ann.user, "")).toHaveProperty("dueAt");
    await blockUserAsAdministrator(deps, root.user, carl.user.id);
    deps.advance(8 * 86_400);
    await deleteDueAccounts(deps);
    const waiting = await findById(deps, ann.user.id);
    expect(waiting).toMatchObject({ state: "deactivated" });
    expect(await findDeletion(deps, ann.user.id)).not.toBeNull();
    if (waiting !== null) expect((await deletionImpactOf(deps, waiting)).deletion?.isRunning).toBe(false);
    await unblockUserAsAdministrator(deps, root.user, carl.user.id);
    deps.advance(3_600);
    await deleteDueAccounts(deps);
    expect(await findById(deps, ann.user.id)).toBeNull();
  });
});
