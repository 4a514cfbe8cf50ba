import * as groupList from "@app/api/v4/groups/[id]/merge_requests/route.ts";
import * as allList from "@app/api/v4/merge_requests/route.ts";
import * as approvals from "@app/api/v4/projects/[id]/merge_requests/[iid]/approvals/route.ts";
import * as changes from "@app/api/v4/projects/[id]/merge_requests/[iid]/changes/route.ts";
import * as commits from "@app/api/v4/projects/[id]/merge_requests/[iid]/commits/route.ts";
import * as diffs from "@app/api/v4/projects/[id]/merge_requests/[iid]/diffs/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as oneVersion from "@app/api/v4/projects/[id]/merge_requests/[iid]/versions/[version_id]/route.ts";
import * as versions from "@app/api/v4/projects/[id]/merge_requests/[iid]/versions/route.ts";
import * as list from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as oneProject from "@app/api/v4/projects/[id]/route.ts";
import { describe, expect, it } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { findMergeRequest, updateMergeRequest } from "@/review/merge-requests/service.ts";
import { callApi, tokenWith } from "@/testing/api.ts";
import { openMergeRequestProject } from "@/testing/merge-request-project.ts";
import { memberOf } from "@/testing/projects.ts";
import { GIT } from "@/testing/repository.ts";

type Json = Readonly<Record<string, unknown>>;

const {
  deps,
  owner,
  dev,
  reporter,
  guest,
  stranger,
  groupId,
  project,
  BASE,
  call,
  git,
  createMergeRequest,
  push,
  read,
} = await openMergeRequestProject();

describe("the merge requests API", GIT, () => {
  it("the merge requests API creates merge requests with all fields of the GitLab API", async () => {
    const draft = await createMergeRequest(null, {
      title: "Draft: pay once",
      description: "- [x] one\n- [ ] two",
      assignee_id: dev.user.id,
      // Users who may not read the source code of the project cannot be reviewers.
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

  it("the merge requests API rejects invalid merge requests, and rejects a second open merge request for the same branches even if both are created simultaneously", async () => {
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

  it("merge requests that are created simultaneously get consecutive numbers", async () => {
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

  it("the merge requests API allows developers and the author to edit, close and reopen a merge request", async () => {
    const { iid } = await createMergeRequest(null, { labels: ["bug", "pay"] }, dev.token);
    const put = (json: Json, token = dev.token) => call(mergeRequestRoute, "PUT", iid, { json, token });
    expect((await put({})).status).toBe(400);
    expect((await put({ title: "Other" }, reporter.token)).status).toBe(403);
    expect((await put({ title: "Other" }, guest.token)).status).toBe(403);
    // The server checks the permission of the user before it validates the parameters.
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
    // The target branch of a closed merge request can be changed. After the merge request is reopened, it
    // still has the new target branch.
    await put({ state_event: "close" });
    const stored = await findMergeRequest(deps, project, iid);
    expect(await put({ target_branch: "main" })).toMatchObject({
      status: 200,
      body: { state: "closed", target_branch: "main" },
    });
    // A request that loaded the merge request before the target branch was changed cannot reopen the merge
    // request.
    const actor = { project, user: owner.user };
    expect(stored && (await updateMergeRequest(deps, actor, stored, { state: "reopen" }))).toBe("not_open");
    expect(await put({ state_event: "reopen", target_branch: "next" })).toMatchObject({
      status: 200,
      body: { state: "opened", target_branch: "next", detailed_merge_status: "mergeable" },
    });
    expect((await call(list, "POST", null, { json: { ...again, target_branch: "next" } })).status).toBe(409);
  });

  it("a merge request that is being merged is not changed by a request that also closes the merge request", async () => {
    const { iid } = await createMergeRequest(null);
    await deps.db.mergeRequest.updateMany({
      where: { projectId: project.id, iid },
      data: { state: "locked" },
    });
    const json = { title: "Other", target_branch: "next", state_event: "close" };
    expect((await call(mergeRequestRoute, "PUT", iid, { json })).status).toBe(409);
    expect(
      (await call(mergeRequestRoute, "PUT", iid, { json: { ...json, target_branch: "main" } })).status,
    ).toBe(409);
    expect(await read(iid)).toMatchObject({
      title: expect.stringMatching(/^Title/),
      target_branch: "main",
      state: "locked",
    });
  });

  it("all requests that close a merge request simultaneously succeed", async () => {
    const { iid } = await createMergeRequest(null);
    const actor = { project, user: owner.user };
    const stored = await findMergeRequest(deps, project, iid);
    if (stored === null) throw new Error("The merge request is missing.");
    for (let count = 0; count < 2; count++)
      expect(await updateMergeRequest(deps, actor, stored, { state: "close" })).toMatchObject({
        state: "closed",
      });
  });

  it("the merge requests API returns the changed files, commits and versions of a merge request in pages", async () => {
    const { iid, branch } = await createMergeRequest({ "a.txt": BASE.replace("two", "2"), "b.txt": "b\n" });
    await push(branch, { "c.txt": "c\n" }, "Add c");
    const first = await call(diffs, "GET", iid, { query: "?per_page=2", token: reporter.token });
    expect(first.headers.get("x-total")).toBe("3");
    expect(first.body).toMatchObject([
      { old_path: "a.txt", new_file: false, diff: expect.stringContaining("-two\n+2\n") },
      { new_path: "b.txt", new_file: true, a_mode: "0", b_mode: "100644", diff: "@@ -0,0 +1 @@\n+b\n" },
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

  it("the merge requests API returns pages of a diff that exceeds the size limits, and counts the changed files of branches without a common ancestor", async () => {
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

  it("the merge requests API returns filtered lists to users who may read the source code, and runs no Git command for a list", async () => {
    const search = async (query: string, token = owner.token) => {
      const { body, status } = await call(list, "GET", null, { query, token });
      return status === 200 ? (body as unknown as readonly Json[]) : status;
    };
    const titlesOf = (rows: unknown) => (rows as readonly Json[]).map(({ title }) => title);
    for (let merges = 0; merges < 3; merges += 1) {
      const merged = await createMergeRequest();
      expect((await call(mergeRoute, "PUT", merged.iid, { token: dev.token })).status).toBe(200);
    }
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
      // Several short pages contain the merge requests in the same order as one long page, also at the
      // boundary between merged and unmerged merge requests.
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

    const all = async (
      module: Readonly<Record<string, unknown>>,
      query: string,
      token: string,
      path: Record<string, string> = {},
    ) => {
      const { body } = await callApi(module["GET"] as Parameters<typeof callApi>[0], "GET", {
        token,
        query,
        path,
      });
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
    // The path of Git is invalid, so the test fails if a list of merge requests runs Git.
    provideDeps({ ...deps, config: { ...deps.config, programPath: "/nowhere" } });
    expect(titlesOf(await search("?labels=only"))).toEqual(["Draft: Ünique 50%"]);
    expect((await call(mergeRequestRoute, "GET", iid)).status).toBe(200);
    expect((await call(changes, "GET", iid)).status).toBe(500);
    provideDeps(deps);
    const narrow = await tokenWith(deps, owner.user, ["read_repository"]);
    expect(await search("", narrow)).toBe(403);
  });
});
