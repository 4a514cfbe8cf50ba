import { GET as getGroup } from "@app/api/v4/groups/[id]/route.ts";
import { GET as getMergeRequests } from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import { GET as getTree } from "@app/api/v4/projects/[id]/repository/tree/route.ts";
import { GET as getProject } from "@app/api/v4/projects/[id]/route.ts";
import Sqlite from "better-sqlite3";
import { afterAll, expect, it, vi } from "vitest";
import { type ApiUser, apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const eve = await apiUser(deps, "eve");
const group = await groupOf(deps, ann.user, "hidden", { visibility: "private" });
const project = await projectOf(deps, ann.user, "secret", { group });
const own = await projectOf(deps, ann.user, "own");

/** The SQL statements that all connections of this process have run. */
const run: string[] = [];
const statement = Object.getPrototypeOf(new Sqlite(":memory:").prepare("SELECT 1"));
for (const way of ["all", "get", "iterate", "run"]) {
  const original = statement[way];
  vi.spyOn(statement, way).mockImplementation(function (this: { source: string }, ...values: unknown[]) {
    run.push(this.source);
    return original.apply(this, values);
  });
}
afterAll(() => vi.restoreAllMocks());

type Handler = Parameters<typeof callApi>[0];

async function statementsOf(handler: Handler, id: string, user: ApiUser | null) {
  const sent = { path: { id }, ...(user === null ? {} : { token: user.token }) };
  // The statements of the first request of each kind are not counted, because the first request may also
  // prepare statements.
  await callApi(handler, "GET", sent);
  run.length = 0;
  const { status, body } = await callApi(handler, "GET", sent);
  return { status, body, statements: [...run] };
}

it.each<[string, Handler, string, string]>([
  ["a project, by its id", getProject, String(project.id), "987654"],
  ["a project, by its path", getProject, "hidden/secret", "hidden/absent"],
  ["a project of a user", getProject, String(own.id), "987654"],
  ["the tree of a project", getTree, String(project.id), "987654"],
  ["the merge requests of a project", getMergeRequests, String(project.id), "987654"],
  ["a group, by its id", getGroup, String(group.id), "987654"],
  ["a group, by its path", getGroup, "hidden", "absent"],
])(
  conformance(
    "SC-16",
    "a request for a hidden resource runs the same statements as a request for a resource that does not exist: %s",
  ),
  async (_what, send, hidden, absent) => {
    for (const user of [eve, null]) {
      const hiddenResult = await statementsOf(send, hidden, user);
      expect(hiddenResult).toEqual(await statementsOf(send, absent, user));
      expect([401, 404]).toContain(hiddenResult.status);
      if (user !== null) expect(hiddenResult.statements.length).toBeGreaterThan(0);
    }
    expect((await statementsOf(send, hidden, ann)).status).toBe(send === getTree ? 404 : 200);
  },
);
