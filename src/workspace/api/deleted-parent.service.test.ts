import * as groupMembers from "@app/api/v4/groups/[id]/members/route.ts";
import * as groupRoute from "@app/api/v4/groups/[id]/route.ts";
import * as groups from "@app/api/v4/groups/route.ts";
import * as projectMembers from "@app/api/v4/projects/[id]/members/route.ts";
import * as projectRoute from "@app/api/v4/projects/[id]/route.ts";
import * as projects from "@app/api/v4/projects/route.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { type ApiRequest, type ApiResponse, apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { deleteGroup } from "../groups/service.ts";
import type { AuthorizedProject } from "../projects/rules.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");

let group: AuthorizedGroup;
let project: AuthorizedProject;

beforeEach(async () => {
  group = await groupOf(deps, ann.user, `team-${crypto.randomUUID()}`);
  project = await projectOf(deps, ann.user, "shop", { group });
  provideDeps(beforeFirstTransaction(deps, () => deleteGroup(deps, group, ann.user)));
});

afterEach(() => provideDeps(deps));

const call = (
  route: Parameters<typeof callApi>[0],
  method: string,
  json: object,
  path: ApiRequest["path"] = {},
): Promise<ApiResponse> => callApi(route, method, { token: ann.token, json, path });

const add = (route: Parameters<typeof callApi>[0], { id }: Readonly<{ id: number }>) =>
  call(route, "POST", { user_id: bob.user.id, access_level: 50 }, { id: String(id) });

it.each<[string, () => Promise<ApiResponse>, string]>([
  [
    "the creation of a project",
    () => call(projects.POST, "POST", { name: "New", namespace_id: group.id }),
    "404 Namespace Not Found",
  ],
  [
    "the creation of a subgroup",
    () => call(groups.POST, "POST", { name: "New", path: "new", parent_id: group.id }),
    "404 Group Not Found",
  ],
  [
    "a change of a project",
    () => call(projectRoute.PUT, "PUT", { name: "New" }, { id: String(project.id) }),
    "404 Project Not Found",
  ],
  [
    "a change of a group",
    () => call(groupRoute.PUT, "PUT", { name: "New" }, { id: String(group.id) }),
    "404 Group Not Found",
  ],
  ["the addition of a member of a project", () => add(projectMembers.POST, project), "404 Not found"],
  ["the addition of a member of a group", () => add(groupMembers.POST, group), "404 Not found"],
])("%s gets the status 404 if another request deletes the group simultaneously", async (_, send, message) => {
  expect(await send()).toMatchObject({ status: 404, body: { message } });
  expect(deps.logged.filter(({ level }) => level === "error")).toEqual([]);
});
