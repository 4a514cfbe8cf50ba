import * as jobs from "@app/api/v4/jobs/request/route.ts";
import * as runner from "@app/api/v4/runners/[id]/route.ts";
import * as runners from "@app/api/v4/runners/route.ts";
import * as userRunners from "@app/api/v4/user/runners/route.ts";
import { expect } from "vitest";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";

export type RunnerRow = Record<string, unknown> & { id: number; token: string };

/**
 * Creates two projects and their users. The user `root` is an administrator.
 * @returns the projects, the users, and functions that call the API of runners.
 */
export async function openRunnerProjects() {
  const deps = await openTestDeps();
  const root = await apiUser(deps, "root", { admin: true });
  const olga = await apiUser(deps, "olga");
  const mia = await apiUser(deps, "mia");
  const dev = await apiUser(deps, "dev");

  const team = await groupOf(deps, olga.user, "team", { visibility: "private" });
  const inner = await groupOf(deps, olga.user, "inner", { visibility: "private", parent: team });
  const shop = await projectOf(deps, olga.user, "shop", { group: inner });
  const blog = await projectOf(deps, olga.user, "blog");
  await memberOf(deps, team, mia.user, "maintainer");
  await memberOf(deps, shop, dev.user, "developer");
  /**
   * Calls version 5 of the API. Other tests cover the differences between version 4 and version 5 of the API.
   */
  const callV5: typeof callApi = (handler, method, options) =>
    callApi(handler, method, { pathname: "/api/v5/x", ...options });

  const create = async (json: object, token = olga.token) =>
    callV5(userRunners.POST, "POST", { token, json });
  async function createRunner(json: object, token = olga.token): Promise<RunnerRow> {
    const { status, body } = await create(json, token);
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as RunnerRow;
  }
  const inShop = (json: object = {}) =>
    createRunner({ runner_type: "project_type", project_id: shop.id, ...json });
  const path = (id: unknown) => ({ id: String(id) });
  const read = (id: number, token = olga.token) => callV5(runner.GET, "GET", { token, path: path(id) });
  const change = (id: number, json: object, token = olga.token) =>
    callV5(runner.PUT, "PUT", { token, path: path(id), json });
  const remove = (id: number, token = olga.token) =>
    callV5(runner.DELETE, "DELETE", { token, path: path(id) });
  const idsIn = (body: unknown) => (body as readonly RunnerRow[]).map(({ id }) => id);
  const ids = async (query = "", token = olga.token) =>
    idsIn((await callV5(runners.GET, "GET", { token, query })).body);
  const requestJob = (token: string, info?: object) => callV5(jobs.POST, "POST", { json: { token, info } });
  return {
    deps,
    root,
    olga,
    mia,
    dev,
    team,
    inner,
    shop,
    blog,
    callV5,
    create,
    createRunner,
    inShop,
    path,
    read,
    change,
    remove,
    idsIn,
    ids,
    requestJob,
  };
}
