import { POST as postEvents } from "@app/-/registry/notifications/route.ts";
import { GET as listInGroup } from "@app/api/v4/groups/[id]/registry/repositories/route.ts";
import { DELETE as removeImages } from "@app/api/v4/projects/[id]/registry/repositories/[repository_id]/route.ts";
import {
  GET as readTag,
  DELETE as removeTag,
} from "@app/api/v4/projects/[id]/registry/repositories/[repository_id]/tags/[tag_name]/route.ts";
import {
  GET as listTags,
  DELETE as removeTags,
} from "@app/api/v4/projects/[id]/registry/repositories/[repository_id]/tags/route.ts";
import { GET as listImages } from "@app/api/v4/projects/[id]/registry/repositories/route.ts";
import { GET as readImages } from "@app/api/v4/registry/repositories/[id]/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { type ApiResponse, callApi, tokenWith } from "@/testing/api.ts";
import { projectOf } from "@/testing/projects.ts";
import { DOCKER_MANIFEST, NOTIFICATION_TOKEN } from "@/testing/registry.ts";
import { openRegistryInstance } from "@/testing/registry-instance.ts";
import { deleteProject } from "@/workspace/projects/service.ts";
import { cleanUpRegistry } from "./cleanup.ts";
import { OWN_SUBJECT } from "./image-rights.ts";

const {
  registry,
  deps,
  withoutRegistry,
  olga,
  olgaToken,
  dev,
  stranger,
  team,
  inner,
  shop,
  open,
  basic,
  token,
  queryFor,
  accessIn,
} = await openRegistryInstance();

const pushed = (repository: string, changes: object = {}) => ({
  action: "push",
  target: { repository, mediaType: DOCKER_MANIFEST, tag: "v1" },
  actor: { name: "dev" },
  ...changes,
});

async function notify(events: unknown, authorization = `Bearer ${NOTIFICATION_TOKEN}`): Promise<number> {
  const body = typeof events === "string" ? events : JSON.stringify({ events });
  const request = new Request("http://localhost:3000/x", {
    method: "POST",
    headers: { authorization, "content-type": "application/vnd.docker.distribution.events.v1+json" },
    body,
  });
  return (await postEvents(request)).status;
}

const rowsOf = async (response: Promise<ApiResponse>): Promise<readonly Record<string, unknown>[]> => {
  const { status, body } = await response;
  expect({ status, body }).toMatchObject({ status: 200, body: expect.any(Array) });
  return body as Record<string, unknown>[];
};

const id = (item: Readonly<{ id: number }>) => String(item.id);
const imagesOf = (project: Readonly<{ id: number }>, query = "") =>
  rowsOf(callApi(listImages, "GET", { token: olgaToken, path: { id: id(project) }, query }));

describe("the notifications of the registry", () => {
  it("after a notification of the registry, the API lists the repositories of pushed images, and events of all other types have no effect", async () => {
    expect(
      await notify([
        pushed("team/shop/web"),
        pushed("team/shop/web"),
        pushed("team/shop"),
        pushed("team/shop/layer", {
          target: { repository: "team/shop/layer", mediaType: "application/octet-stream" },
        }),
        pushed("team/shop/pulled", { action: "pull" }),
        pushed("team/shop/gone", { action: "delete" }),
        pushed("team/shop/own", { actor: { name: OWN_SUBJECT } }),
        pushed("team/nothing/a"),
        pushed("team/shop/../other"),
      ]),
    ).toBe(200);
    expect((await imagesOf(shop)).map(({ path, name }) => [path, name])).toEqual([
      ["team/shop/web", "web"],
      ["team/shop", ""],
    ]);
    expect(await cleanUpRegistry(deps), "the repository without a project").toBe(1);
  });

  it("a notification of the registry that arrives several times, even concurrently, creates each repository once", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 5 }, () => notify([pushed("team/inner/open/a")])),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(await imagesOf(open)).toHaveLength(1);
  });

  it("a notification of the registry requires the configured token and a valid body", async () => {
    expect(await notify([pushed("team/shop/x")], NOTIFICATION_TOKEN)).toBe(200);
    for (const wrong of ["", "Bearer", `Bearer ${NOTIFICATION_TOKEN}x`, `Basic ${NOTIFICATION_TOKEN}`])
      expect(await notify([pushed("team/shop/y")], wrong)).toBe(401);
    for (const body of ["", "[]", '{"events":1}', '{"events":[{}]}']) expect(await notify(body)).toBe(400);
    expect(await notify(`{"events":[],"x":"${"y".repeat(5 * 1024 * 1024)}"}`)).toBe(413);
    provideDeps(withoutRegistry);
    expect(await notify([pushed("team/shop/y")])).toBe(404);
    provideDeps(deps);
    expect((await imagesOf(shop)).map(({ path }) => path)).not.toContain("team/shop/y");
  });
});

describe("the container registry API", () => {
  let web: string;

  beforeEach(async () => {
    registry.breakWith(null);
    await deps.db.containerRepository.deleteMany({ where: { path: "team/shop/web" } });
    await notify([pushed("team/shop/web")]);
    web = String((await imagesOf(shop)).find(({ path }) => path === "team/shop/web")?.["id"]);
    registry.clear("team/shop/web");
  });

  const inWeb = (tag?: string) => ({
    token: olgaToken,
    path: { id: id(shop), repository_id: web, ...(tag === undefined ? {} : { tag_name: tag }) },
  });

  it("the container registry API lists container repositories, with the tags of each repository if the request has the parameter `tags`", async () => {
    registry.push("team/shop/web", "v1");
    registry.push("team/shop/web", "v2", { seed: "v1" });
    const [shown] = (await imagesOf(shop, "?tags=true&tags_count=true")).filter(
      ({ id: repositoryId }) => `${repositoryId}` === web,
    );
    expect(shown).toEqual({
      id: Number(web),
      name: "web",
      path: "team/shop/web",
      project_id: shop.id,
      location: "registry.example.com/team/shop/web",
      created_at: deps.clock().toISOString(),
      cleanup_policy_started_at: null,
      tags_count: 2,
      tags: ["v1", "v2"].map((name) => ({
        name,
        path: `team/shop/web:${name}`,
        location: `registry.example.com/team/shop/web:${name}`,
      })),
    });
    const single = await callApi(readImages, "GET", { token: olgaToken, path: { id: web } });
    expect(single).toMatchObject({ status: 200, body: { path: "team/shop/web" } });
    expect(single.body).not.toHaveProperty("tags");
    const group = await rowsOf(
      callApi(listInGroup, "GET", { token: olgaToken, path: { id: id(team) }, query: "?per_page=100" }),
    );
    expect(group.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["team/shop/web", "team/inner/open/a"]),
    );
    const below = await rowsOf(callApi(listInGroup, "GET", { token: olgaToken, path: { id: id(inner) } }));
    expect(below.map(({ path }) => path)).toEqual(["team/inner/open/a"]);
  });

  it("the container registry API hides container repositories from users without access", async () => {
    const path = { id: web };
    expect((await callApi(readImages, "GET", { path })).status).toBe(404);
    expect((await callApi(readImages, "GET", { token: stranger.token, path })).status).toBe(404);
    expect((await callApi(readImages, "GET", { token: dev.token, path })).status).toBe(200);
    const elsewhere = { id: id(open), repository_id: web };
    expect((await callApi(listTags, "GET", { token: olgaToken, path: elsewhere })).status).toBe(404);
    expect((await callApi(removeImages, "DELETE", { token: olgaToken, path: elsewhere })).status).toBe(404);
  });

  it("the container registry API returns the details of an image tag, even if the metadata of the image is malformed", async () => {
    const digest = registry.push("team/shop/web", "v1", { at: "2026-11-01T10:20:30.123456789Z" });
    const { body } = await callApi(readTag, "GET", inWeb("v1"));
    expect(body).toEqual({
      name: "v1",
      path: "team/shop/web:v1",
      location: "registry.example.com/team/shop/web:v1",
      revision: expect.stringMatching(/^[0-9a-f]{64}$/),
      short_revision: expect.stringMatching(/^[0-9a-f]{9}$/),
      digest,
      created_at: "2026-11-01T10:20:30.123Z",
      total_size: 1_024,
    });
    for (const at of [null, "never", "+099999-01-01T00:00:00Z"]) {
      registry.push("team/shop/web", "odd", { at });
      expect((await callApi(readTag, "GET", inWeb("odd"))).body).toMatchObject({ created_at: null });
    }
    for (const tag of ["none", "../v1", "a/b", `sha256:${"0".repeat(64)}`, "x".repeat(129)])
      expect(await callApi(readTag, "GET", inWeb(tag))).toMatchObject({
        status: 404,
        body: { message: "404 Tag Not Found" },
      });
  });

  it("the container registry API deletes an image tag, and keeps the other tags of the same image", async () => {
    registry.push("team/shop/web", "v1", { seed: "same" });
    registry.push("team/shop/web", "v2", { seed: "same" });
    expect((await callApi(removeTag, "DELETE", { ...inWeb("v1"), token: dev.token })).status).toBe(200);
    expect(registry.tags("team/shop/web")).toEqual(["v2"]);
    expect((await callApi(removeTag, "DELETE", inWeb("v1"))).status).toBe(404);
    expect(registry.requests.at(-1)).toContain(OWN_SUBJECT);
  });

  it("a bulk deletion selects image tags by name, number and age, is allowed once an hour, and never deletes the tag `latest`", async () => {
    const createdOn = {
      v1: "2026-11-01",
      v2: "2026-11-10",
      v3: "2026-11-20",
      "v4-keep": "2026-10-01",
      latest: "2026-10-01",
    };
    for (const [tag, day] of Object.entries(createdOn))
      registry.push("team/shop/web", tag, { at: `${day}T00:00:00Z` });
    const bulk = (json: object) => callApi(removeTags, "DELETE", { ...inWeb(), json });
    for (const wrong of [
      {},
      { name_regex_delete: "(" },
      { name_regex_delete: ".*", keep_n: -1 },
      { name_regex_delete: ".*", older_than: "soon" },
      { name_regex_delete: "a".repeat(101) },
    ])
      expect((await bulk(wrong)).status).toBe(400);
    const unclosed = await bulk({ name_regex_delete: ".*", name_regex_keep: "(" });
    expect(unclosed.body).toEqual({ error: "name_regex_keep is invalid" });
    const wanted = {
      name_regex_delete: "v.*|latest",
      name_regex_keep: ".*keep",
      keep_n: 1,
      older_than: "5d",
    };
    expect(await bulk(wanted)).toMatchObject({ status: 202, body: { message: "202 Accepted" } });
    expect(await bulk(wanted)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("at most once an hour for a given container repository") },
    });
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/shop/web")).toEqual(["latest", "v3", "v4-keep"]);
    expect(await cleanUpRegistry(deps)).toBe(0);
    const { body } = await callApi(readImages, "GET", { token: olgaToken, path: { id: web } });
    expect(body).toMatchObject({ cleanup_policy_started_at: deps.clock().toISOString() });
    deps.advance(3_601);
    expect((await bulk({ name_regex: "v4.*" })).status).toBe(202);
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/shop/web")).toEqual(["latest", "v3"]);
  });

  it("a deleted container repository is hidden immediately, and its images are deleted as soon as the registry responds", async () => {
    registry.push("team/shop/web", "v1");
    expect((await callApi(removeImages, "DELETE", { ...inWeb(), token: dev.token })).status).toBe(403);
    expect((await callApi(removeImages, "DELETE", inWeb())).status).toBe(202);
    expect((await callApi(removeImages, "DELETE", inWeb())).status).toBe(404);
    expect((await imagesOf(shop)).map(({ path }) => path)).not.toContain("team/shop/web");
    const pat = await tokenWith(deps, dev.user, ["api"]);
    const requestToken = () => token(queryFor("repository:team/shop/web:pull,push"), basic("x", pat));
    expect(accessIn(await requestToken())).toEqual([]);
    registry.breakWith("hang up");
    expect(await cleanUpRegistry(deps)).toBe(0);
    registry.breakWith(null);
    expect(await cleanUpRegistry(deps), "no retry within a minute").toBe(0);
    deps.advance(61);
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/shop/web")).toEqual([]);
    expect(accessIn(await requestToken())).toEqual(["team/shop/web:pull,push"]);
  });

  it("the container registry API responds with 503 if the registry is unavailable, and with 404 if no registry is configured", async () => {
    for (const problem of [500, 401, "hang up"] as const) {
      registry.breakWith(problem);
      expect(await callApi(listTags, "GET", inWeb())).toMatchObject({
        status: 503,
        body: {
          message: expect.stringMatching(/^503 Service Unavailable - The container registry is unavailable/),
        },
      });
    }
    registry.breakWith(405);
    expect((await callApi(removeTag, "DELETE", inWeb("v1"))).body).toMatchObject({
      message: expect.stringContaining("storage.delete.enabled"),
    });
    registry.breakWith(null);
    provideDeps(withoutRegistry);
    for (const [route, params] of [
      [listImages, inWeb()],
      [listTags, inWeb()],
      [readImages, { token: olgaToken, path: { id: web } }],
    ] as const)
      expect(await callApi(route, "GET", params)).toMatchObject({
        status: 404,
        body: { message: "404 Container registry is not enabled on this instance" },
      });
    provideDeps(deps);
  });
});

describe("the images of a deleted project", () => {
  it("the images of a deleted project are deleted, and a new project with the same path never gets these images", async () => {
    const first = await projectOf(deps, olga, "secret", { group: team });
    registry.push("team/secret/a", "v1");
    await notify([pushed("team/secret/a")]);
    expect(await imagesOf(first)).toHaveLength(1);
    expect(await deleteProject(deps, first, olga)).toBe("removed");
    const second = await projectOf(deps, olga, "secret", { group: team, visibility: "public" });
    const requestToken = () =>
      token(queryFor("repository:team/secret/a:pull", "repository:team/secret/b:pull"));
    expect(accessIn(await requestToken())).toEqual(["team/secret/b:pull"]);
    expect(await imagesOf(second)).toEqual([]);
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/secret/a")).toEqual([]);
    expect(accessIn(await requestToken())).toHaveLength(2);
  });
});

describe("images that the registry reports after their project was deleted", () => {
  it("images that the registry reports after the deletion of their project belong to no project, and are deleted", async () => {
    const first = await projectOf(deps, olga, "late", { group: team });
    registry.push("team/late/a", "v1");
    expect(await deleteProject(deps, first, olga)).toBe("removed");
    await notify([pushed("team/late/a")]);
    await projectOf(deps, olga, "late", { group: team, visibility: "public" });
    const requestToken = () => token(queryFor("repository:team/late/a:pull"));
    expect(accessIn(await requestToken())).toEqual([]);
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/late/a")).toEqual([]);
    expect(accessIn(await requestToken())).toEqual(["team/late/a:pull"]);
  });
});
