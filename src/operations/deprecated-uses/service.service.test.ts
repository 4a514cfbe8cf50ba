import { beforeAll, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { registeredClient, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import type { DeprecationName } from "./catalog.ts";
import { enqueueDeprecatedUse, listDeprecatedUses, writeDeprecatedUses } from "./service.ts";

const deps = await openTestDeps();
const PAGE = { kind: "offset", page: 1, perPage: 20 } as const;

let ann: User;
let bob: User;
let applicationId: number;

beforeAll(async () => {
  ann = (await signedInUser(deps, "ann")).user;
  bob = (await signedInUser(deps, "bob")).user;
  applicationId = (await registeredClient(deps, ann, { name: "Deploy" })).application.id;
});

const use = (user: User, application: number | null, ...names: DeprecationName[]) =>
  enqueueDeprecatedUse(
    deps,
    { user, scopes: [], token: { kind: "oauth", id: 1, applicationId: application } },
    names,
  );

it("deprecated uses are counted in memory, added to the stored counts, and listed for the owners of the tokens and of the applications", async () => {
  use(ann, null, "geo_nodes");
  use(ann, null, "geo_nodes", "runner_active");
  use(bob, applicationId, "geo_nodes");
  enqueueDeprecatedUse(deps, null, ["merge_request_changes"]);
  expect(await deps.db.deprecatedUse.count()).toBe(0);
  await writeDeprecatedUses(deps);
  expect(await deps.db.deprecatedUse.count()).toBe(4);
  use(ann, null, "geo_nodes");

  const own = await listDeprecatedUses(deps, ann, "own", PAGE);
  expect(own.total).toBe(2);
  expect(own.rows.map(({ name, count }) => `${name} ${count}`).toSorted()).toEqual([
    "geo_nodes 3",
    "runner_active 1",
  ]);
  const hers = await listDeprecatedUses(deps, ann, "applications", PAGE);
  expect(hers.rows).toEqual([expect.objectContaining({ name: "geo_nodes", count: 1, user: null })]);
  expect(hers.rows[0]?.application?.name).toBe("Deploy");
  const all = await listDeprecatedUses(deps, ann, "all", PAGE);
  expect(all.rows.map(({ user }) => user?.username ?? null).toSorted()).toEqual(["ann", "ann", "bob", null]);
});

it("the count of deprecated uses stops at the largest integer", async () => {
  const { user: dora } = await signedInUser(deps, "dora");
  use(dora, null, "geo_nodes");
  await writeDeprecatedUses(deps);
  await deps.db.deprecatedUse.updateMany({ where: { userId: dora.id }, data: { count: 2_147_483_646 } });
  for (let time = 0; time < 3; time += 1) use(dora, null, "geo_nodes");
  const { rows } = await listDeprecatedUses(deps, dora, "own", PAGE);
  expect(rows.map(({ count }) => count)).toEqual([2_147_483_647]);
});

it("a batch of deprecated uses is stored without the uses by deleted users", async () => {
  const { user: carl } = await signedInUser(deps, "carl");
  use(carl, null, "geo_nodes");
  use(bob, null, "runner_active");
  await deps.db.user.delete({ where: { id: carl.id } });
  await writeDeprecatedUses(deps);
  const { rows } = await listDeprecatedUses(deps, bob, "own", PAGE);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(["geo_nodes", "runner_active"]);
});

it.each(["own", "all"] as const)(
  "the list of deprecated uses (%s) returns the latest uses first, and counts the uses of all pages",
  async (circle) => {
    await deps.db.deprecatedUse.deleteMany();
    const { user: reader } = await signedInUser(deps, `reader-of-${circle}`);
    const now = deps.clock();
    const names = ["geo_nodes", "runner_active", "merge_request_changes", "geo_nodes"];
    const data = names.map((name, index) => ({
      ...{ key: `${circle}-${index}`, name, userId: reader.id, count: index + 1 },
      // The last two uses have the same time, so that their ids decide about their order.
      lastUsedAt: new Date(now.getTime() + 1_000 * Math.min(index, 2)),
    }));
    await deps.db.deprecatedUse.createMany({ data });
    const pages = await Promise.all(
      [1, 2].map((page) => listDeprecatedUses(deps, reader, circle, { kind: "offset", page, perPage: 3 })),
    );
    expect(pages.map(({ rows }) => rows.map(({ count }) => count))).toEqual([[4, 3, 2], [1]]);
    expect(pages.map(({ total }) => total)).toEqual([4, 4]);
    expect(pages[0]?.rows[0]?.user).toEqual({
      ...{ id: reader.id, username: reader.username, name: reader.name },
    });
  },
);
