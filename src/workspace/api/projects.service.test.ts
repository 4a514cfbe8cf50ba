import * as groupProjects from "@app/api/v4/groups/[id]/projects/route.ts";
import * as group from "@app/api/v4/groups/[id]/route.ts";
import * as subgroups from "@app/api/v4/groups/[id]/subgroups/route.ts";
import * as groups from "@app/api/v4/groups/route.ts";
import * as project from "@app/api/v4/projects/[id]/route.ts";
import * as projects from "@app/api/v4/projects/route.ts";
import { describe, expect, it } from "vitest";
import * as users from "@/identity/users/service.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { type ApiRequest, apiUser, callApi } from "@/testing/api.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { GIT } from "@/testing/repository.ts";
import { createGroup } from "@/workspace/groups/service.ts";

const deps = await openTestDeps();
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");
const root = await apiUser(deps, "root", { admin: true });

const create = (params: ApiRequest) => callApi(projects.POST, "POST", { token: ann.token, ...params });
const read = (id: string | number, token?: string) =>
  callApi(project.GET, "GET", { token, path: { id: String(id) } });
const list = (query: string, token?: string) =>
  callApi(projects.GET, "GET", { query, token, pathname: "/api/v4/projects" });

const field = (body: unknown, name: string) =>
  (body as readonly Record<string, unknown>[]).map((row) => row[name]);

describe("the projects API", () => {
  it("the projects API creates a private project in the personal namespace of the caller by default", async () => {
    const { status, body } = await create({ json: { name: "My Shop", description: "Sells things" } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "My Shop",
      path: "my-shop",
      path_with_namespace: "ann/my-shop",
      name_with_namespace: "ann / My Shop",
      description: "Sells things",
      visibility: "private",
      web_url: "http://localhost:3000/ann/my-shop",
      http_url_to_repo: "http://localhost:3000/ann/my-shop.git",
      namespace: { kind: "user", full_path: "ann", id: 1_000_000_000 + ann.user.id },
      creator_id: ann.user.id,
      permissions: { project_access: { access_level: 50 }, group_access: null },
    });
  });

  it(
    "the projects API initializes the repository with a README if the request contains initialize_with_readme",
    GIT,
    async () => {
      const begun = await create({ json: { name: "Begun", initialize_with_readme: true } });
      expect(begun).toMatchObject({ status: 201, body: { default_branch: "main" } });
      const empty = await create({ form: "name=Empty&initialize_with_readme=false" });
      expect(empty).toMatchObject({ status: 201, body: { default_branch: null } });
      expect((await create({ json: { name: "x", initialize_with_readme: "maybe" } })).status).toBe(400);
    },
  );

  it.each<[string, ApiRequest, unknown]>([
    ["without a name", { json: {} }, { error: expect.stringMatching(/name, path are missing/) }],
    [
      "with an empty name",
      { form: "name=" },
      { message: { name: ["can't be blank"], path: ["can't be blank"] } },
    ],
    [
      "with a hidden character",
      { json: { name: "a\u202eb", path: "ab" } },
      { message: { name: ["must not contain invisible or control characters"] } },
    ],
    ["with a path that contains ..", { json: { path: "../x" } }, { message: { path: [expect.any(String)] } }],
    [
      "with a path that ends in .git",
      { json: { path: "x.git" } },
      { message: { path: [expect.any(String)] } },
    ],
    [
      "with an unknown visibility",
      { json: { name: "x", visibility: "secret" } },
      { error: "visibility does not have a valid value" },
    ],
    [
      "in an unknown group",
      { json: { name: "x", namespace_id: 4711 } },
      { message: "404 Namespace Not Found" },
    ],
  ])("the projects API does not create a project %s", async (_what, params, body) => {
    const response = await create(params);
    expect(response.body).toEqual(body);
    expect([400, 404]).toContain(response.status);
  });

  it("the projects API rejects a path that is already in use, regardless of letter case, even if two requests arrive simultaneously", async () => {
    const responses = await Promise.all([
      create({ json: { path: "once" } }),
      create({ json: { path: "Once" } }),
      create({ json: { path: "ONCE" } }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const refused = responses.find(({ status }) => status === 400);
    expect(refused?.body).toEqual({ message: { path: ["has already been taken"] } });
  });

  it("GET /projects/:id finds a project by id and by full path, and responds with 404 to callers who cannot see the project", async () => {
    const { id, fullPath } = await projectOf(deps, ann.user, "hidden");
    for (const reference of [id, fullPath, fullPath.toUpperCase()])
      expect((await read(reference, ann.token)).status).toBe(200);
    const absent = { status: 404, body: { message: "404 Project Not Found" } };
    for (const [reference, token] of [
      [id, bob.token],
      [id, undefined],
      [fullPath, bob.token],
      ["hidden", ann.token],
      [999_999, ann.token],
      ["99999999999999", ann.token],
      ["ann/nothing", ann.token],
      ["", ann.token],
    ] as const) {
      const { status, body } = await read(reference, token);
      expect({ reference, status, body }).toEqual({ reference, ...absent });
    }
    expect((await read(id, root.token)).body).toMatchObject({
      permissions: { project_access: { access_level: 50 } },
    });
  });

  it("the projects API shows projects to other users according to the visibility of the projects, but does not let these users edit the projects", async () => {
    const internal = await projectOf(deps, ann.user, "internal", { visibility: "internal" });
    const open = await projectOf(deps, ann.user, "open", { visibility: "public" });
    expect((await read(internal.id)).status).toBe(404);
    expect((await read(internal.id, bob.token)).status).toBe(200);
    expect((await read(open.id)).body).toMatchObject({ permissions: { project_access: null } });
    const path = { id: String(open.id) };
    for (const [method, route] of [
      ["PUT", project.PUT],
      ["DELETE", project.DELETE],
    ] as const) {
      const response = await callApi(route, method, { token: bob.token, path, json: { name: "x" } });
      expect(response).toMatchObject({ status: 403, body: { message: "403 Forbidden" } });
      expect((await callApi(route, method, { path })).status).toBe(401);
    }
  });

  it("the projects API can edit single fields of a project, and deletes a project together with its members", async () => {
    const { id } = await projectOf(deps, ann.user, "changing");
    const path = { id: String(id) };
    const change = (json: object) => callApi(project.PUT, "PUT", { token: ann.token, path, json });
    expect(await change({})).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/at least one/) },
    });
    expect(await change({ visibility: "public" })).toMatchObject({
      status: 200,
      body: { visibility: "public" },
    });
    expect(await change({ name: "New", description: null })).toMatchObject({
      body: { name: "New", path: "changing", description: null, visibility: "public" },
    });
    const removed = await callApi(project.DELETE, "DELETE", { token: ann.token, path });
    expect(removed).toMatchObject({ status: 202, body: { message: "202 Accepted" } });
    expect((await read(id, ann.token)).status).toBe(404);
    expect(await deps.db.projectMember.count({ where: { projectId: id } })).toBe(0);
  });

  it(
    conformance(
      "SC-43",
      "the projects API responds with 202 to one of several simultaneous deletions and with 404 to the others",
    ),
    async () => {
      const errors: unknown[] = [];
      const log = { ...deps.log, error: (line: unknown) => errors.push(line) };
      provideDeps({ ...deps, log } as typeof deps);
      try {
        const { id } = await projectOf(deps, ann.user, "doomed");
        const doomed = await groupOf(deps, ann.user, "doomed-group");
        const remove = (route: typeof project.DELETE, of: number) =>
          callApi(route, "DELETE", { token: ann.token, path: { id: String(of) } });
        for (const [route, of] of [
          [project.DELETE, id],
          [group.DELETE, doomed.id],
        ] as const) {
          const responses = await Promise.all(Array.from({ length: 8 }, () => remove(route, of)));
          expect(responses.map(({ status }) => status).toSorted()).toEqual([202, ...Array(7).fill(404)]);
        }
        for (const name of ["project.removed", "group.removed"])
          expect(await deps.db.auditEvent.count({ where: { name, details: { contains: "doomed" } } })).toBe(
            1,
          );
        expect(errors).toEqual([]);
      } finally {
        provideDeps(deps);
      }
    },
  );
});

describe("the list of projects", () => {
  it("the list of projects contains the projects that the caller can see, newest first, with pagination headers", async () => {
    const carl = await apiUser(deps, "carl");
    const team = await groupOf(deps, carl.user, "team", { visibility: "private" });
    for (const path of ["one", "two", "three"]) await projectOf(deps, carl.user, path, { group: team });
    const mine = await list("?membership=true&per_page=2", carl.token);
    expect(field(mine.body, "path")).toEqual(["three", "two"]);
    expect(mine.headers.get("x-total")).toBe("3");
    expect(mine.headers.get("x-next-page")).toBe("2");
    const url = "http://localhost:3000/api/v4/projects?membership=true&per_page=2";
    expect(mine.headers.get("link")).toBe(
      `<${url}&page=2>; rel="next", <${url}&page=1>; rel="first", <${url}&page=2>; rel="last"`,
    );
    expect(field((await list("?search=TWO", carl.token)).body, "path")).toEqual(["two"]);
    expect(field((await list("?search=team", bob.token)).body, "path")).toEqual([]);
    expect(field((await list("?search=team", root.token)).body, "path")).toHaveLength(3);
    expect(field((await list("?membership=true&order_by=name&sort=asc", carl.token)).body, "path")).toEqual([
      "one",
      "three",
      "two",
    ]);
  });

  it("the list of projects supports keyset pagination, without a total in the headers", async () => {
    const dora = await apiUser(deps, "dora");
    for (const path of ["a", "b", "c", "d", "e"]) await projectOf(deps, dora.user, path);
    const listedPaths: unknown[] = [];
    let query = "?pagination=keyset&membership=true&per_page=2&order_by=id";
    for (let pages = 0; query !== "" && pages < 5; pages += 1) {
      const part = await list(query, dora.token);
      expect(part.headers.get("x-total")).toBeNull();
      listedPaths.push(...field(part.body, "path"));
      const next = /<([^>]+)>; rel="next"/.exec(part.headers.get("link") ?? "")?.[1];
      query = next === undefined ? "" : new URL(next).search;
    }
    expect(listedPaths).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("the list of projects never contains the token of the caller in the links to other pages", async () => {
    const { headers } = await callApi(projects.GET, "GET", {
      query: `?private_token=${ann.token}&per_page=1`,
      pathname: "/api/v4/projects",
    });
    expect(headers.get("link")).toContain("per_page=1");
    expect(headers.get("link")).not.toContain(ann.token);
  });

  it.each<[string, number, string]>([
    ["?per_page=0", 400, "per_page does not have a valid value"],
    ["?per_page=-1", 400, "per_page does not have a valid value"],
    ["?page=x", 400, "page is invalid"],
    ["?page=0", 400, "page does not have a valid value"],
    ["?page=100000000", 405, "Offset pagination has a maximum allowed offset"],
    ["?pagination=keyset&cursor=x", 400, "cursor is invalid"],
    [
      "?pagination=keyset&order_by=name",
      405,
      "Keyset pagination is not yet available for this type of request",
    ],
    ["?order_by=password", 400, "order_by does not have a valid value"],
    ["?min_access_level=11", 400, "min_access_level does not have a valid value"],
  ])("the list of projects rejects the query %s", async (query, status, error) => {
    const response = await list(query, ann.token);
    expect(response).toMatchObject({ status, body: { error: expect.stringContaining(error) } });
  });

  it("the list of projects limits per_page to 100", async () => {
    expect((await list("?per_page=1000", ann.token)).headers.get("x-per-page")).toBe("100");
  });
});

describe("groups in the API", () => {
  it("groups contain subgroups, and projects in a subgroup inherit the members of the parent group", async () => {
    const eve = await apiUser(deps, "eve");
    const above = await groupOf(deps, ann.user, "above", { visibility: "private" });
    const below = await groupOf(deps, ann.user, "below", { visibility: "private", parent: above });
    const deep = await projectOf(deps, ann.user, "deep", { group: below });
    expect(deep.fullPath).toBe("above/below/deep");
    expect((await read(deep.id, eve.token)).status).toBe(404);
    await memberOf(deps, above, eve.user, "reporter");
    expect((await read(deep.id, eve.token)).body).toMatchObject({
      permissions: { project_access: { access_level: 20 } },
      namespace: { kind: "group", full_path: "above/below", parent_id: above.id },
    });
    const part = { token: eve.token, path: { id: "above" } };
    expect(field((await callApi(subgroups.GET, "GET", part)).body, "full_path")).toEqual(["above/below"]);
    const inGroup = (query: string) => callApi(groupProjects.GET, "GET", { ...part, query });
    expect(field((await inGroup("")).body, "path")).toEqual([]);
    expect(field((await inGroup("?include_subgroups=true")).body, "path")).toEqual(["deep"]);
  });

  it("groups are listed in the requested order with keyset pagination", async () => {
    const hal = await apiUser(deps, "hal");
    for (const path of ["k1", "k2", "k3"]) await groupOf(deps, hal.user, path, { visibility: "private" });
    for (const [sort, expected] of [
      ["", ["k3", "k2", "k1"]],
      ["&sort=asc", ["k1", "k2", "k3"]],
      ["&sort=desc", ["k3", "k2", "k1"]],
    ] as const) {
      const listedPaths: unknown[] = [];
      let query = `?pagination=keyset&per_page=1&owned=true${sort}`;
      for (let parts = 0; query !== "" && parts < 5; parts += 1) {
        const part = await callApi(groups.GET, "GET", {
          token: hal.token,
          query,
          pathname: "/api/v4/groups",
        });
        listedPaths.push(...field(part.body, "path"));
        const next = /<([^>]+)>; rel="next"/.exec(part.headers.get("link") ?? "")?.[1];
        query = next === undefined ? "" : new URL(next).search;
      }
      expect(listedPaths).toEqual(expected);
    }
  });

  it("name_with_namespace contains the full name of a nested group, also in a list", async () => {
    const parent = await groupOf(deps, ann.user, "nesting", { visibility: "private" });
    const created = await createGroup(deps, ann.user, { name: "Inner Group", path: "inner" }, parent);
    if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
    const namespace_id = created.group.id;
    const leaf = await create({ json: { name: "Leaf", namespace_id } });
    const name_with_namespace = "nesting / Inner Group / Leaf";
    expect(leaf).toMatchObject({ status: 201, body: { name_with_namespace } });
    const request = { token: ann.token, path: { id: String(namespace_id) } };
    expect(await callApi(group.GET, "GET", request)).toMatchObject({
      body: { full_name: "nesting / Inner Group" },
    });
    expect(await callApi(groupProjects.GET, "GET", request)).toMatchObject({
      body: [{ name_with_namespace }],
    });
  });

  it("a group is visible to the members of one of its projects, but the other projects of the group are hidden from these members", async () => {
    const fay = await apiUser(deps, "fay");
    const top = await groupOf(deps, ann.user, "top", { visibility: "private" });
    const [hers, other] = [
      await projectOf(deps, ann.user, "hers", { group: top }),
      await projectOf(deps, ann.user, "other", { group: top }),
    ];
    await memberOf(deps, hers, fay.user, "guest");
    const part = { token: fay.token, path: { id: String(top.id) } };
    expect((await callApi(group.GET, "GET", part)).status).toBe(200);
    expect(field((await callApi(groupProjects.GET, "GET", part)).body, "path")).toEqual(["hers"]);
    expect((await read(other.id, fay.token)).status).toBe(404);
    expect(
      field((await callApi(groups.GET, "GET", { token: fay.token, query: "?search=top" })).body, "path"),
    ).toEqual(["top"]);
  });

  it("groups and their projects are hidden from members whose memberships have expired", async () => {
    const gus = await apiUser(deps, "gus");
    const closed = await projectOf(deps, ann.user, "closing");
    await memberOf(deps, closed, gus.user, "developer", new Date("2026-11-22T00:00:00Z"));
    expect((await read(closed.id, gus.token)).status).toBe(200);
    deps.advance(12 * 3_600);
    expect((await read(closed.id, gus.token)).status).toBe(404);
    expect(field((await list("?membership=true", gus.token)).body, "id")).toEqual([]);
    deps.advance(-12 * 3_600);
  });

  it("a group cannot have a path that is a username, and a user cannot have a username that is the path of a group", async () => {
    const taken = { path: ["has already been taken"] };
    expect(await createGroup(deps, ann.user, { name: "Bob", path: "Bob" })).toEqual({ problems: taken });
    await groupOf(deps, ann.user, "named");
    const user = { username: "Named", email: "named@example.com", password: PASSWORD };
    expect(await users.create(deps, user)).toMatchObject({ problems: { username: "is already taken" } });
    expect(await createGroup(deps, ann.user, { name: "x", path: "admin" })).toEqual({
      problems: { path: ["is a reserved name"] },
    });
  });

  it("groups cannot have a lower visibility than their projects and subgroups", async () => {
    const closed = await groupOf(deps, ann.user, "closed", { visibility: "private" });
    const inside = await create({ json: { path: "in", namespace_id: closed.id, visibility: "public" } });
    expect(inside.body).toEqual({
      message: { visibility_level: ["public is not allowed in a private group."] },
    });
    const wide = await groupOf(deps, ann.user, "wide", { visibility: "public" });
    await projectOf(deps, ann.user, "open", { group: wide, visibility: "public" });
    const narrowed = await callApi(group.PUT, "PUT", {
      token: ann.token,
      path: { id: "wide" },
      json: { visibility: "private" },
    });
    expect(narrowed.body).toMatchObject({
      message: { visibility_level: [expect.stringContaining("contains")] },
    });
  });

  it("groups can be deleted only by owners, together with all subgroups and projects", async () => {
    const doomed = await groupOf(deps, ann.user, "doomed");
    const nested = await groupOf(deps, ann.user, "nested", { parent: doomed });
    const { id } = await projectOf(deps, ann.user, "lost", { group: nested });
    await memberOf(deps, doomed, bob.user, "maintainer");
    const remove = (token: string) => callApi(group.DELETE, "DELETE", { token, path: { id: "doomed" } });
    expect((await remove(bob.token)).status).toBe(403);
    expect((await remove(ann.token)).status).toBe(202);
    expect((await read(id, ann.token)).status).toBe(404);
    expect(await deps.db.group.count({ where: { id: { in: [doomed.id, nested.id] } } })).toBe(0);
  });
});
