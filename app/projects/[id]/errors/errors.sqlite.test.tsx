import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it, vi } from "vitest";
import { changeStatuses } from "@/error-tracking/tracked-errors/actions.ts";
import { ingest, listErrors, setErrorStatus } from "@/error-tracking/tracked-errors/service.ts";
import { type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import ErrorPage from "./[error_id]/page.tsx";
import ErrorsPage from "./page.tsx";

/** The request that the mocked functions of Next describe. */
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

it("the list marks an error that occurred again after it was resolved, and shows the numbers of its chart", async () => {
  as(ann);
  const html = renderToStaticMarkup(await ErrorsPage({ params: Promise.resolve({ id: id() }), ...query }));
  expect(html).toContain("Regressed");
  expect(html).toContain("2, at most 2 in an hour");
  expect(html).toContain('aria-label="Select TypeError"');
});

it("the page of an error says that it occurred again, and offers to copy its stack trace", async () => {
  as(ann);
  const params = Promise.resolve({ id: id(), error_id: String(errorId) });
  const html = renderToStaticMarkup(await ErrorPage({ params, ...query }));
  expect(html).toContain("was resolved and occurred again");
  expect(html).toContain("Copy the stack trace");
  expect(html).toContain('aria-label="Events in the last 24 hours. Events: 2.');
  expect(html.indexOf("Copy the stack trace")).toBeLessThan(html.indexOf("First seen"));
});

it("the form of the selected errors changes their status and returns to the same list, for developers only", async () => {
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
