import { beforeAll, expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { placeOf as groupPlace } from "../groups/service.ts";
import type { AuthorizedProject } from "../projects/rules.ts";
import { placeOf as projectPlace } from "../projects/service.ts";
import { effective, type Place } from "./rules.ts";
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

async function membershipOf(place: Place, userId: number) {
  const { rows, total } = await listMemberships(deps, place, "", { kind: "offset", page: 1, perPage: 50 });
  expect(rows).toHaveLength(total ?? 0);
  return rows.find(({ user }) => user.id === userId);
}

it("returns the direct membership, and the inherited membership with the highest role", async () => {
  expect(await membershipOf(projectPlace(shop), mia.id)).toMatchObject({
    own: { role: "maintainer", expiresAt: null },
    inherited: { role: "developer", group: { id: lower.id, fullPath: "upper/lower" } },
  });
  expect(await membershipOf(groupPlace(lower), mia.id)).toMatchObject({
    own: { role: "developer" },
    inherited: { role: "reporter", group: { fullPath: "upper" } },
  });
  expect(await membershipOf(groupPlace(upper), mia.id)).toMatchObject({
    own: { role: "reporter" },
    inherited: null,
  });
  expect(await membershipOf(projectPlace(shop), sam.id)).toBeUndefined();
});

it("returns the roles of a user in several projects or groups", async () => {
  const places = [shop, apart].map(projectPlace);
  expect(await rolesIn(deps, places, mia)).toEqual(new Map([[shop.id, "maintainer"]]));
  expect(await rolesIn(deps, places, sam)).toEqual(new Map([[apart.id, "guest"]]));
  expect(await rolesIn(deps, [upper, lower].map(groupPlace), mia)).toEqual(
    new Map([
      [upper.id, "reporter"],
      [lower.id, "developer"],
    ]),
  );
  expect((await rolesIn(deps, places, root)).size).toBe(2);
  expect(await rolesIn(deps, places, null)).toEqual(new Map());
});

it("ignores expired memberships", async () => {
  deps.advance(2 * DAY_SECONDS);
  expect((await rolesIn(deps, [projectPlace(apart)], sam)).size).toBe(0);
  expect(await membershipOf(projectPlace(apart), sam.id)).toBeUndefined();
  const inLower = await membershipOf(groupPlace(lower), mia.id);
  expect(inLower).toMatchObject({ own: null, inherited: { role: "reporter" } });
});

it.each([
  ["developer", "reporter", "own"],
  ["developer", "developer", "own"],
  ["reporter", "developer", "inherited"],
] as const)(
  "a direct role %s and an inherited role %s make the %s membership effective",
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

it("returns no members of a deleted group", async () => {
  const gone = { ...groupPlace(upper), id: 4711 };
  const filter = { search: "", inherited: true };
  expect(await listMembers(deps, gone, filter, { kind: "offset", page: 1, perPage: 20 })).toMatchObject({
    rows: [],
    total: 0,
  });
});
