import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { afterFirst } from "@/testing/transactions.ts";
import { removeVoidApprovals } from "./after-push.ts";
import { approve } from "./store.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const ben = await apiUser(deps, "ben");
const dora = await apiUser(deps, "dora");
const project = await projectOf(deps, owner.user, "shop");

const FIRST = "1".repeat(40);
const SECOND = "2".repeat(40);

async function openMergeRequest(): Promise<number> {
  const at = deps.clock();
  const { id } = await deps.db.mergeRequest.create({
    data: {
      ...{ projectId: project.id, visibility: project.visibility, iid: 1, authorId: owner.user.id },
      ...{ sourceBranch: "work", targetBranch: "main", title: "Work", titleLower: "work", description: "" },
      ...{ searchText: "work", draft: false, state: "opened", squash: false, removesSource: false },
      ...{ createdAt: at, updatedAt: at, headSha: FIRST, startSha: FIRST, changesCount: 0 },
      ...{ mergeability: "unchecked", behind: false },
    },
  });
  return id;
}

it("the audit event of removed approvals names approvals that are given or renewed during the removal", async () => {
  const id = await openMergeRequest();
  const approval = (userId: number, headSha: string) => ({ userId, headSha, now: deps.clock() });
  await approve(deps.db, id, approval(ben.user.id, FIRST));
  await deps.transaction(async (within) => {
    const listed = { table: "mergeRequestApproval", method: "findMany" } as const;
    const later = afterFirst(within, listed, async () => {
      await approve(within.db, id, approval(ben.user.id, SECOND));
      await approve(within.db, id, approval(dora.user.id, SECOND));
    });
    const mergeRequest = { id, project: { ...project, groupId: null, mergeMethod: "merge" } } as const;
    const change = { cause: "target_changed", userId: owner.user.id, committers: null } as const;
    await removeVoidApprovals(later, mergeRequest, change);
  });
  expect(await deps.db.mergeRequestApproval.count()).toBe(0);
  const where = { name: "merge_request.approvals_removed" };
  const { details } = await deps.db.auditEvent.findFirstOrThrow({ where });
  expect(JSON.parse(details)).toMatchObject({
    approvals: [
      { userId: ben.user.id, username: "ben", commit: SECOND },
      { userId: dora.user.id, username: "dora", commit: SECOND },
    ],
  });
});
