import * as note from "@app/api/v4/projects/[id]/error_tracking/errors/[error_id]/notes/[note_id]/route.ts";
import * as noteList from "@app/api/v4/projects/[id]/error_tracking/errors/[error_id]/notes/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { COMMENT_CHARACTERS_MAX, COMMENTS_MAX } from "@/error-tracking/comments/rules.ts";
import { addComment } from "@/error-tracking/comments/service.ts";
import { ingest } from "@/error-tracking/tracked-errors/service.ts";
import { requestDeletion } from "@/identity/users/account-deletion.ts";
import { deleteDueAccounts } from "@/identity/users/deletion-job.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner", { admin: true });
const developer = await apiUser(deps, "developer");
const other = await apiUser(deps, "other");
const maintainer = await apiUser(deps, "maintainer");
const reporter = await apiUser(deps, "reporter");

let count = 0;
let project: AuthorizedProject;
let errorId: number;

beforeEach(async () => {
  count += 1;
  deps.advance(3600);
  const group = await groupOf(deps, owner.user, `group-${count}`, { visibility: "private" });
  project = await projectOf(deps, owner.user, `shop-${count}`, { group });
  for (const { user } of [developer, other]) await memberOf(deps, project, user, "developer");
  await memberOf(deps, project, maintainer.user, "maintainer");
  await memberOf(deps, project, reporter.user, "reporter");
  errorId = await reportIn(project);
});

async function reportIn(target: AuthorizedProject): Promise<number> {
  const body = { platform: "node", level: "error", message: "It broke" };
  await ingest(deps, target, { events: [{ eventId: "0".repeat(32), body }], dropped: [] });
  return (await deps.db.trackedError.findFirstOrThrow({ where: { projectId: target.id } })).id;
}

const pathOf = (error = errorId) => ({ id: String(project.id), error_id: String(error) });
const list = async (query = "", { token } = reporter) => {
  const { body, ...response } = await callApi(noteList.GET, "GET", { token, query, path: pathOf() });
  return { ...response, rows: body as readonly Readonly<{ id: number; body: string; author: object }>[] };
};
const post = async (body: unknown, { token } = developer, error = errorId) => {
  const response = await callApi(noteList.POST, "POST", { token, path: pathOf(error), json: { body } });
  return { ...response, note: response.body as Readonly<{ id: number; body: string }> };
};
const remove = (id: number, { token } = developer, error = errorId) =>
  callApi(note.DELETE, "DELETE", { token, path: { ...pathOf(error), note_id: String(id) } });
const auditEvents = (name: string) =>
  deps.db.auditEvent.findMany({ where: { name }, orderBy: { id: "desc" }, take: 1 });

describe("the comments on a tracked error", () => {
  it("a comment on a tracked error has the form of a GitLab note, and comments are listed newest first or oldest first", async () => {
    const { status, note: first } = await post("It happens **at night**.\r\nSee `pay`.");
    expect(status).toBe(201);
    expect(first).toMatchObject({
      ...{ id: expect.any(Number), type: null, system: false, noteable_id: errorId, project_id: project.id },
      body: "It happens **at night**.\nSee `pay`.",
      author: { id: developer.user.id, username: "developer" },
      created_at: deps.clock().toISOString(),
    });
    await post("Fixed.", maintainer);
    const { rows, headers } = await list();
    expect(rows.map(({ body }) => body)).toEqual(["Fixed.", first.body]);
    expect(headers.get("x-total")).toBe("2");
    expect((await list("?sort=asc&per_page=1")).rows).toEqual([first]);
    expect((await list("?order_by=updated_at")).status).toBe(400);
    expect(await auditEvents("error_comment.created")).toMatchObject([{ userId: maintainer.user.id }]);
  });

  it("developers can comment on a tracked error of their own project, but not on a tracked error of another project", async () => {
    expect((await post("No.", reporter)).status).toBe(403);
    const elsewhere = await projectOf(deps, owner.user, `elsewhere-${count}`);
    const foreignId = await reportIn(elsewhere);
    expect((await post("No.", developer, foreignId)).status).toBe(404);
    const added = await addComment(deps, elsewhere, { errorId: foreignId, body: "x", author: owner.user });
    if (typeof added === "string") throw new Error(added);
    expect((await remove(added.comment.id, maintainer, foreignId)).status).toBe(404);
    expect((await remove(added.comment.id, maintainer)).status).toBe(404);
    expect((await list()).rows).toEqual([]);
  });

  it("the length of a comment is limited, and characters that a database rejects are replaced", async () => {
    expect((await post(" \n ")).status).toBe(400);
    expect((await post("x".repeat(COMMENT_CHARACTERS_MAX + 1))).status).toBe(400);
    expect((await post("x".repeat(COMMENT_CHARACTERS_MAX))).status).toBe(201);
    const outcome = await addComment(deps, project, { errorId, body: "a\0b\ud800c", author: owner.user });
    expect(outcome).toMatchObject({ comment: { body: "a\u{FFFD}b\u{FFFD}c" } });
  });

  it("a comment can be deleted by its author or by a maintainer", async () => {
    const [{ note: first }, { note: second }] = [await post("First."), await post("Second.")];
    expect((await remove(first.id, other)).status).toBe(403);
    expect((await remove(first.id, reporter)).status).toBe(403);
    expect((await remove(first.id)).status).toBe(204);
    expect((await remove(first.id)).status).toBe(404);
    expect((await remove(second.id, maintainer)).status).toBe(204);
    expect((await list()).rows).toEqual([]);
    const [event] = await auditEvents("error_comment.removed");
    expect(event).toMatchObject({ userId: maintainer.user.id });
    expect(JSON.parse(event?.details ?? "")).toMatchObject({
      ...{ path: project.fullPath, errorId, commentId: second.id, authorId: developer.user.id },
    });
  });

  it("the number of comments on one tracked error is limited, even for simultaneous requests", async () => {
    const row = { errorId, authorId: owner.user.id, body: "x", createdAt: deps.clock() };
    await deps.db.errorComment.createMany({ data: Array.from({ length: COMMENTS_MAX - 2 }, () => row) });
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => addComment(deps, project, { errorId, body: "y", author: owner.user })),
    );
    expect(attempts.filter((outcome) => outcome === "full")).toHaveLength(4);
    expect((await post("Too many.")).status).toBe(409);
  });

  it("the number of comments that one user may write within a period is limited", async () => {
    await changeSettings(deps, { limit_error_comment_per_user: "2" });
    for (const status of [201, 201, 429]) expect((await post("Again.")).status).toBe(status);
    expect((await post("Another user.", maintainer)).status).toBe(201);
    deps.advance(601);
    expect((await post("Later.")).status).toBe(201);
    await changeSettings(deps, { limit_error_comment_per_user: "60" });
  });

  it("comments are deleted when their tracked error is deleted", async () => {
    await post("Gone.");
    await deps.db.trackedError.delete({ where: { id: errorId } });
    expect(await deps.db.errorComment.count({ where: { errorId } })).toBe(0);
  });

  it.each([false, true])(
    "when a user is deleted, the comments of the user are reassigned to the ghost user, or deleted if the contributions are deleted too (contributions deleted: %s)",
    async (hard) => {
      const leaver = await apiUser(deps, `leaver${count}`);
      await memberOf(deps, project, leaver.user, "developer");
      await post("Look at the queue.", leaver);
      expect(await requestDeletion(deps, owner.user, leaver.user.id, { hard })).toBeNull();
      await deleteDueAccounts(deps);
      expect((await list()).rows).toMatchObject(
        hard ? [] : [{ body: "Look at the queue.", author: { username: "ghost", state: "blocked" } }],
      );
    },
  );
});
