import * as approvals from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as mergeRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/merge/route.ts";
import * as rebaseRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/rebase/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as mergeRequests from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as rule from "@app/api/v4/projects/[id]/protected_branches/[name]/route.ts";
import * as rules from "@app/api/v4/projects/[id]/protected_branches/route.ts";
import * as branch from "@app/api/v4/projects/[id]/repository/branches/[branch]/route.ts";
import * as branches from "@app/api/v4/projects/[id]/repository/branches/route.ts";
import * as projects from "@app/api/v4/projects/route.ts";
import { describe, expect, it } from "vitest";
import { GitFailed, runGit } from "@/code/git/program.ts";
import { readPushRules } from "@/code/protected-branches/service.ts";
import { hooksFolder, hookVariables } from "@/code/repositories/hooks.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { type ApiUser, apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT, gitIsHere } from "@/testing/repository.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { findProject } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const dev = await apiUser(deps, "dev");
const reporter = await apiUser(deps, "reporter");

type Module = Readonly<Record<string, unknown>>;
type Route = Parameters<typeof callApi>[0];
type Path = Readonly<Record<string, string>>;

async function call(
  module: Module,
  method: string,
  project: Readonly<{ id: number }>,
  { path = {}, json, by = owner, query }: { path?: Path; json?: object; by?: ApiUser; query?: string } = {},
) {
  const params = { token: by.token, path: { id: String(project.id), ...path } };
  const more = { ...(json === undefined ? {} : { json }), ...(query === undefined ? {} : { query }) };
  return callApi(module[method] as Route, method, { ...params, ...more });
}

let number = 0;

/** Creates a project with a maintainer, a developer, a reporter, and one commit in the default branch. */
async function shop(): Promise<AuthorizedProject> {
  number += 1;
  const project = await projectOf(deps, owner.user, `shop-${number}`);
  for (const role of ["maintainer", "reporter"] as const)
    await memberOf(deps, project, { maintainer, reporter }[role].user, role);
  await memberOf(deps, project, dev.user, "developer");
  if (gitIsHere)
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": "a\n" } }]);
  return project;
}

const levels = (access_level: number, access_level_description: string) => [
  { id: expect.any(Number), access_level, access_level_description },
];

const protect = (project: AuthorizedProject, json: object, by = owner) =>
  call(rules, "POST", project, { json, by });

describe("protected branches", () => {
  it(conformance("SC-02", "the default branch of a new project is protected"), async () => {
    const { body } = await callApi(projects.POST, "POST", { token: owner.token, json: { name: "fresh" } });
    const list = await call(rules, "GET", body as { id: number });
    expect(list).toMatchObject({ status: 200 });
    expect(list.body).toEqual([
      {
        id: expect.any(Number),
        name: "main",
        push_access_levels: levels(40, "Maintainers"),
        merge_access_levels: levels(40, "Maintainers"),
        allow_force_push: false,
      },
    ]);
    expect(list.headers.get("x-total")).toBe("1");
  });

  it(
    conformance(
      "SC-02",
      "the protected branches API creates, reads, searches, changes and deletes protected branches as in the GitLab API",
    ),
    async () => {
      const project = await shop();
      const created = await protect(project, {
        ...{ name: "release/*", push_access_level: 0, merge_access_level: "30", allow_force_push: true },
      });
      expect(created).toMatchObject({ status: 201 });
      expect(created.body).toEqual({
        id: expect.any(Number),
        name: "release/*",
        push_access_levels: levels(0, "No one"),
        merge_access_levels: levels(30, "Developers + Maintainers"),
        allow_force_push: true,
      });
      const path = { name: "release/*" };
      expect((await call(rule, "GET", project, { path, by: reporter })).body).toEqual(created.body);
      expect((await call(rules, "GET", project, { query: "?search=REL" })).body).toEqual([created.body]);
      expect(await protect(project, { name: "release/*" })).toMatchObject({
        status: 409,
        body: { message: "Protected branch 'release/*' already exists" },
      });
      const changed = await call(rule, "PATCH", project, { path, json: { allow_force_push: false } });
      expect(changed).toMatchObject({ status: 200, body: { name: "release/*", allow_force_push: false } });
      expect((await call(rule, "DELETE", project, { path })).status).toBe(204);
      for (const method of ["GET", "PATCH", "DELETE"])
        expect(
          await call(rule, method, project, { path, ...(method === "PATCH" ? { json: {} } : {}) }),
        ).toMatchObject({
          status: 404,
          body: { message: "404 Not found" },
        });
      const events = await deps.db.auditEvent.findMany({
        where: { name: { startsWith: "protected_branch." }, userId: owner.user.id },
        orderBy: { id: "asc" },
      });
      expect(events.slice(-3).map(({ name }) => name)).toEqual([
        "protected_branch.created",
        "protected_branch.changed",
        "protected_branch.removed",
      ]);
      expect(JSON.parse(events.at(-3)?.details ?? "")).toMatchObject({
        ...{ id: project.id, path: project.fullPath, name: "release/*", pushAccessLevel: 0 },
      });
    },
  );

  it(
    conformance(
      "SC-02",
      "the protected branches API rejects a new rule if its name or access level is invalid, the user is a developer, or the project has too many rules",
    ),
    async () => {
      const project = await shop();
      for (const name of ["a b", "a..b", "-x", "x?", "[x]", "a*b*c*d*", "x.lock", "HEAD"])
        expect((await protect(project, { name })).status).toBe(422);
      for (const push_access_level of [10, 50, 60])
        expect(await protect(project, { name: "x", push_access_level })).toMatchObject({
          status: 400,
          body: { error: "push_access_level does not have a valid value" },
        });
      expect(await protect(project, {})).toMatchObject({ status: 400, body: { error: "name is missing" } });
      expect((await protect(project, { name: "x" }, dev)).status).toBe(403);
      const path = { name: "main" };
      expect((await call(rule, "DELETE", project, { path, by: dev })).status).toBe(403);
      const twice = await Promise.all([1, 2, 3].map(() => protect(project, { name: "raced" })));
      expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
      const row = { pushAccessLevel: 40, mergeAccessLevel: 40, allowForcePush: false, followsDefault: false };
      await deps.db.protectedBranch.createMany({
        data: Array.from({ length: 98 }, (_, at) => ({
          ...{ ...row, projectId: project.id, name: `b${at}`, createdAt: deps.clock() },
        })),
      });
      expect((await protect(project, { name: "one-more" })).status).toBe(422);
    },
  );
});

describe("branch protection", GIT, () => {
  const git = async (project: AuthorizedProject, ...args: readonly string[]): Promise<string> => {
    const cwd = await repositoryOf(deps, project);
    return (await runGit(args, { cwd, path: deps.config.programPath })).toString("utf8").trim();
  };

  const opened = async (project: AuthorizedProject, source_branch: string, target_branch = "main") => {
    const json = { source_branch, target_branch, title: "Title" };
    const { body } = await call(mergeRequests, "POST", project, { json, by: dev });
    return { iid: String((body as { iid: number }).iid) };
  };

  it(
    conformance(
      "SC-02",
      "if only maintainers may merge into a protected branch, developers cannot merge through the API or by auto-merge",
    ),
    async () => {
      const project = await shop();
      await commitAll(deps, project, [{ branch: "topic", message: "Topic", files: { "t.txt": "t\n" } }]);
      const path = await opened(project, "topic");
      const canMerge = async (by: ApiUser) =>
        (await call(mergeRequestRoute, "GET", project, { path, by })).body as {
          user: { can_merge: boolean };
        };
      expect((await canMerge(dev)).user.can_merge).toBe(false);
      expect((await canMerge(maintainer)).user.can_merge).toBe(true);
      const before = await git(project, "rev-parse", "main");
      expect((await call(mergeRoute, "PUT", project, { path, by: dev })).status).toBe(403);
      const json = { auto_merge: true };
      expect((await call(mergeRoute, "PUT", project, { path, by: dev, json })).status).toBe(403);
      expect(await git(project, "rev-parse", "main")).toBe(before);
      // The developer loses the right to merge before the merge request is ready to merge. Auto-merge must
      // therefore not merge this merge request.
      await call(rule, "DELETE", project, { path: { name: "main" } });
      await protect(project, { name: "main", merge_access_level: 30 });
      await call(approvals, "POST", project, { json: { approvals_before_merge: 1 } });
      expect((await call(mergeRoute, "PUT", project, { path, by: dev, json })).status).toBe(200);
      await call(rule, "DELETE", project, { path: { name: "main" } });
      await protect(project, { name: "main" });
      await call(approvals, "POST", project, { json: { approvals_before_merge: 0 } });
      await call(mergeRequestRoute, "PUT", project, { path, json: { description: "Look again" } });
      expect((await call(mergeRequestRoute, "GET", project, { path })).body).toMatchObject({
        state: "opened",
        merge_error: "The user who enabled auto-merge can no longer merge this merge request.",
      });
      expect((await call(mergeRoute, "PUT", project, { path, by: maintainer })).body).toMatchObject({
        state: "merged",
      });
    },
  );

  it(
    conformance("SC-02", "a merge request can neither rebase nor delete a protected source branch"),
    async () => {
      const project = await shop();
      await commitAll(deps, project, [
        { branch: "next", message: "Next", files: { "n.txt": "n\n" } },
        { branch: "main", message: "Go on", files: { "b.txt": "b\n" } },
      ]);
      await protect(project, { name: "ne*", push_access_level: 30 });
      const path = await opened(project, "next");
      expect((await call(rebaseRoute, "PUT", project, { path, by: dev })).status).toBe(403);
      expect((await call(rebaseRoute, "PUT", project, { path })).status).toBe(403);
      const json = { should_remove_source_branch: true };
      expect((await call(mergeRoute, "PUT", project, { path, json })).body).toMatchObject({
        state: "merged",
      });
      expect((await call(branch, "GET", project, { path: { branch: "next" } })).status).toBe(200);
    },
  );

  it(
    conformance(
      "SC-02",
      "the branches API creates and deletes protected branches only for users with the required rights",
    ),
    async () => {
      const project = await shop();
      await commitAll(deps, project, [{ branch: "topic", message: "Topic", files: { "t.txt": "t\n" } }]);
      const create = (name: string, ref: string, by = dev) =>
        call(branches, "POST", project, { json: { branch: name, ref }, by });
      const remove = (name: string, by = dev) =>
        call(branch, "DELETE", project, { path: { branch: name }, by });
      await protect(project, { name: "stable/*" });
      await protect(project, { name: "release/*", merge_access_level: 30 });
      expect(await create("stable/1", "main")).toMatchObject({
        status: 400,
        body: { message: "You are not allowed to create protected branches on this project." },
      });
      expect((await create("release/1", "main")).status).toBe(201);
      expect((await create("release/2", "topic")).body).toEqual({
        message: "You can only use an existing protected branch ref as the basis of a new protected branch.",
      });
      expect((await create("stable/1", "topic", maintainer)).status).toBe(201);
      expect(await remove("release/1")).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining("not allowed to delete protected branches") },
      });
      expect((await remove("release/1", maintainer)).status).toBe(204);
      expect((await remove("topic")).status).toBe(204);
    },
  );

  it(
    conformance(
      "SC-02",
      "the list of branches shows which branches are protected, and which rights the caller has",
    ),
    async () => {
      const project = await shop();
      await commitAll(deps, project, [{ branch: "topic", message: "Topic", files: { "t.txt": "t\n" } }]);
      const rows = async (by: ApiUser) => (await call(branches, "GET", project, { by })).body;
      const none = { developers_can_push: false, developers_can_merge: false };
      expect(await rows(dev)).toMatchObject([
        { name: "main", default: true, protected: true, can_push: false, ...none },
        { name: "topic", default: false, protected: false, can_push: true, ...none },
      ]);
      expect(await rows(maintainer)).toMatchObject([{ can_push: true }, { can_push: true }]);
      expect(await rows(reporter)).toMatchObject([{ can_push: false }, { can_push: false }]);
      await call(rule, "DELETE", project, { path: { name: "main" } });
      await protect(project, { name: "*", push_access_level: 30, merge_access_level: 30 });
      const all = { protected: true, can_push: true, developers_can_push: true, developers_can_merge: true };
      expect(await rows(dev)).toMatchObject([all, all]);
    },
  );

  /**
   * Pushes branches by running `git receive-pack` with the same hooks as the server.
   * @returns the error message of Git; "" if all branches were accepted.
   */
  async function push(
    project: AuthorizedProject,
    by: ApiUser,
    ...refspecs: readonly string[]
  ): Promise<string> {
    const authorized = await findProject(deps, String(project.id), by.user);
    if (authorized === null) throw new Error("The project is not visible.");
    return pushWith(project, hookVariables(await readPushRules(deps, authorized)), ...refspecs);
  }

  async function pushWith(
    project: AuthorizedProject,
    variables: Readonly<Record<string, string>>,
    ...refspecs: readonly string[]
  ): Promise<string> {
    const folder = await repositoryOf(deps, project);
    const hooks = hooksFolder(deps.config.dataDir);
    const from = await repositoryOf(deps, await source());
    const receive = `--receive-pack=git -c core.hooksPath=${hooks} receive-pack`;
    const path = deps.config.programPath;
    try {
      await runGit(["push", receive, folder, ...refspecs], { cwd: from, path, variables });
      return "";
    } catch (cause) {
      if (cause instanceof GitFailed) return cause.message;
      throw cause;
    }
  }

  let sourceProject: Promise<AuthorizedProject> | undefined;

  /**
   * Returns a project whose branches the tests push: `main` has two commits, and `other` begins at `main~1`.
   */
  const source = (): Promise<AuthorizedProject> => {
    sourceProject ??= projectOf(deps, owner.user, "source").then(async (project) => {
      await commitAll(deps, project, [
        { branch: "main", message: "One", files: { "a.txt": "1\n" } },
        { branch: "other", message: "Other", files: { "o.txt": "o\n" } },
        { branch: "main", message: "Two", files: { "a.txt": "2\n" } },
      ]);
      return project;
    });
    return sourceProject;
  };

  async function empty(): Promise<AuthorizedProject> {
    number += 1;
    const project = await projectOf(deps, owner.user, `empty-${number}`);
    await memberOf(deps, project, maintainer.user, "maintainer");
    await memberOf(deps, project, dev.user, "developer");
    return project;
  }

  const REFUSED = "not allowed to push code to protected branches";

  it(
    conformance(
      "SC-02",
      "the server rejects pushes, force pushes and deletions that the protection of a branch forbids",
    ),
    async () => {
      const project = await empty();
      expect(await push(project, maintainer, "main~1:refs/heads/main")).toBe("");
      expect(await push(project, dev, "main:refs/heads/main")).toContain(REFUSED);
      expect(await push(project, dev, "main:refs/heads/topic")).toBe("");
      expect(await push(project, dev, "+other:refs/heads/topic")).toBe("");
      expect(await push(project, maintainer, "main:refs/heads/main")).toBe("");
      expect(await push(project, owner, "+other:refs/heads/main")).toContain("not allowed to force push");
      await protect(project, { name: "release/*", push_access_level: 30, allow_force_push: true });
      await protect(project, { name: "top*", push_access_level: 0, merge_access_level: 0 });
      expect(await push(project, dev, "main:refs/heads/release/a/b")).toBe("");
      expect(await push(project, dev, "+other:refs/heads/release/a/b")).toBe("");
      expect(await push(project, owner, ":refs/heads/release/a/b")).toContain(
        "cannot delete a protected branch",
      );
      expect(await push(project, owner, "+main:refs/heads/topic")).toContain(REFUSED);
      // A push to several branches updates the allowed branches and rejects the forbidden branches.
      expect(await push(project, dev, "main:refs/heads/mine", "+other:refs/heads/main")).toContain(REFUSED);
      expect(await git(project, "rev-parse", "mine")).toBe(await git(project, "rev-parse", "main"));
    },
  );

  it(
    conformance(
      "SC-02",
      "only maintainers can make the first push to a repository, and the branch that becomes the default branch is protected",
    ),
    async () => {
      const project = await empty();
      expect(await push(project, dev, "main:refs/heads/main")).toContain(REFUSED);
      expect(await push(project, dev, "main:refs/heads/topic")).toContain(REFUSED);
      const authorized = await findProject(deps, String(project.id), dev.user);
      const stale = authorized && hookVariables(await readPushRules(deps, authorized));
      expect(await push(project, maintainer, "main~1:refs/heads/trunk")).toBe("");
      // The hooks of the next push apply branch protection rules that were read before `trunk` became the
      // default branch.
      expect(stale && (await pushWith(project, stale, "main:refs/heads/trunk"))).toContain(
        "default branch has",
      );
      expect(await push(project, dev, "main:refs/heads/trunk")).toContain(REFUSED);
      expect((await call(rules, "GET", project)).body).toMatchObject([{ name: "trunk" }]);
      expect((await call(branch, "GET", project, { path: { branch: "trunk" } })).body).toMatchObject({
        ...{ default: true, protected: true },
      });
      // A maintainer may delete the rule that protects the default branch.
      await call(rule, "DELETE", project, { path: { name: "trunk" } });
      expect(await push(project, dev, "main:refs/heads/trunk")).toBe("");
      expect((await call(rules, "GET", project)).body).toEqual([]);
    },
  );

  it(
    conformance(
      "SC-02",
      "only users who may push to the default branch can create the first branch through the API",
    ),
    async () => {
      const project = await empty();
      expect(await push(project, dev, "main:refs/tags/v1")).toBe("");
      const create = (by: ApiUser, name: string) =>
        call(branches, "POST", project, { by, json: { branch: name, ref: "v1" } });
      expect(await create(dev, "zzz")).toMatchObject({
        status: 400,
        body: { message: "You are not allowed to create protected branches on this project." },
      });
      expect((await create(maintainer, "zzz")).status).toBe(201);
      expect(await push(project, maintainer, "main:refs/heads/main")).toBe("");
      expect((await create(dev, "later")).status).toBe(201);
    },
  );

  it(
    conformance(
      "SC-02",
      "a maintainer can make the first push to a repository even if no role may push to the default branch",
    ),
    async () => {
      const project = await empty();
      await call(rule, "DELETE", project, { path: { name: "main" } });
      await protect(project, { name: "*", push_access_level: 0 });
      expect(await push(project, dev, "main:refs/heads/main")).toContain(REFUSED);
      expect(await push(project, maintainer, "main:refs/heads/main")).toBe("");
      expect(await push(project, maintainer, "other:refs/heads/next")).toContain(REFUSED);
      const open = await empty();
      await call(rule, "DELETE", open, { path: { name: "main" } });
      expect(await push(open, dev, "main:refs/heads/main")).toBe("");
    },
  );
});
