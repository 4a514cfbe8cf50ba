import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it, vi } from "vitest";
import { deleteComment, submitComment } from "@/error-tracking/comments/actions.ts";
import { COMMENT_CHARACTERS_MAX, COMMENTS_MAX } from "@/error-tracking/comments/rules.ts";
import { changeStatuses } from "@/error-tracking/tracked-errors/actions.ts";
import { ingest, listErrors, setErrorStatus } from "@/error-tracking/tracked-errors/service.ts";
import { type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import ErrorPage from "./[error_id]/page.tsx";
import ErrorsPage from "./page.tsx";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ refresh: () => undefined }),
}));

const deps = await openTestDeps();
const ANY = { status: null, environment: null, query: null, sort: "last_seen", page: 1, perPage: 5 } as const;
const FRAME = { function: "main", module: "shop", in_app: true, lineno: 3, context_line: "brew()" };
const TEA = { type: "TypeError", value: "No tea", stacktrace: { frames: [FRAME] } };

let ann: SignedInUser;
let project: AuthorizedProject;
let errorId: number;

const report = () => {
  const event = { eventId: "0".repeat(32), body: { exception: { values: [TEA] } } };
  return ingest(deps, project, { events: [event], dropped: [] });
};
const as = ({ cookie }: SignedInUser): void => {
  request.headers = new Headers({ cookie });
};
const query = { searchParams: Promise.resolve({}) };
const id = () => String(project.id);

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  project = await projectOf(deps, ann.user, "shop");
  await report();
  errorId = (await listErrors(deps, project, ANY)).errors[0]?.id ?? 0;
  await setErrorStatus(deps, project, errorId, "resolved");
  await report();
});

it("the list of tracked errors marks an error that occurred again after it was resolved, and describes the chart of the error as text", async () => {
  as(ann);
  const html = renderToStaticMarkup(await ErrorsPage({ params: Promise.resolve({ id: id() }), ...query }));
  expect(html).toContain("Regressed");
  expect(html).toContain("2, at most 2 in an hour");
  expect(html).toContain('aria-label="Select TypeError"');
});

it("the page of a tracked error says that the error was resolved and occurred again, and has a button that copies the stack trace", async () => {
  as(ann);
  const params = Promise.resolve({ id: id(), error_id: String(errorId) });
  const html = renderToStaticMarkup(await ErrorPage({ params, ...query }));
  expect(html).toContain("was resolved and occurred again");
  expect(html).toContain("Copy the stack trace");
  expect(html).toContain('aria-label="Events in the last 24 hours. Events: 2.');
  expect(html.indexOf("Copy the stack trace")).toBeLessThan(html.indexOf("First seen"));
});

it("the form for selected tracked errors lets only developers change the status, and redirects to the list", async () => {
  const form = new FormData();
  for (const [name, value] of [
    ["project", id()],
    ["error", String(errorId)],
    ["error", "none"],
    ["to", "ignored"],
    ["status", "all"],
    ["range", "14d"],
  ] as const)
    form.append(name, value);
  const reporter = await signedInUser(deps, "rita");
  await memberOf(deps, project, reporter.user, "reporter");
  as(reporter);
  await expect(changeStatuses(form)).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  expect((await listErrors(deps, project, { ...ANY, status: "ignored" })).total).toBe(0);
  as(ann);
  await expect(changeStatuses(form)).rejects.toMatchObject({
    digest: expect.stringContaining(`/projects/${project.id}/errors?status=all&range=14d`),
  });
  expect((await listErrors(deps, project, { ...ANY, status: "ignored" })).total).toBe(1);
});

const pageOf = async (of: SignedInUser): Promise<string> => {
  as(of);
  const params = Promise.resolve({ id: id(), error_id: String(errorId) });
  return renderToStaticMarkup(await ErrorPage({ params, ...query }));
};
const formOf = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ project: id(), error: String(errorId), ...fields }))
    form.set(name, value);
  return form;
};
const EMPTY = { draft: "", problem: null };

it("the page of a tracked error shows comments as safe Markdown, and shows the comment forms only to developers", async () => {
  const reporter = await signedInUser(deps, "rob");
  await memberOf(deps, project, reporter.user, "reporter");
  const comment =
    "It is **fixed**.\r\n<script>alert(1)</script> [path](../secret) ![p](https://x.example/p.png)";
  as(reporter);
  await expect(submitComment(EMPTY, formOf({ comment }))).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  as(ann);
  await expect(submitComment(EMPTY, formOf({ comment }))).rejects.toMatchObject({
    digest: expect.stringContaining(`/projects/${project.id}/errors/${errorId}?comment=`),
  });
  const { id: commentId } = await deps.db.errorComment.findFirstOrThrow();
  const html = await pageOf(ann);
  expect(html).toContain("It is <strong>fixed</strong>.");
  expect(html).not.toMatch(/alert\(1\)|<img[^>]+x\.example|href="[^"]*secret/);
  expect(html).toContain("Delete comment");
  expect(html).toContain("Add a comment");
  const read = await pageOf(reporter);
  expect(read).toContain("It is <strong>fixed</strong>.");
  expect(read).not.toMatch(/Delete comment|Add a comment/);
  const form = formOf({ comment: String(commentId) });
  as(reporter);
  await expect(deleteComment(form)).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  as(ann);
  await expect(deleteComment(form)).rejects.toMatchObject({ digest: expect.stringContaining("#comments") });
  expect(await deps.db.errorComment.count()).toBe(0);
});

it("the comment form keeps the text of a refused comment, and redirects to an accepted comment", async () => {
  as(ann);
  expect(await submitComment(EMPTY, formOf({ comment: " " }))).toMatchObject({ problem: "Enter a comment." });
  const long = "x".repeat(COMMENT_CHARACTERS_MAX + 1);
  expect(await submitComment(EMPTY, formOf({ comment: long }))).toMatchObject({
    draft: long,
    problem: "The comment is too long. Shorten the comment to 10,000 characters.",
  });
  const row = { errorId, authorId: ann.user.id, body: "x", createdAt: deps.clock() };
  await deps.db.errorComment.createMany({ data: Array.from({ length: COMMENTS_MAX - 1 }, () => row) });
  // A browser submits each line break as two characters.
  const lines = `a${"\r\n".repeat(6_000)}b`;
  await expect(submitComment(EMPTY, formOf({ comment: lines }))).rejects.toMatchObject({
    digest: expect.stringMatching(/\?page=25&comment=(\d+)#comment-\1;/),
  });
  const { problem } = await submitComment(EMPTY, formOf({ comment: "One more" }));
  expect(problem).toContain("This error has 500 comments");
});
