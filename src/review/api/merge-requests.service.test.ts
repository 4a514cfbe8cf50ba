import * as groupList from "@app/api/v4/groups/[id]/merge_requests/route.ts";
import * as allList from "@app/api/v4/merge_requests/route.ts";
import * as configuration from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as approvals from "@app/api/v4/projects/[id]/merge_requests/[iid]/approvals/route.ts";
import * as approve from "@app/api/v4/projects/[id]/merge_requests/[iid]/approve/route.ts";
import * as cancel from "@app/api/v4/projects/[id]/merge_requests/[iid]/cancel_merge_when_pipeline_succeeds/route.ts";
import * as changes from "@app/api/v4/projects/[id]/merge_requests/[iid]/changes/route.ts";
import * as commits from "@app/api/v4/projects/[id]/merge_requests/[iid]/commits/route.ts";
import * as diffs from "@app/api/v4/projects/[id]/merge_requests/[iid]/diffs/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as rebaseRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/rebase/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as unapprove from "@app/api/v4/projects/[id]/merge_requests/[iid]/unapprove/route.ts";
import * as oneVersion from "@app/api/v4/projects/[id]/merge_requests/[iid]/versions/[version_id]/route.ts";
import * as versions from "@app/api/v4/projects/[id]/merge_requests/[iid]/versions/route.ts";
import * as list from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as protectedBranch from "@app/api/v4/projects/[id]/protected_branches/[name]/route.ts";
import * as protectedBranches from "@app/api/v4/projects/[id]/protected_branches/route.ts";
import * as oneProject from "@app/api/v4/projects/[id]/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { refreshAfterPush } from "@/review/merge-requests/after-push.ts";
import { merge } from "@/review/merge-requests/merge.ts";
import { findMergeRequest, updateMergeRequest } from "@/review/merge-requests/service.ts";
import { type ApiRequest, apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const dev = await apiUser(deps, "dev");
const reporter = await apiUser(deps, "reporter");
const guest = await apiUser(deps, "guest");
const stranger = await apiUser(deps, "stranger");

let project: AuthorizedProject;
let groupId = 0;

const BASE = "one\ntwo\nthree\nfour\nfive\n";

beforeAll(async () => {
  const group = await groupOf(deps, owner.user, "team", { visibility: "private" });
  groupId = group.id;
  project = await projectOf(deps, owner.user, "shop", { group });
  await memberOf(deps, project, dev.user, "developer");
  await memberOf(deps, project, reporter.user, "reporter");
  await memberOf(deps, project, guest.user, "guest");
  // The default branch is protected: developers may merge into it, but only maintainers may push to it.
  const path = { id: String(project.id), name: "main" };
  await callApi(protectedBranch.DELETE, "DELETE", { token: owner.token, path });
  const json = { name: "main", merge_access_level: 30 };
  await callApi(protectedBranches.POST, "POST", { token: owner.token, path: { id: path.id }, json });
  if (gitIsHere)
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": BASE } }]);
});

type Json = Readonly<Record<string, unknown>>;
type Module = Readonly<Record<string, unknown>>;
type Route = Parameters<typeof callApi>[0];

/** Calls an API route of the project. By default, the owner sends the request. */
async function call(module: Module, method: string, iid: number | null, params: ApiRequest = {}) {
  const path = { id: String(project.id), ...(iid === null ? {} : { iid: String(iid) }), ...params.path };
  const response = await callApi(module[method] as Route, method, { token: owner.token, ...params, path });
  return { ...response, body: response.body as Json };
}

const git = async (...args: readonly string[]): Promise<string> => {
  const cwd = await repositoryOf(deps, project);
  return (await runGit(args, { cwd, path: deps.config.programPath })).toString("utf8").trim();
};

let names = 0;

/** Creates a branch with one commit, and a merge request for the branch. */
async function createMergeRequest(
  files: Readonly<Record<string, string>> | null = null,
  json: Json = {},
  token = owner.token,
): Promise<Readonly<{ iid: number; branch: string; body: Json }>> {
  names += 1;
  const branch = `feature/${names}`;
  const text = { [`${names}.txt`]: `${names}\n` };
  await commitAll(deps, project, [{ branch, message: `Add ${names}`, files: files ?? text }]);
  const draft = { source_branch: branch, target_branch: "main", title: `Title ${names}`, ...json };
  const { status, body } = await call(list, "POST", null, { json: draft, token });
  expect(body).toMatchObject({ iid: expect.any(Number) });
  expect(status).toBe(201);
  return { iid: body["iid"] as number, branch, body };
}

const push = (branch: string, files: Readonly<Record<string, string>>, message = "Go on") =>
  commitAll(deps, project, [{ branch, message, files }]);

const read = async (iid: number): Promise<Json> => (await call(mergeRequestRoute, "GET", iid)).body;
const configure = async (json: Json) => {
  const { status, body } = await call(configuration, "POST", null, { json });
  expect(status).toBe(201);
  return body;
};
const method = (merge_method: string) => call(oneProject as Module, "PUT", null, { json: { merge_method } });

describe("the merge requests API", { ...GIT, timeout: 30_000 }, () => {
  it("creates merge requests with all fields of the GitLab API", async () => {
    const draft = await createMergeRequest(null, {
      title: "Draft: pay once",
      description: "- [x] one\n- [ ] two",
      assignee_id: dev.user.id,
      // Users who may not read the code of the project cannot be reviewers.
      reviewer_ids: [reporter.user.id, guest.user.id, stranger.user.id, 999_999],
      labels: "bug, pay",
      squash: true,
      remove_source_branch: true,
    });
    const body = await read(draft.iid);
    expect(body).toMatchObject({
      project_id: project.id,
      title: "Draft: pay once",
      state: "opened",
      draft: true,
      work_in_progress: true,
      detailed_merge_status: "draft_status",
      has_conflicts: false,
      author: { username: "owner" },
      assignee: { username: "dev" },
      assignees: [{ username: "dev" }],
      reviewers: [{ username: "reporter" }],
      labels: ["bug", "pay"],
      merge_user: null,
      merged_at: null,
      sha: await git("rev-parse", draft.branch),
      diff_refs: {
        base_sha: await git("rev-parse", "main"),
        head_sha: await git("rev-parse", draft.branch),
        start_sha: await git("rev-parse", "main"),
      },
      squash: true,
      should_remove_source_branch: true,
      changes_count: "1",
      references: { short: `!${draft.iid}`, full: `team/shop!${draft.iid}` },
      task_completion_status: { count: 2, completed_count: 1 },
      user: { can_merge: true },
      merged_by: null,
      merge_status: "can_be_merged",
    });
    const { body: in5 } = await call(mergeRequestRoute, "GET", draft.iid, { pathname: "/api/v5/x" });
    expect(in5).toMatchObject({ iid: draft.iid, merge_user: null, detailed_merge_status: "draft_status" });
    for (const gone of ["merged_by", "merge_status"]) expect(in5).not.toHaveProperty(gone);
    const response = await call(mergeRequestRoute, "GET", draft.iid, {
      token: reporter.token,
      query: "?include_diverged_commits_count=true&include_rebase_in_progress=true",
    });
    expect(response.body).toMatchObject({
      diverged_commits_count: 0,
      rebase_in_progress: false,
      user: { can_merge: false },
    });
  });

  it("rejects invalid merge requests, and a second merge request for the same branches even if both arrive simultaneously", async () => {
    const { branch, iid } = await createMergeRequest();
    const post = async (json: Json, token = owner.token) => {
      const { status, body } = await call(list, "POST", null, { json, token });
      return { status, body };
    };
    const good = { source_branch: branch, target_branch: "main", title: "Again" };
    expect(await post(good)).toEqual({
      status: 409,
      body: { message: [`Another open merge request already exists for this source branch: !${iid}`] },
    });
    expect(await post({ ...good, source_branch: "main" })).toEqual({
      status: 422,
      body: { message: ["You can't use same project/branch for source and target"] },
    });
    for (const source_branch of [
      "nothing",
      "--all",
      "-x",
      "fe*",
      "feature",
      "refs/heads/main",
      "a..b",
      "main~1",
    ])
      expect(await post({ ...good, source_branch })).toEqual({
        status: 400,
        body: { message: { source_branch: ["does not exist"] } },
      });
    expect(await post({ ...good, target_branch: "nothing" })).toMatchObject({ status: 400 });
    expect(await post({ ...good, target_project_id: 999 })).toMatchObject({ status: 400 });
    expect(await post({ source_branch: branch, title: " " })).toEqual({
      status: 400,
      body: { error: "title does not have a valid value, target_branch is missing" },
    });
    expect(await post(good, reporter.token)).toMatchObject({ status: 403 });
    expect(await post(good, stranger.token)).toMatchObject({ status: 404 });
    const twice = await Promise.all(
      [1, 2, 3, 4].map(() => post({ source_branch: "main", target_branch: branch, title: "Race" })),
    );
    expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  it("assigns consecutive numbers to merge requests that are created simultaneously", async () => {
    const branches = ["r1", "r2", "r3", "r4", "r5"];
    for (const branch of branches) await push(branch, { [branch]: branch });
    const responses = await Promise.all(
      branches.map((source_branch) =>
        call(list, "POST", null, { json: { source_branch, target_branch: "main", title: "Simultaneous" } }),
      ),
    );
    const iids = responses.map(({ body }) => body["iid"] as number).toSorted((a, b) => a - b);
    expect(iids).toEqual(iids.map((_, at) => (iids[0] ?? 0) + at));
  });

  it("allows developers and the author to edit, close and reopen a merge request", async () => {
    const { iid } = await createMergeRequest(null, { labels: ["bug", "pay"] }, dev.token);
    const put = (json: Json, token = dev.token) => call(mergeRequestRoute, "PUT", iid, { json, token });
    expect((await put({})).status).toBe(400);
    expect((await put({ title: "Other" }, reporter.token)).status).toBe(403);
    expect((await put({ title: "Other" }, guest.token)).status).toBe(403);
    // The permission is checked before the parameters are validated.
    expect((await put({ state_event: "burn" }, reporter.token)).status).toBe(403);
    expect((await put({ state_event: "burn" })).status).toBe(400);
    expect(await call(mergeRequestRoute, "PUT", 0, { json: { title: "Other" } })).toMatchObject({
      status: 400,
      body: { error: "iid does not have a valid value" },
    });
    expect((await call(mergeRequestRoute, "PUT", 99_999, { json: { title: "Other" } })).status).toBe(404);
    expect((await put({ add_labels: "new", remove_labels: ["bug"], description: "Why" })).body).toMatchObject(
      {
        labels: ["new", "pay"],
        description: "Why",
        title: expect.stringMatching(/^Title/),
      },
    );
    expect((await put({ state_event: "close" })).body).toMatchObject({
      state: "closed",
      closed_by: { username: "dev" },
      detailed_merge_status: "not_open",
    });
    expect((await call(mergeRoute, "PUT", iid)).status).toBe(405);
    await memberOf(deps, project, stranger.user, "developer");
    const other = await createMergeRequest(null, {}, stranger.token);
    await deps.db.projectMember.updateMany({ where: { userId: stranger.user.id }, data: { role: 20 } });
    const own = (json: Json) => call(mergeRequestRoute, "PUT", other.iid, { json, token: stranger.token });
    expect((await own({ title: "Mine" })).body).toMatchObject({ title: "Mine" });
    expect((await call(mergeRoute, "PUT", other.iid, { token: stranger.token })).status).toBe(403);
    await deps.db.projectMember.deleteMany({ where: { userId: stranger.user.id } });
    const { source_branch } = (await read(iid)) as { source_branch: string };
    const again = { source_branch, target_branch: "main", title: "Instead" };
    const second = (await call(list, "POST", null, { json: again })).body["iid"] as number;
    expect((await put({ state_event: "reopen" })).status).toBe(409);
    await call(mergeRequestRoute, "PUT", second, { json: { state_event: "close" } });
    expect((await put({ state_event: "reopen" })).body).toMatchObject({
      state: "opened",
      closed_at: null,
      detailed_merge_status: "mergeable",
    });
    expect((await put({ target_branch: "nothing" })).status).toBe(400);
    await git("update-ref", "refs/heads/next", "main");
    expect((await put({ target_branch: "next" })).body).toMatchObject({ target_branch: "next" });
    // The target branch of a closed merge request can be changed.
    // Reopening the merge request then uses the new target branch.
    await put({ state_event: "close" });
    const stored = await findMergeRequest(deps, project, iid);
    expect(await put({ target_branch: "main" })).toMatchObject({
      status: 200,
      body: { state: "closed", target_branch: "main" },
    });
    // A merge request that was loaded before its target branch changed cannot be reopened.
    const actor = { project, user: owner.user };
    expect(stored && (await updateMergeRequest(deps, actor, stored, { state: "reopen" }))).toBe("not_open");
    expect(await put({ state_event: "reopen", target_branch: "next" })).toMatchObject({
      status: 200,
      body: { state: "opened", target_branch: "next", detailed_merge_status: "mergeable" },
    });
    expect((await call(list, "POST", null, { json: { ...again, target_branch: "next" } })).status).toBe(409);
  });

  it("returns the changed files, commits and versions of a merge request in pages", async () => {
    const { iid, branch } = await createMergeRequest({ "a.txt": BASE.replace("two", "2"), "b.txt": "b\n" });
    await push(branch, { "c.txt": "c\n" }, "Add c");
    const first = await call(diffs, "GET", iid, { query: "?per_page=2", token: reporter.token });
    expect(first.headers.get("x-total")).toBe("3");
    expect(first.body).toMatchObject([
      { old_path: "a.txt", new_file: false, diff: expect.stringContaining("-two\n+2\n") },
      { new_path: "b.txt", new_file: true, diff: "@@ -0,0 +1 @@\n+b\n" },
    ]);
    expect((await call(diffs, "GET", iid, { query: "?page=2&per_page=2&unidiff=true" })).body).toMatchObject([
      { diff: "--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n" },
    ]);
    expect((await call(changes, "GET", iid)).body).toMatchObject({
      iid,
      overflow: false,
      changes_count: "3",
      changes: [{ new_path: "a.txt" }, { new_path: "b.txt" }, { new_path: "c.txt" }],
    });
    const newest = await call(commits, "GET", iid, { query: "?per_page=1" });
    expect(newest.body).toMatchObject([{ title: "Add c" }]);
    expect([newest.headers.get("x-total"), newest.headers.get("x-next-page")]).toEqual(["2", "2"]);
    const oldest = await call(commits, "GET", iid, { query: "?per_page=1&page=2" });
    expect([oldest.headers.get("x-total-pages"), oldest.headers.get("x-next-page")]).toEqual(["2", ""]);
    const head = await git("rev-parse", branch);
    const versionList = (await call(versions, "GET", iid)).body as unknown as readonly Json[];
    expect(versionList.map(({ head_commit_sha }) => head_commit_sha)).toEqual([
      head,
      await git("rev-parse", `${branch}~1`),
    ]);
    expect(versionList[0]).toMatchObject({ real_size: "3", state: "collected" });
    const [last, before] = versionList.map(({ id }) => ({ path: { version_id: String(id) } }));
    for (const module of [mergeRequestRoute, diffs, changes, commits, versions, oneVersion, approvals]) {
      expect((await call(module, "GET", iid, { ...last, token: guest.token })).status).toBe(403);
      expect((await call(module, "GET", iid, { ...last, token: stranger.token })).status).toBe(404);
      expect((await call(module, "GET", 99_999, last)).status).toBe(404);
    }
    expect((await call(oneVersion, "GET", iid, { ...last, query: "?unidiff=true" })).body).toMatchObject({
      ...versionList[0],
      commits: [{ id: head, title: "Add c" }, { title: expect.stringMatching(/^Add /) }],
      diffs: [
        { new_path: "a.txt" },
        { new_path: "b.txt" },
        { new_path: "c.txt", diff: "--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n" },
      ],
    });
    const in5 = { ...before, pathname: "/api/v5/x", token: reporter.token };
    expect((await call(oneVersion, "GET", iid, in5)).body).toMatchObject({
      ...versionList[1],
      merge_request_id: (await read(iid))["id"],
      commits: [{ id: versionList[1]?.["head_commit_sha"] }],
      diffs: [{ new_path: "a.txt", deleted_file: false }, { new_path: "b.txt" }],
    });
    const other = await createMergeRequest();
    for (const [number, version_id, status] of [
      [other.iid, versionList[0]?.["id"], 404],
      [iid, 999_999, 404],
      [iid, "x", 400],
    ] as const)
      expect(
        (await call(oneVersion, "GET", number, { path: { version_id: String(version_id) } })).status,
      ).toBe(status);
    await git("update-ref", "-d", `refs/heads/${branch}`);
    expect(await read(iid)).toMatchObject({
      detailed_merge_status: "commits_status",
      merge_status: "cannot_be_merged",
      has_conflicts: false,
      sha: head,
    });
    expect((await call(diffs, "GET", iid)).status).toBe(200);
    expect((await call(oneVersion, "GET", iid, last)).status).toBe(200);
    await git("update-ref", `refs/heads/${branch}`, head);
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "mergeable" });
  });

  it("returns pages of a diff that exceeds the limits, and counts the changes between branches without a common ancestor", async () => {
    const long = "a line of a long file\n".repeat(450_000);
    const { iid, branch } = await createMergeRequest({ "big.txt": long, "small.txt": "small\n" });
    const secondPage = (await call(diffs, "GET", iid, { query: "?per_page=1&page=2" })).body;
    expect(secondPage).toMatchObject([
      { new_path: "small.txt", diff: "@@ -0,0 +1 @@\n+small\n", too_large: false },
    ]);
    const first = await call(diffs, "GET", iid, { query: "?per_page=1" });
    expect(first.headers.get("x-total")).toBe("2");
    expect(first.body).toMatchObject([{ new_path: "big.txt", diff: "", too_large: true }]);
    expect((await call(changes, "GET", iid)).body).toMatchObject({ overflow: true, changes_count: "2" });
    const tree = await git("rev-parse", `${branch}^{tree}`);
    const alone = await git("-c", "user.name=A", "-c", "user.email=a@b", "commit-tree", tree, "-m", "Alone");
    await git("update-ref", "refs/heads/alone", alone);
    const json = { source_branch: "alone", target_branch: "main", title: "Alone" };
    const { body } = await call(list, "POST", null, { json });
    const listed = await call(diffs, "GET", body["iid"] as number, { query: "?per_page=1" });
    expect(listed.headers.get("x-total")).toBe(body["changes_count"]);
  });

  it("reports conflicts until a push resolves them", async () => {
    const { iid, branch } = await createMergeRequest({ "a.txt": BASE.replace("five", "V") });
    await push("main", { "a.txt": BASE.replace("five", "5") });
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "conflict", has_conflicts: true });
    const refused = await call(mergeRoute, "PUT", iid);
    expect([refused.status, refused.body]).toEqual([422, { message: "Branch cannot be merged" }]);
    const expected = {
      detailed_merge_status: "not_open",
      merge_status: "cannot_be_merged",
      has_conflicts: true,
    };
    expect(
      (await call(mergeRequestRoute, "PUT", iid, { json: { state_event: "close" } })).body,
    ).toMatchObject(expected);
    expect(await read(iid)).toMatchObject(expected);
    expect((await call(approvals, "GET", iid)).body).toMatchObject({ merge_status: "cannot_be_merged" });
    expect((await call(mergeRequestRoute, "PUT", iid, { json: { state_event: "reopen" } })).status).toBe(200);
    const main = await git("rev-parse", "main");
    await push(branch, { "a.txt": BASE.replace("five", "5") });
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "mergeable", has_conflicts: false });
    expect(await git("rev-parse", "main")).toBe(main);
  });

  it("merges a merge request only once, with a merge commit, for several simultaneous requests", async () => {
    const { iid, branch, body } = await createMergeRequest(null, { remove_source_branch: true });
    const stale = await call(mergeRoute, "PUT", iid, { json: { sha: "0".repeat(40) } });
    expect(stale.status).toBe(409);
    expect(stale.body["message"]).toBe(`SHA does not match HEAD of source branch: ${body["sha"]}`);
    expect((await call(mergeRoute, "PUT", iid, { token: reporter.token })).status).toBe(403);
    const before = await git("rev-parse", "main");
    const all = await Promise.all(
      [owner, dev, owner, dev].map(({ token }) =>
        call(mergeRoute, "PUT", iid, { token, json: { sha: body["sha"] } }),
      ),
    );
    expect(deps.logged.filter(({ level }) => level === "error")).toEqual([]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 405, 405, 405]);
    expect(all.find(({ status }) => status === 405)?.body).toEqual({ message: "405 Method Not Allowed" });
    const merged = await read(iid);
    const winner = all.find(({ status }) => status === 200)?.body;
    expect(winner).toMatchObject({
      state: "merged",
      merge_commit_sha: await git("rev-parse", "main"),
      merge_user: merged["merge_user"],
      merged_by: merged["merge_user"],
      merged_at: expect.any(String),
      detailed_merge_status: "not_open",
      merge_status: "can_be_merged",
      has_conflicts: false,
    });
    expect(await git("log", "-1", "--format=%P%n%B", "main")).toBe(
      `${before} ${body["sha"]}\nMerge branch '${branch}' into 'main'\n\n${body["title"]}\n\nSee merge request team/shop!${iid}`,
    );
    await expect(git("rev-parse", "--verify", "--quiet", branch)).rejects.toThrow();
    expect((await call(diffs, "GET", iid)).body).toHaveLength(1);
    expect((await call(mergeRequestRoute, "PUT", iid, { json: { state_event: "reopen" } })).status).toBe(409);
  });

  it("squashes commits, and fast-forwards after a rebase if the project requires it", async () => {
    const { iid, branch } = await createMergeRequest();
    await push(branch, { "s.txt": "s\n" }, "Another");
    const before = await git("rev-parse", "main");
    const json = { squash: true, squash_commit_message: "All of it", merge_commit_message: "Joined" };
    const { body } = await call(mergeRoute, "PUT", iid, { json, token: dev.token });
    expect(body["squash_commit_sha"]).toBe(await git("rev-parse", "main^2"));
    expect(await git("log", "-1", "--format=%B%an", "main^2")).toBe("All of it\ndev");
    expect(await git("log", "-1", "--format=%s %P", "main")).toBe(
      `Joined ${before} ${body["squash_commit_sha"]}`,
    );
    expect(await git("rev-parse", "--verify", branch)).not.toBe("");

    await method("ff");
    const late = await createMergeRequest({ "late.txt": "l\n" });
    await push("main", { "other.txt": "o\n" });
    expect(await read(late.iid)).toMatchObject({ detailed_merge_status: "need_rebase" });
    expect((await call(mergeRoute, "PUT", late.iid)).status).toBe(405);
    expect((await call(rebaseRoute, "PUT", late.iid, { token: reporter.token })).status).toBe(403);
    const rebased = await call(rebaseRoute, "PUT", late.iid, { token: dev.token });
    expect([rebased.status, rebased.body]).toEqual([202, { rebase_in_progress: false, merge_error: null }]);
    expect(await git("log", "-1", "--format=%an %cn %P", late.branch)).toBe(
      `Ann dev ${await git("rev-parse", "main")}`,
    );
    expect(await read(late.iid)).toMatchObject({ detailed_merge_status: "mergeable" });
    const head = await git("rev-parse", late.branch);
    expect((await call(mergeRoute, "PUT", late.iid)).body).toMatchObject({
      state: "merged",
      merge_commit_sha: null,
    });
    expect(await git("rev-parse", "main")).toBe(head);
    await method("merge");
  });

  it("returns the reason for a failed rebase and does not change the branch", async () => {
    const { iid, branch } = await createMergeRequest({ "conf.txt": "mine\n" });
    await push("main", { "conf.txt": "theirs\n" });
    const head = await git("rev-parse", branch);
    const { status, body } = await call(rebaseRoute, "PUT", iid);
    expect([status, body["merge_error"]]).toEqual([202, expect.stringContaining("resolve all conflicts")]);
    expect(await git("rev-parse", branch)).toBe(head);
    expect(await read(iid)).toMatchObject({ merge_error: expect.stringContaining("Rebase failed") });
    await git("update-ref", "refs/heads/old", "main~1");
    const json = { source_branch: "main", target_branch: "old", title: "Back" };
    const back = (await call(list, "POST", null, { json })).body["iid"] as number;
    expect((await call(rebaseRoute, "PUT", back, { token: dev.token })).status).toBe(403);
    // The source branch is the default branch. A merge never deletes the default branch.
    await call(mergeRoute, "PUT", back, { json: { should_remove_source_branch: true } });
    expect(await git("rev-parse", "main")).not.toBe("");
  });

  it("blocks merges without the required approvals, and removes approvals when a push changes the source branch", async () => {
    expect(await configure({ approvals_before_merge: 1 })).toMatchObject({
      approvals_before_merge: 1,
      reset_approvals_on_push: true,
      merge_requests_author_approval: false,
    });
    const { iid, branch } = await createMergeRequest();
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "not_approved" });
    expect((await call(mergeRoute, "PUT", iid)).status).toBe(405);
    expect((await call(approve, "POST", iid)).body).toEqual({
      message: "403 Forbidden - You may not approve your own merge request.",
    });
    expect((await call(approve, "POST", iid, { token: reporter.token })).status).toBe(403);
    const stale = await call(approve, "POST", iid, { token: dev.token, json: { sha: "0".repeat(40) } });
    expect(stale.status).toBe(409);
    const done = await call(approve, "POST", iid, { token: dev.token });
    expect(done.status).toBe(201);
    expect(done.body).toMatchObject({
      approved: true,
      approvals_required: 1,
      approvals_left: 0,
      approved_by: [{ user: { username: "dev" } }],
      user_has_approved: true,
      user_can_approve: false,
      detailed_merge_status: "mergeable",
    });
    await push(branch, { "p.txt": "p\n" });
    expect((await call(approvals, "GET", iid)).body).toMatchObject({ approved: false, approved_by: [] });
    expect((await call(unapprove, "POST", iid, { token: dev.token })).status).toBe(404);
    await call(approve, "POST", iid, { token: dev.token });
    expect((await call(unapprove, "POST", iid, { token: dev.token })).body).toMatchObject({
      approvals_left: 1,
    });
    await configure({ reset_approvals_on_push: false, merge_requests_author_approval: true });
    await call(approve, "POST", iid);
    await push(branch, { "q.txt": "q\n" });
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "mergeable" });
    await configure({ merge_requests_author_approval: false });
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "not_approved" });
    // The approval of a user who pushes afterwards does not count, because the user would approve their own commits.
    await configure({ merge_requests_disable_committers_approval: true });
    await call(approve, "POST", iid, { token: dev.token });
    await push(branch, { "r.txt": "r\n" });
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "mergeable" });
    const as = ["-c", "user.name=Dev", "-c", "user.email=DEV@example.com"];
    const next = await git(...as, "commit-tree", `${branch}^{tree}`, "-p", branch, "-m", "Mine");
    await git("update-ref", `refs/heads/${branch}`, next);
    expect(await read(iid)).toMatchObject({ detailed_merge_status: "not_approved" });
    expect((await call(approvals, "GET", iid)).body).toMatchObject({ approved_by: [] });
    await configure({ merge_requests_disable_committers_approval: false });
    await configure({
      approvals_before_merge: 0,
      reset_approvals_on_push: true,
      require_password_to_approve: true,
    });
    const approveWith = (approval_password: string) =>
      call(approve, "POST", iid, { token: dev.token, json: { approval_password } });
    expect((await approveWith("wrong")).status).toBe(403);
    expect((await approveWith(PASSWORD)).status).toBe(201);
    await call(unapprove, "POST", iid, { token: dev.token });
    for (let guess = 2; guess <= 10; guess += 1) await approveWith("wrong");
    const tooMany = { message: expect.stringContaining("Too many wrong passwords") };
    expect(await approveWith(PASSWORD)).toMatchObject({ status: 403, body: tooMany });
    await configure({ require_password_to_approve: false });
    expect((await call(configuration, "GET", null, { token: dev.token })).status).toBe(403);
  });

  it("merges automatically, on behalf of the user who enabled auto-merge, when nothing blocks the merge", async () => {
    await configure({ approvals_before_merge: 1 });
    const { iid } = await createMergeRequest(null, { title: "Draft: later" });
    const set = await call(mergeRoute, "PUT", iid, {
      json: { auto_merge: true, squash: true },
      token: dev.token,
    });
    expect(set.body).toMatchObject({
      state: "opened",
      merge_user: { username: "dev" },
      merged_at: null,
      merge_when_pipeline_succeeds: true,
      detailed_merge_status: "draft_status",
    });
    expect((await call(approve, "POST", iid, { token: dev.token })).body).toMatchObject({ state: "opened" });
    expect((await call(mergeRequestRoute, "PUT", iid, { json: { title: "Now" } })).body).toMatchObject({
      state: "merged",
      merge_user: { username: "dev" },
      squash_commit_sha: expect.any(String),
      merge_when_pipeline_succeeds: false,
    });

    const second = await createMergeRequest();
    const wait = (json: Json = {}) =>
      call(mergeRoute, "PUT", second.iid, { json: { auto_merge: true, ...json }, token: dev.token });
    expect((await wait()).status).toBe(200);
    expect((await call(cancel, "POST", second.iid)).body).toMatchObject({ merge_user: null });
    expect((await call(cancel, "POST", second.iid)).status).toBe(406);
    // A push cancels auto-merge if it was enabled for a certain head.
    await wait({ sha: await git("rev-parse", second.branch) });
    await push(second.branch, { "new.txt": "n\n" });
    expect(await read(second.iid)).toMatchObject({
      merge_user: null,
      merge_error: "The source branch has changed.",
    });
    // Auto-merge is canceled if the user who enabled it may no longer merge.
    await wait();
    await deps.db.projectMember.updateMany({ where: { userId: dev.user.id }, data: { role: 20 } });
    await configure({ approvals_before_merge: 0 });
    await refreshAfterPush(deps, project, dev.user.id);
    await call(mergeRequestRoute, "PUT", second.iid, { json: { description: "x" } });
    expect(await read(second.iid)).toMatchObject({ state: "opened", merge_user: null });
    await deps.db.projectMember.updateMany({ where: { userId: dev.user.id }, data: { role: 30 } });

    // A push resolves the conflict that prevented auto-merge from merging.
    const third = await createMergeRequest({ "a.txt": `${BASE}mine\n` });
    await push("main", { "a.txt": `${BASE}theirs\n` });
    expect((await call(mergeRoute, "PUT", third.iid, { json: { auto_merge: true } })).status).toBe(200);
    await push(third.branch, { "a.txt": `${BASE}theirs\n`, "b3.txt": "x\n" });
    await refreshAfterPush(deps, project, dev.user.id);
    expect(await read(third.iid)).toMatchObject({ state: "merged", merge_user: { username: "owner" } });
  });

  it("marks a merge request as merged when a push adds its commits to the target branch", async () => {
    const moveTo = (branch: string, commit: string) => git("update-ref", `refs/heads/${branch}`, commit);
    const mergedBy = async (branch: string) => {
      const tree = await git("merge-tree", "--write-tree", "main", branch);
      const user = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
      return git(...user, "commit-tree", "-p", "main", "-p", branch, "-m", "Merge", tree);
    };
    // The merge is recorded with the user who pushed. Other merge requests stay open.
    const [first, unrelated] = [await createMergeRequest(), await createMergeRequest()];
    await call(mergeRoute, "PUT", unrelated.iid, { json: { auto_merge: true, sha: "0".repeat(40) } });
    const commit = await mergedBy(first.branch);
    await moveTo("main", commit);
    await refreshAfterPush(deps, project, dev.user.id);
    expect(await read(first.iid)).toMatchObject({
      state: "merged",
      merge_user: { username: "dev" },
      merged_by: { username: "dev" },
      merge_commit_sha: commit,
      detailed_merge_status: "not_open",
    });
    expect(await read(unrelated.iid)).toMatchObject({ state: "opened", detailed_merge_status: "mergeable" });
    // If the push was not recorded, the user who pushed is unknown. In that case, the source branch may have
    // moved or been deleted.
    const second = await createMergeRequest({ "pushed.txt": "1\n" });
    await moveTo(second.branch, await mergedBy(second.branch));
    await moveTo("main", second.branch);
    expect(await read(second.iid)).toMatchObject({ state: "merged", merge_user: null, merged_by: null });
    const third = await createMergeRequest({ "pushed.txt": "2\n" });
    await moveTo("main", third.branch);
    await git("update-ref", "-d", `refs/heads/${third.branch}`);
    expect(await read(third.iid)).toMatchObject({ state: "merged", merge_commit_sha: null });
    // A merge request does not count as merged if its source branch is reset to the target branch.
    const fourth = await createMergeRequest({ "pushed.txt": "3\n" });
    await moveTo(fourth.branch, "main");
    await refreshAfterPush(deps, project, dev.user.id);
    expect(await read(fourth.iid)).toMatchObject({
      state: "opened",
      detailed_merge_status: "commits_status",
    });
  });

  it("withdraws approvals and cancels auto-merge when the target branch changes", async () => {
    await configure({ approvals_before_merge: 1 });
    const { iid } = await createMergeRequest(null, { title: "Draft: aside" });
    const put = (json: Json) => call(mergeRequestRoute, "PUT", iid, { json });
    expect((await call(approve, "POST", iid, { token: dev.token })).body).toMatchObject({ approved: true });
    await call(mergeRoute, "PUT", iid, { json: { auto_merge: true }, token: dev.token });
    await git("update-ref", "refs/heads/aside", "main");
    expect((await put({ target_branch: "aside" })).body).toMatchObject({
      merge_user: null,
      merge_when_pipeline_succeeds: false,
    });
    expect((await call(approvals, "GET", iid)).body).toMatchObject({ approved: false, approved_by: [] });
    await configure({ approvals_before_merge: 0 });
    expect((await put({ title: "Ready" })).body).toMatchObject({ state: "opened" });

    const actor = { project, user: owner.user };
    const stored = await findMergeRequest(deps, project, iid);
    if (stored === null) throw new Error("The merge request is missing.");
    const [main, aside] = [await git("rev-parse", "main"), await git("rev-parse", "aside")];
    await put({ target_branch: "main" });
    expect(await merge(deps, actor, stored, {})).toBe("not_mergeable");
    expect([await git("rev-parse", "main"), await git("rev-parse", "aside")]).toEqual([main, aside]);

    // An update changes only the given fields and keeps changes by other users.
    await put({ title: "Draft: not yet" });
    await updateMergeRequest(deps, actor, stored, { description: "Why" });
    expect(await read(iid)).toMatchObject({ title: "Draft: not yet", description: "Why", draft: true });
  });

  it("rebases commits whose author names contain control characters", async () => {
    const { iid, branch } = await createMergeRequest();
    await push(branch, { "odd.txt": "o\n" });
    const [tree, parent] = [
      await git("rev-parse", `${branch}^{tree}`),
      await git("rev-parse", `${branch}~1`),
    ];
    const at = "1795000000 +0000";
    const users = `author A\rparent B <a@example.com> ${at}\ncommitter C <c@example.com> ${at}`;
    const input = `tree ${tree}\nparent ${parent}\n${users}\n\nOdd\n`;
    const here = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
    const odd = await runGit(["hash-object", "-t", "commit", "-w", "--stdin"], { ...here, input });
    await git("update-ref", `refs/heads/${branch}`, odd.toString("utf8").trim());
    await push("main", { "even.txt": "e\n" });
    const { status, body } = await call(rebaseRoute, "PUT", iid);
    expect([status, body]).toEqual([202, { rebase_in_progress: false, merge_error: null }]);
    expect(await git("log", "-1", "--format=%an", branch)).toBe("A\rparent B");
  });

  it("completes or aborts a merge that was interrupted when the server stopped", async () => {
    const { iid, branch } = await createMergeRequest();
    const lockedAt = deps.clock();
    const lock = { state: "locked", lockedAt, lockedById: dev.user.id };
    await deps.db.mergeRequest.updateMany({ where: { projectId: project.id, iid }, data: lock });
    expect(await read(iid)).toMatchObject({ state: "locked", detailed_merge_status: "checking" });
    expect((await call(mergeRequestRoute, "PUT", iid, { json: { state_event: "close" } })).status).toBe(409);
    expect((await call(mergeRoute, "PUT", iid)).status).toBe(405);
    deps.advance(301);
    expect(await read(iid)).toMatchObject({ state: "opened", detailed_merge_status: "mergeable" });
    await deps.db.mergeRequest.updateMany({ where: { projectId: project.id, iid }, data: lock });
    await git("update-ref", "refs/heads/main", branch);
    expect(await read(iid)).toMatchObject({ state: "merged", merge_user: { username: "dev" } });
  });

  it("returns filtered lists to users who may read the code, without running Git", async () => {
    const search = async (query: string, token = owner.token) => {
      const { body, status } = await call(list, "GET", null, { query, token });
      return status === 200 ? (body as unknown as readonly Json[]) : status;
    };
    const titlesOf = (rows: unknown) => (rows as readonly Json[]).map(({ title }) => title);
    const { iid, branch } = await createMergeRequest(null, {
      title: "Draft: Ünique 50%",
      description: "What\nelse",
      labels: "only",
      assignee_id: dev.user.id,
    });
    for (const query of [
      "search=ünique",
      "search=50%25",
      "in=title&search=Ünique",
      "labels=only&in=description&search=WHAT",
      "labels=only&in=description&search=else",
      "labels=only&in=title,description&search=50",
      "labels=only",
      `iids[]=${iid}`,
      `source_branch=${encodeURIComponent(branch)}`,
      `assignee_id=${dev.user.id}&labels=Any&search=50`,
      "labels=only&assignee_username=DEV",
      "labels=only&draft=true",
      "labels=only&wip=yes&scope=created_by_me",
      "labels=only&author_username=OWNER&state=opened&order_by=title&sort=asc",
      `labels=only&author_id=${owner.user.id}&target_branch=main&created_after=2026-01-01&updated_before=2030-01-01T00:00:00Z`,
    ])
      expect(titlesOf(await search(`?${query}`)), query).toEqual(["Draft: Ünique 50%"]);
    for (const query of [
      "labels=only,bug",
      "labels=only&in=description&search=50",
      "labels=only&in=title&search=else",
      "labels=only&draft=false",
      "labels=only&state=merged",
      "labels=only&scope=assigned_to_me",
      "labels=only&created_before=2020-01-01",
      "labels=only&reviewer_id=Any",
      "labels=only&assignee_username=owner",
      "labels=only&assignee_username=nobody",
      "labels=only&reviewer_username=dev",
      "labels=only&merge_user_username=dev",
      "merge_user_username=nobody",
      `merge_user_id=${stranger.user.id}`,
    ])
      expect(titlesOf(await search(`?${query}`)), query).toEqual([]);
    for (const filter of [`merge_user_id=${dev.user.id}`, "merge_user_username=Dev"]) {
      const rows = (await search(`?${filter}`)) as readonly Json[];
      expect(rows.length, filter).toBeGreaterThan(0);
      for (const row of rows) expect(row).toMatchObject({ state: "merged", merge_user: { username: "dev" } });
    }
    for (const sort of ["asc", "desc"]) {
      const rows = await search(`?order_by=merged_at&sort=${sort}&per_page=100`);
      const days = (rows as readonly Json[]).map(({ merged_at }) => merged_at as string | null);
      const merged = days.filter((day) => day !== null).sort();
      const unmerged = days.filter((day) => day === null);
      expect([merged.length > 1, unmerged.length > 1]).toEqual([true, true]);
      expect(days).toEqual([...(sort === "asc" ? merged : merged.toReversed()), ...unmerged]);
      // The pages together list the merge requests in the same order as a single page, including the boundary between
      // merged and unmerged merge requests.
      const numbers = (page: unknown) => (page as readonly Json[]).map(({ iid }) => iid);
      const paged: unknown[] = [];
      for (let page = 1; page <= Math.ceil(days.length / 3); page++)
        paged.push(...numbers(await search(`?order_by=merged_at&sort=${sort}&per_page=3&page=${page}`)));
      expect(paged).toEqual(numbers(rows));
    }
    expect(await search("?state=nothing")).toBe(400);
    expect(await search("", guest.token)).toBe(403);
    expect(await search("", stranger.token)).toBe(404);
    const keyed = await call(list, "GET", null, { query: "?pagination=keyset&per_page=2&state=merged" });
    expect(keyed.headers.get("link")).toContain("cursor=");

    const all = async (module: Module, query: string, token: string, path: Record<string, string> = {}) => {
      const { body } = await callApi(module["GET"] as Route, "GET", { token, query, path });
      return titlesOf(body);
    };
    expect(await all(allList, "?labels=only", owner.token)).toEqual(["Draft: Ünique 50%"]);
    expect(await all(allList, "?labels=only&scope=all", reporter.token)).toEqual(["Draft: Ünique 50%"]);
    expect(await all(allList, "?labels=only&scope=assigned_to_me", dev.token)).toHaveLength(1);
    expect(await all(allList, "?scope=all", guest.token)).toEqual([]);
    expect(await all(allList, "?scope=all", stranger.token)).toEqual([]);
    expect(await all(groupList, "?labels=only", owner.token, { id: String(groupId) })).toHaveLength(1);
    await deps.db.group.update({ where: { id: groupId }, data: { visibility: "public" } });
    for (const [visibility, titles] of [
      ["public", ["Draft: Ünique 50%"]],
      ["private", []],
    ] as const) {
      expect(await call(oneProject, "PUT", null, { json: { visibility } })).toMatchObject({ status: 200 });
      expect(await all(allList, "?labels=only&scope=all", stranger.token)).toEqual(titles);
    }
    // The path of Git is invalid, so the test fails if listing merge requests runs Git.
    provideDeps({ ...deps, config: { ...deps.config, programPath: "/nowhere" } });
    expect(titlesOf(await search("?labels=only"))).toEqual(["Draft: Ünique 50%"]);
    expect((await call(mergeRequestRoute, "GET", iid)).status).toBe(200);
    expect((await call(changes, "GET", iid)).status).toBe(500);
    provideDeps(deps);
    const narrow = await tokenWith(deps, owner.user, ["read_repository"]);
    expect(await search("", narrow)).toBe(403);
  });
});
