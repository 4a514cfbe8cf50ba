import * as clientKeys from "@app/api/v4/projects/[id]/error_tracking/client_keys/route.ts";
import * as invitations from "@app/api/v4/projects/[id]/invitations/route.ts";
import * as policies from "@app/api/v4/projects/[id]/license_approval_policies/route.ts";
import * as licenses from "@app/api/v4/projects/[id]/managed_licenses/route.ts";
import * as mergeRequests from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as protectedBranches from "@app/api/v4/projects/[id]/protected_branches/route.ts";
import * as projectRunners from "@app/api/v4/projects/[id]/runners/route.ts";
import * as userRunners from "@app/api/v4/user/runners/route.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { type ApiResponse, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
await changeSettings(deps, { owners_can_invite: "true" });
let group: AuthorizedGroup;
let project: AuthorizedProject;
let runnerId = 0;

type Route = Parameters<typeof callApi>[0];

const post = (route: Route, json: object): Promise<ApiResponse> =>
  callApi(route, "POST", { token: ann.token, json, path: { id: String(project.id) } });

beforeEach(async () => {
  group = await groupOf(deps, ann.user, `team-${crypto.randomUUID()}`);
  project = await projectOf(deps, ann.user, "shop", { group });
  const other = await projectOf(deps, ann.user, `other-${crypto.randomUUID()}`);
  const created = await post(userRunners.POST, { runner_type: "project_type", project_id: other.id });
  runnerId = (created.body as { id: number }).id;
});

afterEach(() => provideDeps(deps));

const NO_RECORD = /no record/i;

/** Deletes the row of the group, and therefore the row of the project, but not the repository. */
const deleteRows = async (): Promise<void> => {
  expect((await deps.db.group.deleteMany({ where: { id: group.id } })).count).toBe(1);
};

async function expectNotFound(send: () => Promise<ApiResponse>, reason: RegExp): Promise<void> {
  provideDeps(beforeFirstTransaction(deps, deleteRows));
  expect(await send()).toMatchObject({ status: 404, body: { message: "404 Not found" } });
  expect(deps.logged.at(-1)).toMatchObject({
    level: "warn",
    event: "api.missing_row",
    reason: expect.stringMatching(reason),
  });
  expect(deps.logged.filter(({ level }) => level === "error")).toEqual([]);
}

describe("a request gets the status 404 if another request deletes the project simultaneously", () => {
  it.each<[string, () => Promise<ApiResponse>]>([
    ["the addition of a license", () => post(licenses.POST, { name: "MIT", approval_status: "allowed" })],
    ["the creation of a license policy", () => post(policies.POST, { name: "Policy", deny_list: ["MIT"] })],
    ["the protection of a branch", () => post(protectedBranches.POST, { name: "release" })],
    ["the creation of a client key", () => post(clientKeys.POST, {})],
    [
      "an invitation",
      () => post(invitations.POST, { email: `bob-${project.id}@example.com`, access_level: 30 }),
    ],
  ])("%s gets the status 404, although the request inserts a row that references the project", (_, send) =>
    expectNotFound(send, /foreign key/i),
  );

  it("the assignment of a runner gets the status 404", () =>
    expectNotFound(() => post(projectRunners.POST, { runner_id: runnerId }), NO_RECORD));

  it("the creation of a merge request gets the status 404", GIT, async () => {
    await commitAll(deps, project, [
      { branch: "main", message: "First", files: { "a.txt": "a" } },
      { branch: "topic", message: "Second", files: { "a.txt": "b" } },
    ]);
    const json = { source_branch: "topic", target_branch: "main", title: "Topic" };
    await expectNotFound(() => post(mergeRequests.POST, json), NO_RECORD);
  });
});
