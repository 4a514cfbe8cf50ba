import * as siteRoute from "@app/api/v4/geo_sites/[id]/route.ts";
import * as tokenRoute from "@app/api/v4/personal_access_tokens/[id]/route.ts";
import * as keyRoute from "@app/api/v4/projects/[id]/error_tracking/client_keys/[key_id]/route.ts";
import * as errorRoute from "@app/api/v4/projects/[id]/error_tracking/errors/[error_id]/route.ts";
import * as memberRoute from "@app/api/v4/projects/[id]/members/[user_id]/route.ts";
import * as mergeRequestRoute from "@app/api/v4/projects/[id]/merge_requests/[iid]/route.ts";
import * as mergeRequestsRoute from "@app/api/v4/projects/[id]/merge_requests/route.ts";
import * as projectRoute from "@app/api/v4/projects/[id]/route.ts";
import * as projectRunners from "@app/api/v4/projects/[id]/runners/route.ts";
import * as projectsRoute from "@app/api/v4/projects/route.ts";
import * as runnerRoute from "@app/api/v4/runners/[id]/route.ts";
import * as userRoute from "@app/api/v4/users/[id]/route.ts";
import { describe, expect, it } from "vitest";
import { type ApiRequest, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });
const ann = await apiUser(deps, "ann");
const project = await projectOf(deps, root.user, "shop");
const inProject = (path: object) => ({ path: { id: String(project.id), ...path } });

const UNKNOWN = "987654321";
const TOO_LARGE = ["2147483648", "9999999999", "99999999999999999999", "9".repeat(400)];

type Route = Parameters<typeof callApi>[0];

describe("ids above the maximum of the database", () => {
  it.each<[string, Route, string, (id: string) => ApiRequest]>([
    ["GET /users/:id", userRoute.GET, "GET", (id) => ({ path: { id } })],
    ["GET /projects/:id", projectRoute.GET, "GET", (id) => ({ path: { id } })],
    ["GET /runners/:id", runnerRoute.GET, "GET", (id) => ({ path: { id } })],
    ["GET /geo_sites/:id", siteRoute.GET, "GET", (id) => ({ path: { id } })],
    ["GET /personal_access_tokens/:id", tokenRoute.GET, "GET", (id) => ({ path: { id } })],
    ["DELETE a client key", keyRoute.DELETE, "DELETE", (key_id) => inProject({ key_id })],
    ["GET a tracked error", errorRoute.GET, "GET", (error_id) => inProject({ error_id })],
    ["GET a member", memberRoute.GET, "GET", (user_id) => inProject({ user_id })],
    ["GET a merge request", mergeRequestRoute.GET, "GET", (iid) => inProject({ iid })],
    [
      "POST the runner_id of another project",
      projectRunners.POST,
      "POST",
      (id) => ({ ...inProject({}), form: `runner_id=${id}` }),
    ],
  ])("%s responds with 404, as to any unknown id", async (_name, route, method, request) => {
    const respond = async (id: string, { token } = root) => {
      const { status, body } = await callApi(route, method, { token, ...request(id) });
      return { status, body };
    };
    const unknown = await respond(UNKNOWN);
    expect(unknown.status).toBe(404);
    const toAnn = await respond(UNKNOWN, ann);
    for (const id of TOO_LARGE) {
      expect(await respond(id)).toEqual(unknown);
      expect(await respond(id, ann)).toEqual(toAnn);
    }
  });

  it("id_after above the maximum matches no project, and id_before above the maximum matches every project", async () => {
    const list = async (query: string) => {
      const { status, body } = await callApi(projectsRoute.GET, "GET", { token: root.token, query });
      return { status, ids: (body as { id: number }[]).map(({ id }) => id) };
    };
    for (const id of TOO_LARGE) {
      expect(await list(`?id_after=${id}`)).toEqual({ status: 200, ids: [] });
      expect(await list(`?id_before=${id}`)).toEqual({ status: 200, ids: [project.id] });
    }
    expect(await list("?id_after=0")).toEqual({ status: 200, ids: [project.id] });
    expect(
      (await callApi(projectsRoute.GET, "GET", { token: root.token, query: "?id_after=x" })).status,
    ).toBe(400);
  });

  it("filters with an id above the maximum match no row", async () => {
    for (const query of TOO_LARGE.flatMap((id) => [`?iids=${id}`, `?iids[]=${id}`, `?author_id=${id}`])) {
      const request = { token: root.token, ...inProject({}), query };
      expect(await callApi(mergeRequestsRoute.GET, "GET", request)).toMatchObject({ status: 200, body: [] });
    }
  });
});
