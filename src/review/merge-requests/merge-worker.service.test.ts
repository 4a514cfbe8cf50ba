import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { scheduleMerge } from "./lifecycle-store.ts";
import { merge } from "./merge.ts";
import { performMerge, refreshMergeability } from "./merge-worker.ts";
import type { MergeRequest } from "./rules.ts";
import { createMergeRequest, findMergeRequest, updateMergeRequest } from "./service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const project = await projectOf(deps, owner.user, "shop");
const actor = { project, user: owner.user };

const push = (branch: string, name: string) =>
  commitAll(deps, project, [{ branch, message: `Add ${name}`, files: { [name]: "text\n" } }]);

/** Pushes a new branch with one commit, and creates a merge request for this branch. */
async function openMergeRequest(branch: string, title: string): Promise<MergeRequest> {
  await push(branch, `${branch}.txt`);
  const created = await createMergeRequest(deps, actor, {
    ...{ sourceBranch: branch, targetBranch: "main", title, description: "", labels: [] },
    ...{ squash: false, removesSource: false, assigneeIds: [], reviewerIds: [] },
  });
  if (typeof created !== "object" || !("iid" in created)) throw new Error(JSON.stringify(created));
  return read(created.iid);
}

async function read(iid: number): Promise<MergeRequest> {
  const mergeRequest = await findMergeRequest(deps, project, iid);
  if (mergeRequest === null) throw new Error(`There is no merge request ${iid}.`);
  return mergeRequest;
}

it(
  "if auto-merge was enabled for a specific head commit, the server never merges another head commit",
  GIT,
  async () => {
    await push("main", "a.txt");
    const stale = await openMergeRequest("pinned", "Draft: pinned");
    const scheduled = await merge(deps, actor, stale, { sha: stale.headSha, whenReady: true });
    expect(scheduled).toMatchObject({ autoMerge: { sha: stale.headSha } });
    await push("pinned", "later.txt");
    // This refresh simulates a request that loaded the merge request before auto-merge was enabled.
    await refreshMergeability(deps, stale);
    await updateMergeRequest(deps, actor, await read(stale.iid), { title: "Pinned" });
    expect(await read(stale.iid)).toMatchObject({
      state: "opened",
      autoMerge: null,
      mergeError: "The source branch has changed.",
    });
  },
);

it(
  "auto-merge is enabled only if the merge request still has the head and the target branch that the user has seen",
  GIT,
  async () => {
    const stale = await openMergeRequest("moving", "Draft: moving");
    await deps.db.mergeRequest.update({ where: { id: stale.id }, data: { headSha: "f".repeat(40) } });
    const terms = { squash: false, removesSource: false, mergeMessage: null, squashMessage: null };
    const wish = { at: deps.clock(), sha: stale.headSha, userId: owner.user.id, ...terms };
    expect(await scheduleMerge(deps.db, stale, wish)).toBe(false);
    await deps.db.mergeRequest.update({ where: { id: stale.id }, data: { headSha: stale.headSha } });
    expect(await scheduleMerge(deps.db, stale, wish)).toBe(true);
  },
);

it(
  "if the merge has updated the target branch but could not be recorded, a later request completes the merge",
  GIT,
  async () => {
    const mergeRequest = await refreshMergeability(deps, await openMergeRequest("full-disk", "Full disk"));
    const failing = { ...deps, transaction: () => Promise.reject(new Error("The disk is full.")) };
    const squashed = { ...mergeRequest, squash: true };
    await expect(performMerge(failing, squashed, owner.user)).rejects.toThrow("The disk is full.");
    expect(await read(mergeRequest.iid)).toMatchObject({ state: "locked" });
    const later = { ...deps, clock: () => new Date(deps.clock().getTime() + 301_000) };
    expect(await refreshMergeability(later, await read(mergeRequest.iid))).toMatchObject({
      state: "merged",
      mergeUser: { username: "owner" },
      squashCommitSha: expect.any(String),
    });
  },
);
