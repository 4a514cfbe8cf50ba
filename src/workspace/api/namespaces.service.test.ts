import * as existsRoute from "@app/api/v4/namespaces/[id]/exists/route.ts";
import * as oneRoute from "@app/api/v4/namespaces/[id]/route.ts";
import * as listRoute from "@app/api/v4/namespaces/route.ts";
import * as projectsRoute from "@app/api/v4/projects/route.ts";
import { describe, expect, it } from "vitest";
import { apiUser, callApi } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");
const team = await groupOf(deps, ann.user, "team", { visibility: "private" });
const inner = await groupOf(deps, ann.user, "inner", { visibility: "private", parent: team });
const open = await groupOf(deps, root.user, "open");
await memberOf(deps, team, bob.user, "developer");

const OWN = 1_000_000_000;
const list = (token: string, query = "", url = "/api/v4/namespaces") =>
  callApi(listRoute.GET, "GET", { token, query, pathname: url });
const paths = (body: unknown) => (body as { full_path: string }[]).map(({ full_path }) => full_path);
const readNamespaceOf = (token: string, id: number | string) =>
  callApi(oneRoute.GET, "GET", { token, path: { id: `${id}` } });
const NOT_FOUND = { status: 404, body: { message: "404 Namespace Not Found" } };

describe("GET /namespaces", () => {
  it(
    conformance(
      "SC-27",
      "GET /namespaces lists the groups of the caller and the personal namespace of the caller, in v4 and v5",
    ),
    async () => {
      for (const version of ["v4", "v5"]) {
        const { status, headers, body } = await list(bob.token, "", `/api/${version}/namespaces`);
        expect(status).toBe(200);
        expect(headers.get("x-total")).toBe("3");
        expect(body).toEqual([
          {
            ...{ id: team.id, name: "team", path: "team", kind: "group", full_path: "team", parent_id: null },
            ...{ avatar_url: null, web_url: "http://localhost:3000/groups/team" },
          },
          expect.objectContaining({ id: inner.id, full_path: "team/inner", parent_id: team.id }),
          {
            ...{ id: OWN + bob.user.id, name: "bob", path: "bob", kind: "user", full_path: "bob" },
            ...{ parent_id: null, avatar_url: null, web_url: "http://localhost:3000/bob" },
          },
        ]);
      }
      expect((await callApi(listRoute.GET, "GET")).status).toBe(401);
    },
  );

  it(conformance("SC-27", "GET /namespaces filters namespaces by search, ownership and level"), async () => {
    expect(paths((await list(bob.token, "?owned_only=true")).body)).toEqual(["bob"]);
    expect(paths((await list(ann.token, "?owned_only=true")).body)).toEqual(["team", "team/inner", "ann"]);
    expect(paths((await list(bob.token, "?search=INN")).body)).toEqual(["team/inner"]);
    expect(paths((await list(bob.token, "?search=bo")).body)).toEqual(["bob"]);
    expect(paths((await list(bob.token, "?top_level_only=true")).body)).toEqual(["team", "bob"]);
    expect(await list(bob.token, "?requested_hosted_plan=gold")).toMatchObject({ status: 400 });
  });

  it(
    conformance(
      "SC-27",
      "GET /namespaces lists every namespace exactly once for an administrator, with any page size",
    ),
    async () => {
      const all = ["team", "team/inner", "open", "root", "ann", "bob"];
      expect(paths((await list(root.token)).body)).toEqual(all);
      for (const perPage of [1, 2, 4, 5]) {
        const listedPaths: string[] = [];
        for (let page = 1; ; page += 1) {
          const { headers, body } = await list(root.token, `?per_page=${perPage}&page=${page}`);
          expect(headers.get("x-total")).toBe("6");
          listedPaths.push(...paths(body));
          if (headers.get("x-next-page") === "") break;
        }
        expect(listedPaths).toEqual(all);
      }
      expect((await list(root.token, "?per_page=4&page=9")).body).toEqual([]);
      expect((await list(root.token, "?pagination=keyset")).status).toBe(405);
    },
  );
});

describe("GET /namespaces/:id", () => {
  it(
    conformance(
      "SC-27",
      "GET /namespaces/:id finds a namespace by id and by full path, with the same response for hidden and unknown namespaces",
    ),
    async () => {
      for (const id of [inner.id, "team/inner", "Team/Inner"])
        expect(await readNamespaceOf(bob.token, id)).toMatchObject({
          status: 200,
          body: { id: inner.id, kind: "group" },
        });
      expect((await readNamespaceOf(bob.token, open.id)).body).toMatchObject({ full_path: "open" });
      for (const id of ["bob", "BOB", OWN + bob.user.id])
        expect(await readNamespaceOf(bob.token, id)).toMatchObject({
          status: 200,
          body: { kind: "user", full_path: "bob" },
        });
      const carl = await apiUser(deps, "carl");
      for (const id of [
        inner.id,
        "team/inner",
        "team",
        "ann",
        OWN + ann.user.id,
        "nobody",
        9_999,
        "bob@example.com",
        OWN,
      ])
        expect([id, await readNamespaceOf(carl.token, id)]).toMatchObject([id, NOT_FOUND]);
      expect((await readNamespaceOf(root.token, "ann")).body).toMatchObject({ id: OWN + ann.user.id });
      await deps.db.user.delete({ where: { id: carl.user.id } });
    },
  );

  it(
    conformance(
      "SC-27",
      "GET /namespaces/:id returns an id that no other namespace has, and that can be used to create a project",
    ),
    async () => {
      const create = (token: string, namespace_id: number) =>
        callApi(projectsRoute.POST, "POST", { token, json: { name: `in-${namespace_id}`, namespace_id } });
      const created = await create(bob.token, OWN + bob.user.id);
      expect(created).toMatchObject({
        status: 201,
        body: { namespace: { id: OWN + bob.user.id, kind: "user" } },
      });
      expect((await create(bob.token, team.id)).body).toMatchObject({
        namespace: { id: team.id, kind: "group" },
      });
      for (const namespace_id of [OWN + ann.user.id, OWN])
        expect(await create(bob.token, namespace_id)).toMatchObject(NOT_FOUND);
      const project = await projectOf(deps, ann.user, "mine");
      expect(project.namespace).toMatchObject({ kind: "user", id: ann.user.id });
    },
  );
});

describe("GET /namespaces/:id/exists", () => {
  const exists = async (token: string, id: string, query = "") =>
    (await callApi(existsRoute.GET, "GET", { token, path: { id }, query })).body;

  it(
    conformance(
      "SC-27",
      "GET /namespaces/:id/exists returns whether a path is in use, and suggests an available path",
    ),
    async () => {
      await groupOf(deps, ann.user, "team1", { visibility: "private" });
      expect(await exists(bob.token, "Team")).toEqual({ exists: true, suggests: ["Team2"] });
      expect(await exists(bob.token, "ann")).toEqual({ exists: true, suggests: ["ann1"] });
      expect(await exists(bob.token, "free")).toEqual({ exists: false, suggests: [] });
      expect(await exists(bob.token, "inner")).toEqual({ exists: false, suggests: [] });
      expect(await exists(bob.token, "inner", `?parent_id=${team.id}`)).toEqual({
        exists: true,
        suggests: ["inner1"],
      });
      const closed = await groupOf(deps, root.user, "closed", { visibility: "private" });
      await groupOf(deps, root.user, "hidden", { visibility: "private", parent: closed });
      expect(await exists(bob.token, "hidden", `?parent_id=${closed.id}`)).toEqual({
        exists: false,
        suggests: [],
      });
    },
  );
});
