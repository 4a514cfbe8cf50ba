import * as groupRunners from "@app/api/v4/groups/[id]/runners/route.ts";
import * as projectRunner from "@app/api/v4/projects/[id]/runners/[runner_id]/route.ts";
import * as projectRunners from "@app/api/v4/projects/[id]/runners/route.ts";
import * as reset from "@app/api/v4/runners/[id]/reset_authentication_token/route.ts";
import * as allRunners from "@app/api/v4/runners/all/route.ts";
import * as runners from "@app/api/v4/runners/route.ts";
import * as userRunners from "@app/api/v4/user/runners/route.ts";
import { describe, expect, it } from "vitest";
import { callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { openRunnerProjects, type RunnerRow } from "@/testing/runner-projects.ts";

const {
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
} = await openRunnerProjects();

describe("POST /user/runners", () => {
  it("the API creates a runner, returns the token of the runner once, and stores only a digest of the token", async () => {
    const settings = { description: "Fast", paused: true, locked: true, run_untagged: false };
    const more = { tag_list: "linux, arm,linux", access_level: "ref_protected", maximum_timeout: 600 };
    const newRunner = await inShop({ ...settings, ...more, maintenance_note: "In the cellar" });
    expect(newRunner).toEqual({
      id: newRunner.id,
      token: expect.stringMatching(/^ghrn_/),
      token_expires_at: null,
    });
    const rows = await deps.db.runner.findMany();
    expect(JSON.stringify(rows)).not.toContain(newRunner.token.slice(5, 40));
    const { body } = await read(newRunner.id);
    expect(JSON.stringify(body)).not.toContain("ghrn_");
    expect(body).toEqual({
      ...settings,
      id: newRunner.id,
      is_shared: false,
      runner_type: "project_type",
      name: null,
      online: false,
      status: "not_connected",
      tag_list: ["arm", "linux"],
      access_level: "ref_protected",
      maximum_timeout: 600,
      version: null,
      revision: null,
      platform: null,
      architecture: null,
      contacted_at: null,
      maintenance_note: "In the cellar",
      projects: [
        {
          id: shop.id,
          name: "shop",
          name_with_namespace: "team / inner / shop",
          path: "shop",
          path_with_namespace: "team/inner/shop",
        },
      ],
      groups: [],
    });
  });

  it("a request to API v4 can contain either the parameter `active` or its opposite `paused`, but not both parameters", async () => {
    const json = { runner_type: "project_type", project_id: shop.id };
    const in4 = (more: object) =>
      callApi(userRunners.POST, "POST", { token: olga.token, json: { ...json, ...more } });
    const { body } = await in4({ active: false });
    expect((await read((body as RunnerRow).id)).body).toMatchObject({ paused: true });
    const active = await in4({ active: true });
    expect(active.headers.get("link")).toContain("#v5-runner-active-sent");
    expect((await read((active.body as RunnerRow).id)).body).toMatchObject({ paused: false });
    expect(await in4({ active: true, paused: false })).toMatchObject({
      status: 400,
      body: { error: "active, paused are mutually exclusive" },
    });
    const unknown = await createRunner({ ...json, active: false });
    expect((await read(unknown.id)).body).toMatchObject({ paused: false });
  });

  it("only an administrator, an owner of the group or a maintainer of the project can create a runner", async () => {
    const ofGroup = { runner_type: "group_type", group_id: team.id };
    const ofProject = { runner_type: "project_type", project_id: shop.id };
    const statuses = async (json: object) =>
      Promise.all([root, olga, mia, dev].map(async ({ token }) => (await create(json, token)).status));
    expect(await statuses({ runner_type: "instance_type" })).toEqual([201, 403, 403, 403]);
    expect(await statuses(ofGroup)).toEqual([201, 201, 403, 403]);
    expect(await statuses(ofProject)).toEqual([201, 201, 201, 403]);
    expect((await create({ ...ofProject, project_id: blog.id }, mia.token)).status).toBe(404);
  });

  it.each<[string, object, unknown]>([
    ["no type", {}, { error: "runner_type is missing" }],
    ["an unknown type", { runner_type: "shared" }, { error: "runner_type does not have a valid value" }],
    ["no project", { runner_type: "project_type" }, { error: "project_id is missing" }],
    ["no group", { runner_type: "group_type" }, { error: "group_id is missing" }],
    [
      "both a group and a project",
      { runner_type: "group_type", group_id: 1, project_id: 1 },
      { error: "group_id, project_id are mutually exclusive" },
    ],
    ["a short timeout", { maximum_timeout: 599 }, { message: { maximum_timeout: [expect.any(String)] } }],
    [
      "no tags and no untagged jobs",
      { run_untagged: false },
      { message: { tags_list: [expect.any(String)] } },
    ],
    [
      "too many tags",
      { tag_list: Array.from({ length: 51 }, (_, at) => `t${at}`) },
      { message: { tags_list: [expect.stringContaining("50")] } },
    ],
    [
      "a long note",
      { maintenance_note: "x".repeat(1_025) },
      { message: { maintenance_note: [expect.stringContaining("too long")] } },
    ],
  ])("the API rejects a new runner with invalid input: %s", async (_what, json, expected) => {
    const ofInstance = "message" in (expected as object) ? { runner_type: "instance_type" } : {};
    expect(await create({ ...ofInstance, ...json }, root.token)).toMatchObject({
      status: 400,
      body: expected,
    });
  });
});

describe("the lists of runners", () => {
  it("the list of runners contains the runners that the caller manages or, for an administrator, all runners", async () => {
    const ofProject = (await inShop()).id;
    const ofGroup = (await createRunner({ runner_type: "group_type", group_id: team.id })).id;
    const ofBlog = (await createRunner({ runner_type: "project_type", project_id: blog.id })).id;
    const ofInstance = (await createRunner({ runner_type: "instance_type" }, root.token)).id;
    const newest = "?per_page=100";
    expect(await ids(newest)).toEqual(expect.arrayContaining([ofProject, ofGroup, ofBlog]));
    expect(await ids(newest)).not.toContain(ofInstance);
    const ofMia = await ids(newest, mia.token);
    expect(ofMia).toContain(ofProject);
    expect(ofMia).not.toEqual(expect.arrayContaining([ofGroup]));
    expect(await ids(newest, dev.token)).toEqual([]);
    const all = await callV5(allRunners.GET, "GET", { token: root.token, query: newest });
    expect(idsIn(all.body)).toEqual(expect.arrayContaining([ofProject, ofGroup, ofBlog, ofInstance]));
    expect((await callV5(allRunners.GET, "GET", { token: olga.token })).status).toBe(403);

    const inProject = await callV5(projectRunners.GET, "GET", {
      token: mia.token,
      path: path(shop.id),
      query: newest,
    });
    expect(idsIn(inProject.body)).toEqual(expect.arrayContaining([ofProject, ofGroup, ofInstance]));
    expect(idsIn(inProject.body)).not.toContain(ofBlog);
    const below = await callV5(groupRunners.GET, "GET", {
      token: mia.token,
      path: path(inner.id),
      query: newest,
    });
    expect(idsIn(below.body)).toEqual(expect.arrayContaining([ofGroup, ofInstance]));
    expect(idsIn(below.body)).not.toEqual(expect.arrayContaining([ofProject]));
  });

  it("in API v4, a list without runners has no header Deprecation, unless the request contains a deprecated parameter", async () => {
    await inShop();
    const list = async (query: string) => {
      const { body, headers } = await callApi(runners.GET, "GET", { token: olga.token, query });
      return {
        rows: (body as object[]).length,
        since: headers.get("deprecation"),
        link: headers.get("link"),
      };
    };
    const { rows, ...full } = await list("");
    expect(rows).toBeGreaterThan(0);
    expect(full).toEqual({ since: expect.any(String), link: expect.stringContaining("#v5-runner-active") });
    const empty = await list("?tag_list=absent");
    expect(empty).toEqual({ rows: 0, since: null, link: expect.not.stringContaining("deprecation") });
    const filtered = await list("?tag_list=absent&status=paused");
    expect(filtered).toMatchObject({ rows: 0, since: expect.any(String) });
    expect(filtered.link).toContain("#v5-runner-status-sent");
    expect(filtered.link).not.toContain("#v5-runner-active");
  });

  it("the list of runners can be filtered by the parameters type, status, paused, tag_list and version_prefix, and is returned in pages", async () => {
    const owner = { runner_type: "project_type", project_id: blog.id };
    const old = await createRunner({ ...owner, tag_list: ["a", "b"] });
    await requestJob(old.token, { version: "16.9.1" });
    deps.advance(2 * 3_600);
    const now = await createRunner({ ...owner, tag_list: ["a"], paused: true });
    await requestJob(now.token, { version: "17.1.0" });
    const never = await createRunner({ ...owner, tag_list: ["b"] });
    const idsFor = async (query: string) =>
      idsIn(
        (
          await callV5(projectRunners.GET, "GET", {
            token: olga.token,
            path: path(blog.id),
            query: `?type=project_type&per_page=100&${query}`,
          })
        ).body,
      ).filter((id) => id >= old.id);
    expect(await idsFor("")).toEqual([old.id, now.id, never.id]);
    expect(await idsFor("status=online")).toEqual([now.id]);
    expect(await idsFor("status=offline")).toEqual([old.id]);
    expect(await idsFor("status=not_connected")).toEqual([never.id]);
    expect(await idsFor("paused=true")).toEqual([now.id]);
    expect(await idsFor("paused=false")).toEqual([old.id, never.id]);
    expect(await idsFor("tag_list=a")).toEqual([old.id, now.id]);
    expect(await idsFor("tag_list=b,a")).toEqual([old.id]);
    expect(await idsFor("version_prefix=17")).toEqual([now.id]);
    expect(await idsFor("version_prefix=16.9")).toEqual([old.id]);
    expect(await idsFor("scope=active")).toEqual([old.id, never.id]);
    expect(await idsFor("scope=paused&status=online")).toEqual([now.id]);
    expect(await idsFor("scope=online")).toEqual([now.id]);
    expect(await idsFor("scope=offline")).toEqual([old.id]);
    expect(await ids(`?type=project_type&tag_list=a&per_page=1&page=2`)).toEqual([now.id]);
    const page = await callV5(runners.GET, "GET", {
      token: olga.token,
      query: `?tag_list=a&per_page=1`,
      pathname: "/api/v4/runners",
    });
    expect(page.headers.get("x-total")).toBe("2");
    expect(page.headers.get("link")).toContain("page=2");
    const refused = ["status=paused", "type=shared", "paused=x", "version_prefix=%25", "scope=shared"];
    for (const query of [...refused, "scope=x", "scope=active&paused=true", "scope=online&status=offline"])
      expect((await callV5(runners.GET, "GET", { token: olga.token, query: `?${query}` })).status).toBe(400);
    const in4 = (query: string) => callApi(runners.GET, "GET", { token: olga.token, query });
    for (const query of ["?status=paused&paused=false", "?status=active&active=false"])
      expect(await in4(query)).toMatchObject({
        status: 400,
        body: { error: "status, paused are mutually exclusive" },
      });
    expect((await in4("?status=paused&paused=true")).body).toEqual((await in4("?active=false")).body);
  });

  it(
    conformance(
      "SC-24",
      "in API v5, each list of runners refuses the filter `active`, which only API v4 has",
    ),
    async () => {
      const query = "?active=true";
      for (const [route, of] of [
        [runners, {}],
        [allRunners, {}],
        [projectRunners, { id: `${shop.id}` }],
        [groupRunners, { id: `${team.id}` }],
      ] as const) {
        expect(await callV5(route.GET, "GET", { token: root.token, query, path: of })).toMatchObject({
          status: 400,
          body: { error: "active is not supported" },
        });
        expect((await callApi(route.GET, "GET", { token: root.token, query, path: of })).status).toBe(200);
      }
    },
  );

  it("the older parameter `scope` restricts the list of runners to instance runners, or to runners of groups and projects", async () => {
    const kinds = async (scope: string) => {
      const query = `?scope=${scope}&per_page=100`;
      const { body } = await callV5(allRunners.GET, "GET", { token: root.token, query });
      return new Set((body as readonly RunnerRow[]).map((newRunner) => newRunner["runner_type"]));
    };
    await createRunner({ runner_type: "instance_type" }, root.token);
    await createRunner({ runner_type: "group_type", group_id: team.id });
    await inShop();
    expect(await kinds("shared")).toEqual(new Set(["instance_type"]));
    expect(await kinds("specific")).toEqual(new Set(["group_type", "project_type"]));
    const query = "?scope=shared&type=group_type";
    expect((await callV5(allRunners.GET, "GET", { token: root.token, query })).status).toBe(400);
  });
});

describe("a runner at /runners/:id", () => {
  it("only the managers of a group or a project can see its runners, and only users who may create such runners can change them", async () => {
    const ofGroup = (await createRunner({ runner_type: "group_type", group_id: team.id })).id;
    const ofInstance = (await createRunner({ runner_type: "instance_type" }, root.token)).id;
    const ofProject = (await inShop()).id;
    const users = [root, olga, mia, dev];
    const each = async (call: (token: string) => Promise<{ status: number }>) =>
      Promise.all(users.map(async ({ token }) => (await call(token)).status));
    expect(await each((token) => read(ofGroup, token))).toEqual([200, 200, 200, 403]);
    expect(await each((token) => read(ofInstance, token))).toEqual([200, 200, 200, 200]);
    expect(await each((token) => read(ofProject, token))).toEqual([200, 200, 200, 403]);
    const pause = (id: number) => (token: string) => change(id, { paused: true }, token);
    expect(await each(pause(ofGroup))).toEqual([200, 200, 403, 403]);
    expect(await each(pause(ofInstance))).toEqual([200, 403, 403, 403]);
    expect(await each(pause(ofProject))).toEqual([200, 200, 200, 403]);
    expect((await read(ofProject, dev.token)).body).toEqual({ message: "403 Forbidden - No access granted" });
    expect((await read(999_999)).body).toEqual({ message: "404 Runner Not Found" });
    expect((await read(ofGroup, mia.token)).body).toMatchObject({
      groups: [{ id: team.id, name: "team", web_url: "http://localhost:3000/groups/team" }],
    });
  });

  it("a request that changes a runner does not change settings that the request does not contain", async () => {
    const { id } = await inShop({ description: "One", tag_list: ["a"], maximum_timeout: 900 });
    expect(await change(id, { run_untagged: "false", description: "" })).toMatchObject({
      status: 200,
      body: { description: "", run_untagged: false, tag_list: ["a"], maximum_timeout: 900, paused: false },
    });
    expect((await change(id, { tag_list: [] })).body).toEqual({
      message: { tags_list: [expect.stringContaining("can not be empty")] },
    });
    expect((await change(id, { tag_list: "b,c", maximum_timeout: null })).body).toMatchObject({
      tag_list: ["b", "c"],
      maximum_timeout: null,
    });
    expect(await change(id, { unknown: 1 })).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/^description, paused, .* at least one parameter must be provided$/),
      },
    });
  });

  it("only an administrator can delete a runner of several projects, and the deletion makes the token of the runner invalid", async () => {
    const newRunner = await inShop();
    const assign = (project: number, runner_id: number, token = olga.token) =>
      callV5(projectRunners.POST, "POST", { token, path: path(project), json: { runner_id } });
    const unassign = (project: number, id: number, token = olga.token) =>
      callV5(projectRunner.DELETE, "DELETE", { token, path: { id: `${project}`, runner_id: `${id}` } });
    const refused = (reason: string) => ({ status: 403, body: { message: `403 Forbidden - ${reason}` } });
    expect(await assign(blog.id, newRunner.id)).toMatchObject({
      status: 201,
      body: { id: newRunner.id, paused: false },
    });
    expect((await assign(blog.id, newRunner.id)).status).toBe(400);
    expect((await assign(blog.id, 999_999)).body).toEqual({ message: "404 Runner Not Found" });
    expect(await remove(newRunner.id)).toMatchObject(refused("Runner associated with more than one project"));
    // A maintainer of one project of the runner cannot see the other projects of the runner.
    expect((await read(newRunner.id, mia.token)).body).toMatchObject({ projects: [{ id: shop.id }] });
    expect((await unassign(blog.id, newRunner.id)).status).toBe(204);
    expect((await unassign(blog.id, newRunner.id)).body).toEqual({ message: "404 Runner Not Found" });
    expect(await unassign(shop.id, newRunner.id)).toMatchObject(
      refused("Only one project associated with the runner. Please remove the runner instead"),
    );
    await change(newRunner.id, { locked: true });
    expect(await assign(blog.id, newRunner.id)).toMatchObject(refused("Runner is locked"));
    expect((await assign(blog.id, newRunner.id, root.token)).status).toBe(201);
    expect((await remove(newRunner.id, root.token)).status).toBe(204);
    expect((await requestJob(newRunner.token)).status).toBe(403);

    const ofGroup = await createRunner({ runner_type: "group_type", group_id: team.id });
    expect(await assign(blog.id, ofGroup.id)).toMatchObject(refused("Runner is a group runner"));
    const ofInstance = await createRunner({ runner_type: "instance_type" }, root.token);
    expect(await assign(blog.id, ofInstance.id)).toMatchObject(refused("Runner is an instance runner"));
    const nina = await projectOf(deps, mia.user, `mine`);
    const ofBlog = await createRunner({ runner_type: "project_type", project_id: blog.id });
    expect(await assign(nina.id, ofBlog.id, mia.token)).toMatchObject(refused("No access granted"));
  });

  it("when concurrent requests remove a runner from all of its projects, the runner stays assigned to one project", async () => {
    const { id } = await inShop();
    await callV5(projectRunners.POST, "POST", {
      token: olga.token,
      path: path(blog.id),
      json: { runner_id: id },
    });
    const responses = await Promise.all(
      [shop, blog].map((project) =>
        callV5(projectRunner.DELETE, "DELETE", {
          token: olga.token,
          path: { id: `${project.id}`, runner_id: `${id}` },
        }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 403]);
  });

  it("a reset replaces the token of a runner, and the audit log records the reset", async () => {
    const newRunner = await inShop();
    const response = await callV5(reset.POST, "POST", { token: mia.token, path: path(newRunner.id) });
    expect(response).toMatchObject({ status: 201, body: { token_expires_at: null } });
    expect((await requestJob(newRunner.token)).status).toBe(403);
    expect((await requestJob((response.body as RunnerRow).token)).status).toBe(204);
    expect((await callV5(reset.POST, "POST", { token: dev.token, path: path(newRunner.id) })).status).toBe(
      403,
    );
    const events = await deps.db.auditEvent.findMany({
      where: { name: { startsWith: "runner." } },
      orderBy: { id: "asc" },
    });
    const ofThis = events.filter(({ details }) => details.includes(`"id":${newRunner.id},`));
    expect(ofThis.map(({ name, userId }) => [name, userId])).toEqual([
      ["runner.created", olga.user.id],
      ["runner.token_reset", mia.user.id],
    ]);
    expect(JSON.stringify(events)).not.toContain("ghrn_");
  });

  it("a group runner is deleted with the group, but a project runner stays visible to administrators when the project is deleted", async () => {
    const group = await groupOf(deps, olga.user, "passing");
    const project = await projectOf(deps, olga.user, "passing");
    const ofGroup = await createRunner({ runner_type: "group_type", group_id: group.id });
    const ofProject = await createRunner({ runner_type: "project_type", project_id: project.id });
    await deps.db.group.delete({ where: { id: group.id } });
    await deps.db.project.delete({ where: { id: project.id } });
    expect((await read(ofGroup.id, root.token)).status).toBe(404);
    expect((await read(ofProject.id)).status).toBe(403);
    expect((await read(ofProject.id, root.token)).body).toMatchObject({ projects: [] });
  });
});
