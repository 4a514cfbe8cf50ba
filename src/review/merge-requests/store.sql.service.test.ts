import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { listFrom } from "./store.sql.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const shop = await projectOf(deps, ann.user, "shop");
const other = await projectOf(deps, ann.user, "other");
const headSha = "1".repeat(40);

const open = (project: AuthorizedProject, iid: number, sourceBranch: string) =>
  deps.db.mergeRequest.create({
    data: {
      ...{ projectId: project.id, visibility: project.visibility, iid, authorId: ann.user.id },
      ...{ sourceBranch, targetBranch: "main", title: "Work", titleLower: "work", description: "" },
      ...{ searchText: "work", draft: false, state: "opened", squash: false, removesSource: false },
      ...{ createdAt: deps.clock(), updatedAt: deps.clock(), headSha, startSha: headSha, changesCount: 0 },
      ...{ mergeability: "unchecked", behind: false },
    },
  });

it("listFrom returns the merge requests of a project from several source branches, newest first", async () => {
  await open(shop, 1, "work");
  await open(shop, 2, 'näme "quoted"');
  await open(shop, 3, "unrelated");
  deps.advance(60);
  await open(shop, 4, "work");
  await open(other, 1, "work");
  const requests = await listFrom(deps.reads, shop.id, ["work", 'näme "quoted"', "missing"]);
  expect(requests.map(({ iid }) => iid)).toEqual([4, 2, 1]);
  expect(requests[0]).toEqual({ iid: 4, sourceBranch: "work", state: "opened", headSha });
  expect(await listFrom(deps.reads, shop.id, [])).toEqual([]);
});
