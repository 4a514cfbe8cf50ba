import * as groupsRoute from "@app/api/v4/groups/route.ts";
import * as transferRoute from "@app/api/v4/projects/[id]/transfer/route.ts";
import * as projectsRoute from "@app/api/v4/projects/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { beforeFirstTransaction, duringTransaction } from "@/testing/transactions.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { createGroup } from "../groups/service.ts";
import type { AuthorizedProject } from "./rules.ts";
import { createProject, updateProject } from "./service.ts";
import { transferProject } from "./transfer.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");

let path: string;
let group: AuthorizedGroup;
let personal: AuthorizedProject;

beforeEach(async () => {
  path = `shop-${crypto.randomUUID()}`;
  group = await groupOf(deps, ann.user, `team-${crypto.randomUUID()}`);
  personal = await projectOf(deps, ann.user, path);
});

const TAKEN = { problems: { path: ["has already been taken"] } };

type Attempt = (by: Deps) => Promise<unknown>;
const createSubgroup: Attempt = (by) => createGroup(by, ann.user, { name: path, path }, group);
const create: Attempt = (by) => createProject(by, ann.user, { path }, group);
const transfer: Attempt = (by) => transferProject(by, personal, { kind: "group", group }, ann.user);

/** Two requests, of which only the first succeeds, and the result of the second request. */
const CONFLICTS: readonly (readonly [string, string, Attempt, Attempt, unknown])[] = [
  ["the creation of a subgroup", "the creation of a project", createSubgroup, create, TAKEN],
  ["the creation of a subgroup", "the transfer of a project", createSubgroup, transfer, "path_taken"],
  ["the creation of a project", "the creation of a subgroup", create, createSubgroup, TAKEN],
  ["the transfer of a project", "the creation of a subgroup", transfer, createSubgroup, TAKEN],
];

async function expectOnePath(): Promise<void> {
  const where = { fullPathLower: `${group.fullPath}/${path}`.toLowerCase() };
  expect((await deps.db.group.count({ where })) + (await deps.db.project.count({ where }))).toBe(1);
}

describe("a subgroup and a project of a group never get the same path", () => {
  it.each(CONFLICTS)(
    "after %s, %s with the same path is refused",
    async (_first, _second, first, second, refused) => {
      await first(deps);
      expect(await second(deps)).toEqual(refused);
      await expectOnePath();
    },
  );

  it.each(CONFLICTS)(
    "if %s ends directly before the transaction, %s with the same path is refused",
    async (_first, _second, first, second, refused) => {
      expect(await second(beforeFirstTransaction(deps, () => first(deps)))).toEqual(refused);
      await expectOnePath();
    },
  );

  it.each(CONFLICTS)(
    "during %s, %s with the same path waits and is refused",
    async (_first, _second, first, second, refused) => {
      expect(await duringTransaction(deps, first, () => second(deps))).toEqual(refused);
      await expectOnePath();
    },
  );

  it("the comparison of the paths is case-insensitive", async () => {
    await createSubgroup(deps);
    expect(await createProject(deps, ann.user, { path: path.toUpperCase() }, group)).toEqual(TAKEN);
  });

  it("the same path is available in another group and in the namespace of a user", async () => {
    await createSubgroup(deps);
    const other = await groupOf(deps, ann.user, `other-${crypto.randomUUID()}`);
    expect(await createProject(deps, ann.user, { path }, other)).toHaveProperty("project.path", path);
    expect(personal.path).toBe(path);
  });

  it("a project whose path a subgroup already has can still be edited", async () => {
    const created = await projectOf(deps, ann.user, path, { group });
    const { id, ...subgroup } = await deps.db.group.findUniqueOrThrow({ where: { id: group.id } });
    const paths = { fullPath: created.fullPath, fullPathLower: created.fullPath.toLowerCase() };
    await deps.db.group.create({ data: { ...subgroup, ...paths, path, parentId: id } });
    expect(await updateProject(deps, created, { name: "Shop" }, ann.user)).toHaveProperty(
      "project.name",
      "Shop",
    );
  });

  it("the API responds with 400 and the name of the field", async () => {
    const refused = { status: 400, body: { message: { path: ["has already been taken"] } } };
    const subgroup = { name: path, path, parent_id: group.id };
    const { token } = ann;
    await callApi(groupsRoute.POST, "POST", { token, json: subgroup });
    const project = { path, namespace_id: group.id };
    expect(await callApi(projectsRoute.POST, "POST", { token, json: project })).toMatchObject(refused);
    const moved = { path: { id: String(personal.id) }, json: { namespace: group.id } };
    expect(await callApi(transferRoute.PUT, "PUT", { token, ...moved })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("same path") },
    });
    await callApi(projectsRoute.POST, "POST", { token, json: { ...project, path: "site" } });
    const second = { ...subgroup, path: "site" };
    expect(await callApi(groupsRoute.POST, "POST", { token, json: second })).toMatchObject(refused);
  });
});
