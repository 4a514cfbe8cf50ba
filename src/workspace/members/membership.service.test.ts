import { beforeAll, expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { resourceOf as groupResource } from "../groups/service.ts";
import type { AuthorizedProject } from "../projects/rules.ts";
import { resourceOf as projectResource } from "../projects/service.ts";
import { effective, type ProjectOrGroup } from "./rules.ts";
import { listMembers, listMemberships, rolesIn } from "./service.ts";

const deps = await openTestDeps();
const { user: olga } = await apiUser(deps, "olga");
const { user: mia } = await apiUser(deps, "mia");
const { user: sam } = await apiUser(deps, "sam");
const { user: root } = await apiUser(deps, "root", { admin: true });
const DAY_SECONDS = 86_400;

let upper: AuthorizedGroup;
let lower: AuthorizedGroup;
let shop: AuthorizedProject;
let apart: AuthorizedProject;

beforeAll(async () => {
  const until = new Date(deps.clock().getTime() + DAY_SECONDS * 1000);
  upper = await groupOf(deps, olga, "upper");
  lower = await groupOf(deps, olga, "lower", { parent: upper });
  shop = await projectOf(deps, olga, "shop", { group: lower });
  apart = await projectOf(deps, olga, "apart");
  await memberOf(deps, upper, mia, "reporter");
  await memberOf(deps, lower, mia, "developer", until);
  await memberOf(deps, shop, mia, "maintainer");
  await memberOf(deps, apart, sam, "guest", until);
});

async function membershipOf(resource: ProjectOrGroup, userId: number) {
  const { rows, total } = await listMemberships(deps, resource, "", { kind: "offset", page: 1, perPage: 50 });
  expect(rows).toHaveLength(total ?? 0);
  return rows.find(({ user }) => user.id === userId);
}

it("listMemberships returns the direct membership, and the inherited membership with the highest role", async () => {
  expect(await membershipOf(projectResource(shop), mia.id)).toMatchObject({
    own: { role: "maintainer", expiresAt: null },
    inherited: { role: "developer", group: { id: lower.id, fullPath: "upper/lower" } },
  });
  expect(await membershipOf(groupResource(lower), mia.id)).toMatchObject({
    own: { role: "developer" },
    inherited: { role: "reporter", group: { fullPath: "upper" } },
  });
  expect(await membershipOf(groupResource(upper), mia.id)).toMatchObject({
    own: { role: "reporter" },
    inherited: null,
  });
  expect(await membershipOf(projectResource(shop), sam.id)).toBeUndefined();
});

it("listMembers counts a member of a project and of several of its groups only once", async () => {
  const filter = { search: "", inherited: true };
  const first = { kind: "offset", page: 1, perPage: 1 } as const;
  expect((await listMembers(deps, projectResource(shop), filter, first)).total).toBe(2);
  expect((await listMembers(deps, groupResource(lower), filter, first)).total).toBe(2);
});

it("rolesIn returns the roles of a user in several projects or groups", async () => {
  const resources = [shop, apart].map(projectResource);
  expect(await rolesIn(deps, resources, mia)).toEqual(new Map([[shop.id, "maintainer"]]));
  expect(await rolesIn(deps, resources, sam)).toEqual(new Map([[apart.id, "guest"]]));
  expect(await rolesIn(deps, [upper, lower].map(groupResource), mia)).toEqual(
    new Map([
      [upper.id, "reporter"],
      [lower.id, "developer"],
    ]),
  );
  expect((await rolesIn(deps, resources, root)).size).toBe(2);
  expect(await rolesIn(deps, resources, null)).toEqual(new Map());
});

it("rolesIn and listMemberships ignore expired memberships", async () => {
  deps.advance(2 * DAY_SECONDS);
  expect((await rolesIn(deps, [projectResource(apart)], sam)).size).toBe(0);
  expect(await membershipOf(projectResource(apart), sam.id)).toBeUndefined();
  const inLower = await membershipOf(groupResource(lower), mia.id);
  expect(inLower).toMatchObject({ own: null, inherited: { role: "reporter" } });
});

it.each([
  ["developer", "reporter", "own"],
  ["developer", "developer", "own"],
  ["reporter", "developer", "inherited"],
] as const)(
  "for a direct role %s and an inherited role %s, the %s membership is effective",
  (own, inherited, counts) => {
    const user = { ...mia, state: "active" } as const;
    const group = { id: 1, fullPath: "upper" };
    expect(
      effective({
        user,
        own: { role: own, expiresAt: null },
        inherited: { role: inherited, expiresAt: null, group },
      }),
    ).toBe(counts);
  },
);

it("listMembers returns no members of a deleted group", async () => {
  const gone = { ...groupResource(upper), id: 4711 };
  const filter = { search: "", inherited: true };
  expect(await listMembers(deps, gone, filter, { kind: "offset", page: 1, perPage: 20 })).toMatchObject({
    rows: [],
    total: 0,
  });
});
