import * as configuration from "@app/api/v4/projects/[id]/approvals/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as list from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as protectedBranch from "@app/api/v4/projects/[id]/protected_branches/[name]/route.ts";
import * as protectedBranches from "@app/api/v4/projects/[id]/protected_branches/route.ts";
import * as oneProject from "@app/api/v4/projects/[id]/route.ts";
import { expect } from "vitest";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { type ApiRequest, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { commitAll, gitIsHere } from "@/testing/repository.ts";

type Json = Readonly<Record<string, unknown>>;
type Module = Readonly<Record<string, unknown>>;
type Route = Parameters<typeof callApi>[0];

/**
 * Creates a private project in a group, with a user for each role, and a commit on the branch `main`.
 * @returns the project, the users, and functions that call the API and Git.
 */
export async function openMergeRequestProject() {
  const deps = await openTestDeps();
  const owner = await apiUser(deps, "owner");
  const dev = await apiUser(deps, "dev");
  const reporter = await apiUser(deps, "reporter");
  const guest = await apiUser(deps, "guest");
  const stranger = await apiUser(deps, "stranger");
  const BASE = "one\ntwo\nthree\nfour\nfive\n";

  const group = await groupOf(deps, owner.user, "team", { visibility: "private" });
  const project = await projectOf(deps, owner.user, "shop", { group });
  await memberOf(deps, project, dev.user, "developer");
  await memberOf(deps, project, reporter.user, "reporter");
  await memberOf(deps, project, guest.user, "guest");
  // The default branch is protected: developers may merge into the branch, but only maintainers may push to
  // the branch.
  const path = { id: String(project.id), name: "main" };
  await callApi(protectedBranch.DELETE, "DELETE", { token: owner.token, path });
  const json = { name: "main", merge_access_level: 30 };
  await callApi(protectedBranches.POST, "POST", { token: owner.token, path: { id: path.id }, json });
  if (gitIsHere)
    await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": BASE } }]);

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
  const method = (merge_method: string) =>
    call(oneProject as Module, "PUT", null, { json: { merge_method } });
  return {
    deps,
    owner,
    dev,
    reporter,
    guest,
    stranger,
    groupId: group.id,
    project,
    BASE,
    call,
    git,
    createMergeRequest,
    push,
    read,
    configure,
    method,
  };
}
