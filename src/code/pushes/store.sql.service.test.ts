import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { recentPushesBy } from "./service.ts";
import { insertPushes, releaseBranches } from "./store.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const ben = await apiUser(deps, "ben");
const shop = await projectOf(deps, ann.user, "shop");
const other = await projectOf(deps, ann.user, "other");
const headSha = "1".repeat(40);

it("recentPushesBy returns the branches that a user has pushed to a project since a time, newest first, among the user's 20 newest pushes", async () => {
  const since = deps.clock();
  const push = (projectId: number, userId: number, branches: readonly string[], pushedAt = since) =>
    insertPushes(
      deps.db,
      { projectId, userId, pushedAt },
      branches.map((branch) => ({ branch, headSha })),
    );
  const branches = async () =>
    (await recentPushesBy(deps, shop, ann.user, since)).map(({ branch }) => branch);
  await push(shop.id, ann.user.id, ["early"], new Date(since.getTime() - 1));
  await push(shop.id, ann.user.id, ["first", "deleted", "second"]);
  await push(other.id, ann.user.id, ["elsewhere"]);
  await push(shop.id, ben.user.id, ["foreign"]);
  await releaseBranches(deps.db, shop.id, ["deleted"]);
  expect(await recentPushesBy(deps, shop, ann.user, since)).toEqual([
    { branch: "second", headSha, pushedAt: since },
    { branch: "first", headSha, pushedAt: since },
  ]);
  await push(
    other.id,
    ann.user.id,
    Array.from({ length: 18 }, (_, at) => `more${at}`),
  );
  expect(await branches()).toEqual(["second"]);
});
