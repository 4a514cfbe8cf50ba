import { X509Certificate } from "node:crypto";
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
import { GET as getToken, POST as postToken } from "@app/jwt/auth/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { blockUserAsAdministrator } from "@/identity/users/administration.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { type ApiResponse, apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { PASSWORD, registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import {
  claimsOf,
  DOCKER_MANIFEST,
  fakeRegistry,
  NOTIFICATION_TOKEN,
  type RegistryClaims,
} from "@/testing/registry.ts";
import { grantedTokens } from "@/testing/tokens.ts";
import { createDeployToken } from "@/workspace/deploy-tokens/service.ts";
import { resourceOf as groupResource } from "@/workspace/groups/service.ts";
import { deleteProject } from "@/workspace/projects/service.ts";
import { cleanUpRegistry } from "./cleanup.ts";
import { OWN_SUBJECT } from "./image-rights.ts";
import { registryCertificate } from "./registry-key.ts";

const registry = await fakeRegistry();
const opened = await openTestDeps();
const deps = { ...opened, config: { ...opened.config, registry: registry.config } };
provideDeps(deps);
const NO_REGISTRY = { ...opened, config: { ...opened.config, registry: null } };

const { user: olga, token: olgaToken } = await apiUser(deps, "olga");
const dev = await apiUser(deps, "dev");
const stranger = await apiUser(deps, "stranger");
const root = await apiUser(deps, "root", { admin: true });
const team = await groupOf(deps, olga, "Team", { visibility: "public" });
const inner = await groupOf(deps, olga, "inner", { parent: team });
const shop = await projectOf(deps, olga, "Shop", { group: team });
const open = await projectOf(deps, olga, "open", { group: inner, visibility: "public" });
let certificate: string;

beforeAll(async () => {
  certificate = await registryCertificate(deps);
  await memberOf(deps, shop, dev.user, "developer");
});

const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`,
});

type TokenResponse = Readonly<{ status: number; body: Record<string, unknown> | null; headers: Headers }>;

async function token(query: string, headers: Record<string, string> = {}): Promise<TokenResponse> {
  const response = await getToken(new Request(`http://localhost:3000/jwt/auth?${query}`, { headers }));
  const text = await response.text();
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

const SERVICE = "service=container_registry";
const queryFor = (...scopes: readonly string[]) =>
  [SERVICE, ...scopes.map((scope) => `scope=${encodeURIComponent(scope)}`)].join("&");

function claimsIn({ status, body }: TokenResponse): RegistryClaims {
  expect({ status, body }).toMatchObject({ status: 200, body: { token: expect.any(String) } });
  return claimsOf(String(body?.["token"]), certificate);
}

/** Returns the access that a token grants, such as `team/shop:pull,push`. */
const accessIn = (response: TokenResponse): readonly string[] =>
  claimsIn(response).access.map(({ name, actions }) => `${name}:${actions.join(",")}`);

const errorIn = ({ status, body }: TokenResponse) => [
  status,
  JSON.stringify(body).match(/"code":"(\w+)"/)?.[1],
];

describe("the token endpoint", () => {
  it(conformance("MA-03", "grants a deploy token the images of its group, within its scopes"), async () => {
    const draft = { name: "Pull", username: "puller", scopes: ["read_registry"], expiresAt: null };
    const manager = { resource: groupResource(team), by: olga, held: "owner" } as const;
    const created = await createDeployToken(deps, manager, draft);
    if (typeof created === "string" || "problems" in created) throw new Error("The token was not created.");
    await projectOf(deps, olga, "apart");
    const query = queryFor(
      "repository:team/shop:pull,push",
      "repository:team/inner/open:pull",
      "repository:olga/apart:pull",
    );
    const response = await token(query, basic("puller", created.value));
    expect(accessIn(response)).toEqual(["team/shop:pull", "team/inner/open:pull"]);
    expect(claimsIn(response).sub).toBe("puller");
    expect(errorIn(await token(query, basic("olga", created.value)))[0]).toBe(401);
  });

  it("issues a short-lived token that grants only the allowed part of the requested access", async () => {
    const pat = await tokenWith(deps, dev.user, ["read_registry", "write_registry"]);
    const response = await token(
      `${queryFor("repository:team/shop/web:pull,push,delete repository:team/nothing:pull", "repository:team/inner/open:push,pull")}&account=anybody&client_id=docker&offline_token=true`,
      basic("anybody", pat),
    );
    expect(claimsIn(response)).toEqual({
      iss: "http://localhost:3000",
      sub: "dev",
      aud: "container_registry",
      iat: deps.clock().getTime() / 1000,
      nbf: deps.clock().getTime() / 1000 - 5,
      exp: deps.clock().getTime() / 1000 + 300,
      jti: expect.stringMatching(/^[0-9a-f]{32}$/),
      access: [
        { type: "repository", name: "team/shop/web", actions: ["pull", "push"] },
        { type: "repository", name: "team/inner/open", actions: ["pull"] },
      ],
    });
    expect(response.body).toMatchObject({ expires_in: 300, issued_at: deps.clock().toISOString() });
    const twice = await token(queryFor("repository:team/shop:pull"), basic("x", pat));
    expect(claimsIn(twice).jti).not.toBe(claimsIn(response).jti);
  });

  it("issues a token without access for a request without scopes, as docker login sends it", async () => {
    const pat = await tokenWith(deps, stranger.user, ["read_registry"]);
    expect(accessIn(await token(`account=x&${SERVICE}`, basic("x", pat)))).toEqual([]);
    expect(accessIn(await token(queryFor("repository:team/shop:pull"), basic("x", pat)))).toEqual([]);
    expect(errorIn(await token(SERVICE))).toEqual([403, "DENIED"]);
    const other = await tokenWith(deps, dev.user, ["read_api", "write_repository"]);
    expect(errorIn(await token(SERVICE, basic("x", other)))).toEqual([403, "DENIED"]);
  });

  it("grants requests without credentials only pull access to public images", async () => {
    const query = queryFor("repository:team/inner/open/a:pull,push", "repository:team/shop:pull");
    const response = await token(query);
    expect(accessIn(response)).toEqual(["team/inner/open/a:pull"]);
    expect(claimsIn(response).sub).toBe("");
  });

  it("accepts only personal access tokens, and rejects OAuth tokens, passwords and other schemes", async () => {
    const user = await signedInUser(deps, "paul");
    const client = await registeredClient(deps, user.user, { scopes: ["api"] });
    const { access } = await grantedTokens(deps, user, client, { scope: "api" });
    const pat = await tokenWith(deps, user.user, ["api"]);
    expect((await token(SERVICE, basic("paul", pat))).status).toBe(200);
    const refused = [
      basic("oauth2", access),
      basic("paul", access),
      basic("paul", PASSWORD),
      basic("paul", ""),
      basic("paul", `${pat}x`),
      { authorization: `Bearer ${pat}` },
      { authorization: "Basic ???" },
    ];
    for (const headers of refused) {
      const response = await token(queryFor("repository:team/inner/open:pull"), headers);
      expect(errorIn(response)).toEqual([401, "UNAUTHORIZED"]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Basic /);
      expect(JSON.stringify(response.body)).toContain("HTTP Basic: Access denied.");
    }
    expect(await blockUserAsAdministrator(deps, root.user, user.user.id)).toBeNull();
    expect(errorIn(await token(SERVICE, basic("paul", pat)))).toEqual([401, "UNAUTHORIZED"]);
  });

  it("rejects unknown services, other methods and too many scopes", async () => {
    expect(await token("service=dependency_proxy&scope=repository:a/b:pull")).toMatchObject({
      status: 404,
      body: null,
    });
    expect((await token("scope=repository:a/b:pull")).status).toBe(404);
    expect(postToken().status).toBe(404);
    const many = Array.from({ length: 31 }, (_, at) => `repository:team/inner/open/${at}:pull`);
    expect(errorIn(await token(queryFor(many.join(" "))))).toEqual([400, "UNSUPPORTED"]);
    expect(accessIn(await token(queryFor(...many.slice(1))))).toHaveLength(30);
    expect(errorIn(await token(`${SERVICE}&scope=%ff`))).toEqual([400, "UNSUPPORTED"]);
  });

  it("responds with 404 if no registry is configured", async () => {
    provideDeps(NO_REGISTRY);
    const pat = await tokenWith(deps, dev.user, ["api"]);
    expect(errorIn(await token(SERVICE, basic("x", pat)))).toEqual([404, "UNAVAILABLE"]);
    expect(errorIn(await token(SERVICE, basic("x", "wrong")))).toEqual([401, "UNAUTHORIZED"]);
    provideDeps(deps);
  });
});

describe("the certificate of the registry tokens", () => {
  it("stays the same until it is renewed, and its key is stored encrypted", async () => {
    const certificates = await Promise.all(Array.from({ length: 5 }, () => registryCertificate(deps)));
    expect(new Set(certificates)).toEqual(new Set([certificate]));
    const parsed = new X509Certificate(certificate);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.subject).toBe("CN=Gatehouse container registry");
    expect(parsed.issuer).toBe(parsed.subject);
    expect(new Date(parsed.validFrom) < deps.clock()).toBe(true);
    expect(new Date(parsed.validTo).getUTCFullYear()).toBe(2056);
    const rows = await deps.db.registryKey.findMany();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("PRIVATE KEY");
    const renewed = await registryCertificate(deps, true);
    expect(renewed).not.toBe(certificate);
    expect(await registryCertificate(deps)).toBe(renewed);
    certificate = renewed;
    expect(accessIn(await token(queryFor("repository:team/inner/open:pull")))).toHaveLength(1);
  });
});

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
  it("create repositories for pushed images, while all other events are ignored", async () => {
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

  it("can arrive several times, even concurrently", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 5 }, () => notify([pushed("team/inner/open/a")])),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(await imagesOf(open)).toHaveLength(1);
  });

  it("require the configured token and a valid body", async () => {
    expect(await notify([pushed("team/shop/x")], NOTIFICATION_TOKEN)).toBe(200);
    for (const wrong of ["", "Bearer", `Bearer ${NOTIFICATION_TOKEN}x`, `Basic ${NOTIFICATION_TOKEN}`])
      expect(await notify([pushed("team/shop/y")], wrong)).toBe(401);
    for (const body of ["", "[]", '{"events":1}', '{"events":[{}]}']) expect(await notify(body)).toBe(400);
    expect(await notify(`{"events":[],"x":"${"y".repeat(5 * 1024 * 1024)}"}`)).toBe(413);
    provideDeps(NO_REGISTRY);
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

  it("lists repositories, with their tags if the request asks for them", async () => {
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

  it("hides repositories from users without access", async () => {
    const path = { id: web };
    expect((await callApi(readImages, "GET", { path })).status).toBe(404);
    expect((await callApi(readImages, "GET", { token: stranger.token, path })).status).toBe(404);
    expect((await callApi(readImages, "GET", { token: dev.token, path })).status).toBe(200);
    const elsewhere = { id: id(open), repository_id: web };
    expect((await callApi(listTags, "GET", { token: olgaToken, path: elsewhere })).status).toBe(404);
    expect((await callApi(removeImages, "DELETE", { token: olgaToken, path: elsewhere })).status).toBe(404);
  });

  it("returns the details of a tag and tolerates malformed metadata of images", async () => {
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

  it("deletes one tag and keeps the other tags of the same image", async () => {
    registry.push("team/shop/web", "v1", { seed: "same" });
    registry.push("team/shop/web", "v2", { seed: "same" });
    expect((await callApi(removeTag, "DELETE", { ...inWeb("v1"), token: dev.token })).status).toBe(200);
    expect(registry.tags("team/shop/web")).toEqual(["v2"]);
    expect((await callApi(removeTag, "DELETE", inWeb("v1"))).status).toBe(404);
    expect(registry.requests.at(-1)).toContain(OWN_SUBJECT);
  });

  it("deletes tags in bulk by name, number and age, at most once an hour, but never the tag latest", async () => {
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
    opened.advance(3_601);
    expect((await bulk({ name_regex: "v4.*" })).status).toBe(202);
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/shop/web")).toEqual(["latest", "v3"]);
  });

  it("hides a deleted repository immediately, and deletes its images as soon as the registry responds", async () => {
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
    opened.advance(61);
    expect(await cleanUpRegistry(deps)).toBe(1);
    expect(registry.tags("team/shop/web")).toEqual([]);
    expect(accessIn(await requestToken())).toEqual(["team/shop/web:pull,push"]);
  });

  it("responds with 503 if the registry is unavailable, and with 404 if no registry is configured", async () => {
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
    provideDeps(NO_REGISTRY);
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
  it("are deleted and never belong to a new project with the same path", async () => {
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
  it("belong to no project and are deleted", async () => {
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
