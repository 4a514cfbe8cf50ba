import * as configuration from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as approvals from "@app/api/v4/projects/[id]/merge_requests/[iid]/approvals/route.ts";
import * as approve from "@app/api/v4/projects/[id]/merge_requests/[iid]/approve/route.ts";
import * as cancel from "@app/api/v4/projects/[id]/merge_requests/[iid]/cancel_merge_when_pipeline_succeeds/route.ts";
import * as diffs from "@app/api/v4/projects/[id]/merge_requests/[iid]/diffs/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as rebaseRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/rebase/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as unapprove from "@app/api/v4/projects/[id]/merge_requests/[iid]/unapprove/route.ts";
import * as list from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import { describe, expect, it } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { resetPassword } from "@/identity/users/service.ts";
import { approve as approveAs } from "@/review/approvals/approve.ts";
import { refreshAfterPush } from "@/review/merge-requests/after-push.ts";
import { merge } from "@/review/merge-requests/merge.ts";
import { findMergeRequest, updateMergeRequest } from "@/review/merge-requests/service.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { openMergeRequestProject } from "@/testing/merge-request-project.ts";
import { GIT } from "@/testing/repository.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";

type Json = Readonly<Record<string, unknown>>;

const {
  deps,
  owner,
  dev,
  reporter,
  project,
  BASE,
  call,
  git,
  createMergeRequest,
  push,
  read,
  configure,
  method,
} = await openMergeRequestProject();

describe("the merge requests API", GIT, () => {
  it("a merge request has conflicts until a push resolves the conflicts", async () => {
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

  it("when several requests to merge the same merge request arrive simultaneously, only one request merges it, with a merge commit", async () => {
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

  it("a merge squashes the commits if requested; if the project requires fast-forward merges, a merge is possible only after a rebase", async () => {
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

  it("the response to a failed rebase contains the reason, and the source branch stays unchanged", async () => {
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
    // The source branch of this merge request is the default branch, which a merge never deletes.
    await call(mergeRoute, "PUT", back, { json: { should_remove_source_branch: true } });
    expect(await git("rev-parse", "main")).not.toBe("");
  });

  it("a merge request without the required approvals cannot be merged, and a push to the source branch removes approvals", async () => {
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
    // If a user approves and then pushes commits, the approval does not count, because it would approve
    // commits of the same user.
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

  it("auto-merge merges on behalf of the user who enabled auto-merge, as soon as nothing blocks the merge", async () => {
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
    // If auto-merge was enabled for a specific head commit, a push to the source branch cancels auto-merge.
    await wait({ sha: await git("rev-parse", second.branch) });
    await push(second.branch, { "new.txt": "n\n" });
    expect(await read(second.iid)).toMatchObject({
      merge_user: null,
      merge_error: "The source branch has changed.",
    });
    // If the user who enabled auto-merge may no longer merge, auto-merge is canceled.
    await wait();
    await deps.db.projectMember.updateMany({ where: { userId: dev.user.id }, data: { role: 20 } });
    await configure({ approvals_before_merge: 0 });
    await refreshAfterPush(deps, project, dev.user.id);
    await call(mergeRequestRoute, "PUT", second.iid, { json: { description: "x" } });
    expect(await read(second.iid)).toMatchObject({ state: "opened", merge_user: null });
    await deps.db.projectMember.updateMany({ where: { userId: dev.user.id }, data: { role: 30 } });

    // This push resolves the conflict that prevented auto-merge from merging.
    const third = await createMergeRequest({ "a.txt": `${BASE}mine\n` });
    await push("main", { "a.txt": `${BASE}theirs\n` });
    expect((await call(mergeRoute, "PUT", third.iid, { json: { auto_merge: true } })).status).toBe(200);
    await push(third.branch, { "a.txt": `${BASE}theirs\n`, "b3.txt": "x\n" });
    await refreshAfterPush(deps, project, dev.user.id);
    expect(await read(third.iid)).toMatchObject({ state: "merged", merge_user: { username: "owner" } });
  });

  it("a merge request is marked as merged when a push adds the commits of the merge request to the target branch", async () => {
    const moveTo = (branch: string, commit: string) => git("update-ref", `refs/heads/${branch}`, commit);
    const mergedBy = async (branch: string) => {
      const tree = await git("merge-tree", "--write-tree", "main", branch);
      const user = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
      return git(...user, "commit-tree", "-p", "main", "-p", branch, "-m", "Merge", tree);
    };
    // The user who pushed is recorded as the user who merged. Other merge requests stay open.
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
    // If the push was not recorded, the user who pushed is unknown, and the source branch may have been
    // changed or deleted in the meantime.
    const second = await createMergeRequest({ "pushed.txt": "1\n" });
    await moveTo(second.branch, await mergedBy(second.branch));
    await moveTo("main", second.branch);
    expect(await read(second.iid)).toMatchObject({ state: "merged", merge_user: null, merged_by: null });
    const third = await createMergeRequest({ "pushed.txt": "2\n" });
    await moveTo("main", third.branch);
    await git("update-ref", "-d", `refs/heads/${third.branch}`);
    expect(await read(third.iid)).toMatchObject({ state: "merged", merge_commit_sha: null });
    // If the source branch is reset to the target branch, the merge request does not count as merged.
    const fourth = await createMergeRequest({ "pushed.txt": "3\n" });
    await moveTo(fourth.branch, "main");
    await refreshAfterPush(deps, project, dev.user.id);
    expect(await read(fourth.iid)).toMatchObject({
      state: "opened",
      detailed_merge_status: "commits_status",
    });
  });

  it("a change of the target branch withdraws approvals and cancels auto-merge", async () => {
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

    // An update writes only the fields that the request contains, so that simultaneous changes of other
    // fields by other users are kept.
    await put({ title: "Draft: not yet" });
    await updateMergeRequest(deps, actor, stored, { description: "Why" });
    expect(await read(iid)).toMatchObject({ title: "Draft: not yet", description: "Why", draft: true });
  });

  it("a rebase does not change author names that contain control characters", async () => {
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

  it("if a merge was interrupted because the server stopped, the next request for the merge request completes or aborts the merge", async () => {
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

  it("an approval is refused if the password of the user is reset after the password was checked", async () => {
    await configure({ approvals_before_merge: 1, require_password_to_approve: true });
    const { iid } = await createMergeRequest();
    const mergeRequest = await findMergeRequest(deps, project, iid);
    if (mergeRequest === null) throw new Error("The merge request is missing.");
    const during = beforeFirstTransaction(deps, () =>
      resetPassword(deps, owner.user, "another long passphrase"),
    );
    const actor = { project: { ...project, role: "owner" as const }, user: owner.user };
    await configure({ merge_requests_author_approval: true });
    expect(await approveAs(during, actor, mergeRequest, { password: PASSWORD })).toBe("password");
    expect(await approveAs(deps, actor, mergeRequest, { password: "another long passphrase" })).toMatchObject(
      {
        iid,
      },
    );
  });
});
