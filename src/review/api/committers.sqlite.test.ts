import * as configuration from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as approve from "@app/api/v4/projects/[id]/merge_requests/[iid]/approve/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as rebaseRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/rebase/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as unapprove from "@app/api/v4/projects/[id]/merge_requests/[iid]/unapprove/route.ts";
import * as list from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as branchRoute from "@app/api/v4/projects/[id]/repository/branches/[branch]/route.ts";
import * as branches from "@app/api/v4/projects/[id]/repository/branches/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { beginPush } from "@/code/pushes/in-flight.ts";
import { recordPush } from "@/code/pushes/service.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { refreshAfterPush } from "@/review/merge-requests/after-push.ts";
import { type ApiUser, apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const dora = await apiUser(deps, "dora");
const ben = await apiUser(deps, "ben");

type Json = Readonly<Record<string, unknown>>;
type Module = Readonly<Record<string, unknown>>;
type Route = Parameters<typeof callApi>[0];

let project: AuthorizedProject;
let number = 0;

beforeEach(async () => {
  number += 1;
  project = await projectOf(deps, owner.user, `shop-${number}`, { visibility: "public" });
  for (const { user } of [dora, ben]) await memberOf(deps, project, user, "developer");
  await call(configuration, "POST", owner, {
    json: { merge_requests_disable_committers_approval: true, merge_requests_author_approval: true },
  });
  if (gitIsHere) await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { a: "a\n" } }]);
});

async function call(
  module: Module,
  method: string,
  by: ApiUser,
  { iid, json, branch }: { iid?: number; json?: Json; branch?: string } = {},
) {
  const path = {
    id: String(project.id),
    ...(iid ? { iid: String(iid) } : {}),
    ...(branch ? { branch } : {}),
  };
  const response = await callApi(module[method] as Route, method, {
    ...{ token: by.token, path },
    ...(json === undefined ? {} : { json }),
  });
  return { ...response, body: response.body as Json };
}

const git = async (...args: readonly string[]): Promise<string> => {
  const cwd = await repositoryOf(deps, project);
  return (await runGit(args, { cwd, path: deps.config.programPath })).toString("utf8").trim();
};

const NOTHING = "0".repeat(40);

/**
 * Records a push of a branch, as the server does after `git push`. The author of all commits is `Ann
 * <ann@example.com>`.
 */
async function pushed(by: ApiUser, branch: string, before = NOTHING): Promise<void> {
  const after = await git("rev-parse", branch);
  await recordPush(deps, { project, user: by.user }, [{ ref: `refs/heads/${branch}`, before, after }]);
  await refreshAfterPush(deps, project, by.user.id);
}

const commit = (branch: string, name: string) =>
  commitAll(deps, project, [{ branch, message: `Add ${name}`, files: { [name]: `${name}\n` } }]);

async function createMergeRequest(source_branch: string, target_branch = "main"): Promise<number> {
  const json = { source_branch, target_branch, title: "Title" };
  const { body } = await call(list, "POST", owner, { json });
  return body["iid"] as number;
}

const approvedBy = async (by: ApiUser, iid: number): Promise<boolean> => {
  const { status } = await call(approve, "POST", by, { iid });
  expect([201, 403]).toContain(status);
  return status === 201;
};

/** Returns the audit events of the project with this name, oldest first. */
async function eventsOf(name: string) {
  const where = { name, details: { contains: `"path":"${project.fullPath}"` } };
  const events = await deps.db.auditEvent.findMany({ where, orderBy: { id: "asc" } });
  return events.map(({ userId, details }) => ({ userId, details: JSON.parse(details) }));
}

const approvals = (iid: number) =>
  deps.db.mergeRequestApproval.count({ where: { mergeRequest: { projectId: project.id, iid } } });

describe("users who push commits", GIT, () => {
  it(
    conformance(
      "SC-13",
      "users cannot approve commits that they pushed, regardless of the e-mail addresses in the commits",
    ),
    async () => {
      await commit("topic", "one");
      await pushed(dora, "topic");
      const iid = await createMergeRequest("topic");
      expect(await approvedBy(dora, iid)).toBe(false);
      expect(await approvedBy(ben, iid)).toBe(true);
      // Ben pushes a commit too, so the earlier approval by Ben is removed.
      await call(configuration, "POST", owner, { json: { reset_approvals_on_push: false } });
      await commit("topic", "two");
      await pushed(ben, "topic");
      expect(await approvals(iid)).toBe(0);
      expect(await approvedBy(dora, iid)).toBe(false);
      expect(await approvedBy(ben, iid)).toBe(false);
      expect(await approvedBy(owner, iid)).toBe(true);
    },
  );

  it(
    conformance(
      "SC-13",
      "users who push lose their approvals even if another request records the new head of the merge request before the push is recorded",
    ),
    async () => {
      await call(configuration, "POST", owner, { json: { reset_approvals_on_push: false } });
      await commit("topic", "one");
      await pushed(dora, "topic");
      const iid = await createMergeRequest("topic");
      expect(await approvedBy(ben, iid)).toBe(true);
      const end = beginPush(project.id, ben.user.id);
      await commit("topic", "two");
      await call(mergeRequestRoute, "GET", owner, { iid });
      expect(await approvedBy(ben, iid)).toBe(false);
      await pushed(ben, "topic");
      end();
      expect(await approvals(iid)).toBe(0);
      expect(await approvedBy(ben, iid)).toBe(false);
    },
  );

  it(
    conformance(
      "SC-13",
      "users who pushed commits cannot approve after another user has replaced these commits by a force push or a rebase",
    ),
    async () => {
      await commit("topic", "one");
      await git("branch", "kept", "topic");
      await commit("topic", "two");
      await pushed(dora, "topic");
      await git("update-ref", "refs/heads/topic", "kept");
      await pushed(owner, "topic");
      const iid = await createMergeRequest("topic");
      expect(await approvedBy(dora, iid)).toBe(false);
      expect(await approvedBy(ben, iid)).toBe(true);
      await commit("work", "work");
      await pushed(dora, "work");
      const other = await createMergeRequest("work");
      await commit("main", "later");
      expect((await call(rebaseRoute, "PUT", owner, { iid: other })).status).toBe(202);
      expect(await approvedBy(dora, other)).toBe(false);
      expect(await approvedBy(ben, other)).toBe(true);
    },
  );

  it(
    conformance(
      "SC-13",
      "users who pushed to a deleted branch can approve the merge request of a new branch with the same name",
    ),
    async () => {
      await commit("next", "one");
      await pushed(dora, "next");
      const first = await createMergeRequest("next");
      expect((await call(mergeRoute, "PUT", owner, { iid: first })).status).toBe(200);
      await git("update-ref", "refs/heads/next", "main");
      await commit("next", "two");
      await pushed(ben, "next");
      const second = await createMergeRequest("next");
      expect(await approvedBy(dora, second)).toBe(true);
      expect(await approvedBy(ben, second)).toBe(false);
      await commit("side", "side");
      await pushed(dora, "side");
      expect((await call(branchRoute, "DELETE", owner, { branch: "side" })).status).toBe(204);
      await commit("side", "other");
      await pushed(ben, "side");
      expect(await approvedBy(dora, await createMergeRequest("side"))).toBe(true);
    },
  );

  it(
    conformance("SC-13", "users who created a branch through the API cannot approve the head of this branch"),
    async () => {
      await commit("feature", "one");
      await pushed(ben, "feature");
      await commit("temporary", "harmful");
      const harmful = await git("rev-parse", "temporary");
      await commit("temporary", "cover");
      await pushed(dora, "temporary");
      const before = await git("rev-parse", "feature");
      expect((await call(branchRoute, "DELETE", dora, { branch: "feature" })).status).toBe(204);
      const json = { branch: "feature", ref: harmful };
      expect((await call(branches, "POST", dora, { json })).status).toBe(201);
      const iid = await createMergeRequest("feature");
      expect(await approvedBy(dora, iid)).toBe(false);
      expect(await approvedBy(ben, iid)).toBe(true);
      const where = { name: "repository.pushed", details: { contains: `"path":"${project.fullPath}"` } };
      const events = await deps.db.auditEvent.findMany({ where, orderBy: { id: "asc" } });
      const ref = "refs/heads/feature";
      expect(events.slice(-2).map(({ details }) => JSON.parse(details).references)).toEqual([
        [{ ref, before, after: NOTHING }],
        [{ ref, before: NOTHING, after: harmful }],
      ]);
      expect(events.at(-1)?.userId).toBe(dora.user.id);
      const long = { branch: "é".repeat(123), ref: "main" };
      expect((await call(branches, "POST", dora, { json: long })).status).toBe(400);
    },
  );

  it(
    conformance(
      "SC-13",
      "users lose their approvals when they delete the source branch, by a push or through the API",
    ),
    async () => {
      await call(configuration, "POST", owner, { json: { reset_approvals_on_push: false } });
      const approvedTopic = async (branch: string): Promise<number> => {
        await commit(branch, branch);
        await pushed(dora, branch);
        const iid = await createMergeRequest(branch);
        expect(await approvedBy(ben, iid)).toBe(true);
        return iid;
      };
      const byPush = await approvedTopic("by-push");
      const before = await git("rev-parse", "by-push");
      await git("branch", "-D", "by-push");
      await recordPush(deps, { project, user: ben.user }, [
        { ref: "refs/heads/by-push", before, after: NOTHING },
      ]);
      expect(await approvals(byPush)).toBe(0);
      const byApi = await approvedTopic("by-api");
      expect((await call(branchRoute, "DELETE", ben, { branch: "by-api" })).status).toBe(204);
      expect(await approvals(byApi)).toBe(0);
      const byOther = await approvedTopic("by-other");
      expect((await call(branchRoute, "DELETE", dora, { branch: "by-other" })).status).toBe(204);
      expect(await approvals(byOther)).toBe(1);
    },
  );

  it(
    conformance("SC-13", "the approvals of a user do not count while a push by this user is in progress"),
    async () => {
      await call(configuration, "POST", owner, {
        json: { reset_approvals_on_push: false, approvals_before_merge: 1 },
      });
      await commit("topic", "one");
      await pushed(dora, "topic");
      const iid = await createMergeRequest("topic");
      expect(await approvedBy(ben, iid)).toBe(true);
      const end = beginPush(project.id, ben.user.id);
      await commit("topic", "two");
      expect((await call(mergeRoute, "PUT", owner, { iid })).status).not.toBe(200);
      end();
      expect((await call(mergeRoute, "PUT", owner, { iid })).status).toBe(200);
    },
  );

  it(
    conformance("SC-13", "users cannot approve commits that the server created on behalf of these users"),
    async () => {
      await commit("topic", "one");
      await git("update-ref", "refs/heads/into", "main");
      const first = await createMergeRequest("topic", "into");
      expect((await call(mergeRoute, "PUT", dora, { iid: first })).status).toBe(200);
      await deps.db.user.update({ where: { id: dora.user.id }, data: { email: "new@example.com" } });
      const second = await createMergeRequest("into");
      expect(await approvedBy(dora, second)).toBe(false);
      expect(await approvedBy(ben, second)).toBe(true);
    },
  );
});

describe("a merge request", GIT, () => {
  it(
    conformance(
      "SC-16",
      "the author can edit a merge request only while the author is a member of the project",
    ),
    async () => {
      await commit("topic", "one");
      const json = { source_branch: "topic", target_branch: "main", title: "Mine" };
      const { body } = await call(list, "POST", dora, { json });
      const iid = body["iid"] as number;
      const change = async (more: Json) =>
        (await call(mergeRequestRoute, "PUT", dora, { iid, json: more })).status;
      const where = { projectId: project.id, userId: dora.user.id };
      await deps.db.projectMember.updateMany({ where, data: { role: 20 } });
      expect(await change({ title: "Still mine" })).toBe(200);
      await deps.db.projectMember.deleteMany({ where });
      expect(await change({ title: "Hers" })).toBe(403);
      expect(await change({ state_event: "close" })).toBe(403);
      expect((await call(mergeRequestRoute, "GET", owner, { iid })).body).toMatchObject({
        title: "Still mine",
        state: "opened",
      });
    },
  );

  it(
    conformance(
      "SC-16",
      "the commits that the server creates for a merge or a rebase contain the noreply e-mail address of the user, not the e-mail address in the profile",
    ),
    async () => {
      await commit("topic", "one");
      await commit("main", "other");
      const iid = await createMergeRequest("topic");
      const emails = (revision: string) => git("log", "-1", "--format=%ae %ce", revision);
      const json = { squash: true };
      expect((await call(mergeRoute, "PUT", owner, { iid, json })).status).toBe(200);
      const noreply = `${owner.user.id}-owner@users.noreply.${deps.config.baseUrl.hostname}`;
      expect(await emails("main")).toBe(`${noreply} ${noreply}`);
      expect(await emails("main^2")).toBe(`${noreply} ${noreply}`);
      expect(await git("log", "--format=%ae %ce", "main")).not.toContain(owner.user.email);
    },
  );

  it(
    conformance("SC-17", "pushes, approvals and merges of a merge request create audit events"),
    async () => {
      await commit("topic", "one");
      await pushed(dora, "topic");
      const head = await git("rev-parse", "topic");
      const iid = await createMergeRequest("topic");
      await approvedBy(ben, iid);
      await call(unapprove, "POST", ben, { iid });
      await approvedBy(ben, iid);
      await call(mergeRoute, "PUT", owner, { iid });
      const place = { id: project.id, path: project.fullPath };
      const events = await deps.db.auditEvent.findMany({
        where: { details: { contains: `"path":"${project.fullPath}"` } },
        orderBy: { id: "asc" },
      });
      const recorded = events.map(({ name, userId, details }) => ({
        name,
        userId,
        details: JSON.parse(details),
      }));
      const reference = { ref: "refs/heads/topic", before: NOTHING, after: head };
      const approval = { ...place, iid, commit: head };
      expect(recorded.slice(-5)).toEqual([
        {
          ...{ name: "repository.pushed", userId: dora.user.id },
          details: { ...place, references: [reference], more: 0 },
        },
        { name: "merge_request.approved", userId: ben.user.id, details: approval },
        { name: "merge_request.unapproved", userId: ben.user.id, details: approval },
        { name: "merge_request.approved", userId: ben.user.id, details: approval },
        {
          ...{ name: "merge_request.merged", userId: owner.user.id },
          details: {
            ...{ ...place, iid, sourceBranch: "topic", targetBranch: "main" },
            commit: await git("rev-parse", "main"),
            before: await git("rev-parse", "main^1"),
          },
        },
      ]);
      const many = Array.from({ length: 25 }, (_, at) => ({ ...reference, ref: `refs/tags/v${at}` }));
      await recordPush(deps, { project, user: dora.user }, many);
      const last = await deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });
      expect(JSON.parse(last.details)).toMatchObject({ more: 5, references: many.slice(0, 20) });
    },
  );

  it(
    conformance(
      "SC-17",
      "a rebase and the deletion of a source branch by a merge create the same audit events as a push, and change the last activity of the project",
    ),
    async () => {
      await commit("topic", "one");
      await pushed(dora, "topic");
      const before = await git("rev-parse", "topic");
      const iid = await createMergeRequest("topic");
      await commit("main", "later");
      await deps.db.project.update({ where: { id: project.id }, data: { lastActivityAt: new Date(0) } });
      expect((await call(rebaseRoute, "PUT", ben, { iid })).status).toBe(202);
      const rebased = await git("rev-parse", "topic");
      const json = { should_remove_source_branch: true };
      expect((await call(mergeRoute, "PUT", owner, { iid, json })).status).toBe(200);
      const ref = "refs/heads/topic";
      const pushes = (await eventsOf("repository.pushed")).slice(-2);
      expect(pushes).toMatchObject([
        { userId: ben.user.id, details: { references: [{ ref, before, after: rebased }], more: 0 } },
        { userId: owner.user.id, details: { references: [{ ref, before: rebased, after: NOTHING }] } },
      ]);
      const { lastActivityAt } = await deps.db.project.findUniqueOrThrow({ where: { id: project.id } });
      expect(lastActivityAt).toEqual(deps.clock());
    },
  );

  it(
    conformance(
      "SC-17",
      "the removal of approvals by a push or by a change of the target branch creates an audit event with the approvers",
    ),
    async () => {
      await commit("topic", "one");
      await pushed(dora, "topic");
      await git("branch", "release", "main");
      const first = await git("rev-parse", "topic");
      const iid = await createMergeRequest("topic");
      await approvedBy(ben, iid);
      await commit("topic", "two");
      await pushed(dora, "topic", first);
      await approvedBy(ben, iid);
      const json = { target_branch: "release" };
      expect((await call(mergeRequestRoute, "PUT", owner, { iid, json })).status).toBe(200);
      await call(configuration, "POST", owner, { json: { reset_approvals_on_push: false } });
      const second = await git("rev-parse", "topic");
      await approvedBy(ben, iid);
      await commit("topic", "three");
      await pushed(ben, "topic", second);
      const by = { userId: ben.user.id, username: "ben" };
      const place = { id: project.id, path: project.fullPath, iid };
      expect(await eventsOf("merge_request.approvals_removed")).toEqual([
        {
          userId: dora.user.id,
          details: { ...place, cause: "push", approvals: [{ ...by, commit: first }] },
        },
        {
          userId: owner.user.id,
          details: { ...place, cause: "target_changed", approvals: [{ ...by, commit: second }] },
        },
        {
          userId: ben.user.id,
          details: { ...place, cause: "committer", approvals: [{ ...by, commit: second }] },
        },
      ]);
    },
  );

  it(
    conformance("SC-17", "a push that merges a merge request creates exactly one audit event for the merge"),
    async () => {
      await commit("topic", "one");
      const iid = await createMergeRequest("topic");
      await git("update-ref", "refs/heads/main", "topic");
      await pushed(owner, "main");
      await call(mergeRequestRoute, "GET", dora, { iid });
      const where = { name: "merge_request.merged", details: { contains: `"path":"${project.fullPath}"` } };
      expect(await deps.db.auditEvent.findMany({ where })).toMatchObject([{ userId: owner.user.id }]);
    },
  );
});
