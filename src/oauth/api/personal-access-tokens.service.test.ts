import * as rotateRoute from "@app/api/v4/personal_access_tokens/[id]/rotate/route.ts";
import * as tokenRoute from "@app/api/v4/personal_access_tokens/[id]/route.ts";
import * as tokensRoute from "@app/api/v4/personal_access_tokens/route.ts";
import * as selfRotateRoute from "@app/api/v4/personal_access_tokens/self/rotate/route.ts";
import * as selfRoute from "@app/api/v4/personal_access_tokens/self/route.ts";
import * as userTokensRoute from "@app/api/v4/users/[id]/personal_access_tokens/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { type ApiRequest, type ApiUser, apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { grantedTokens } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const UNAUTHORIZED = { status: 401, body: { message: "401 Unauthorized" } };
const TOO_LATE = "Enter an expiration date at most 365 days from now, which is 2027-11-22.";
const NOT_FOUND = { status: 404, body: { message: "404 Personal Access Token Not Found" } };

let root: ApiUser;
let ann: ApiUser;
let bob: ApiUser;

beforeAll(async () => {
  root = await apiUser(deps, "root", { admin: true });
  ann = await apiUser(deps, "ann");
  bob = await apiUser(deps, "bob");
});

type Route = Parameters<typeof callApi>[0];
type Token = Readonly<{ id: number; name: string; token?: string; expires_at: string | null }>;

const call = async (route: Route, method: string, user: ApiUser, request: ApiRequest = {}) => {
  const { status, body } = await callApi(route, method, { token: user.token, ...request });
  return { status, body: body as Token };
};
const at = (id: number) => ({ path: { id: String(id) } });
const issueToken = async (user: ApiUser, name: string, expiresAt: string | null = null) => {
  const outcome = await createPersonalToken(deps, user.user, { name, scopes: ["read_api"], expiresAt });
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return { id: outcome.token.id, as: { ...user, token: outcome.value } };
};
const works = async (token: string) => (await call(selfRoute.GET, "GET", { ...ann, token })).status;
const lastEvent = () => deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("GET /personal_access_tokens", () => {
  const list = async (user: ApiUser, query = "") => {
    const { status, body } = await callApi(tokensRoute.GET, "GET", { token: user.token, query });
    return { status, names: Array.isArray(body) ? (body as Token[]).map(({ name }) => name) : body };
  };

  let dora: ApiUser;

  beforeAll(async () => {
    dora = await apiUser(deps, "dora");
    for (const name of ["Backup", "ci"]) await issueToken(dora, name);
    await issueToken(dora, "soon", "2026-11-22");
    await call(tokenRoute.DELETE, "DELETE", dora, at((await issueToken(dora, "gone")).id));
    deps.advance(86_400);
  });

  it.each<[string, string, readonly string[]]>([
    ["all tokens of the caller", "", ["gone", "soon", "ci", "Backup", "test"]],
    ["active tokens", "?state=active", ["ci", "Backup", "test"]],
    ["inactive tokens", "?state=inactive", ["gone", "soon"]],
    ["revoked tokens", "?revoked=true", ["gone"]],
    ["tokens that are not revoked", "?revoked=false", ["soon", "ci", "Backup", "test"]],
    ["tokens with a matching name", "?search=back", ["Backup"]],
    ["no token if no name contains the text", "?search=nothing", []],
    ["one page by page number", "?per_page=2&page=2", ["ci", "Backup"]],
    ["one page by keyset cursor", "?per_page=2&pagination=keyset", ["gone", "soon"]],
  ])("the list of personal access tokens contains %s", async (_what, query, names) => {
    expect(await list(dora, query)).toEqual({ status: 200, names });
  });

  it("the list of personal access tokens contains the tokens of other users only for administrators", async () => {
    const query = `?user_id=${dora.user.id}&search=backup`;
    expect(await list(ann, query)).toEqual({ status: 401, names: UNAUTHORIZED.body });
    expect(await list(root, query)).toEqual({ status: 200, names: ["Backup"] });
    expect(await list(dora, query)).toEqual({ status: 200, names: ["Backup"] });
    expect((await list(root, "?state=active")).names).toHaveLength(6);
  });

  it("the list of personal access tokens refuses an unknown value of the parameter `state`", async () => {
    expect(await list(ann, "?state=sleeping")).toMatchObject({ status: 400 });
  });
});

describe("GET and DELETE /personal_access_tokens/:id", () => {
  it("a user can show and revoke the user's own tokens, and an administrator can show and revoke all tokens", async () => {
    for (const caller of [ann, root]) {
      const token = await issueToken(ann, "mine");
      const shown = await call(tokenRoute.GET, "GET", caller, at(token.id));
      expect(shown).toMatchObject({ status: 200, body: { id: token.id, name: "mine", active: true } });
      expect(shown.body).not.toHaveProperty("token");
      expect(await works(token.as.token)).toBe(200);
      expect(await call(tokenRoute.DELETE, "DELETE", caller, at(token.id))).toEqual({
        status: 204,
        body: null,
      });
      expect(await works(token.as.token)).toBe(401);
      expect(await lastEvent()).toMatchObject({
        name: "personal_token.revoked",
        userId: ann.user.id,
        actorId: caller === root ? root.user.id : null,
      });
      expect((await call(tokenRoute.DELETE, "DELETE", caller, at(token.id))).status).toBe(204);
    }
  });

  it("the personal access tokens API returns the same response for a token that does not exist and for a token of another user", async () => {
    const token = await issueToken(ann, "not bob's");
    for (const id of [token.id, 999_999]) {
      expect(await call(tokenRoute.GET, "GET", bob, at(id))).toEqual(UNAUTHORIZED);
      expect(await call(tokenRoute.DELETE, "DELETE", bob, at(id))).toEqual(UNAUTHORIZED);
      expect(await call(rotateRoute.POST, "POST", bob, at(id))).toEqual(UNAUTHORIZED);
    }
    expect(await works(token.as.token)).toBe(200);
    expect(await call(tokenRoute.GET, "GET", root, at(999_999))).toEqual(NOT_FOUND);
    expect(await call(tokenRoute.DELETE, "DELETE", root, at(999_999))).toEqual(NOT_FOUND);
  });

  it("a token with the scope read_api can show a token, but cannot revoke or rotate it", async () => {
    const token = await issueToken(ann, "reader");
    expect((await call(tokenRoute.GET, "GET", token.as, at(token.id))).status).toBe(200);
    expect((await call(tokenRoute.DELETE, "DELETE", token.as, at(token.id))).status).toBe(403);
    expect((await call(rotateRoute.POST, "POST", token.as, at(token.id))).status).toBe(403);
  });
});

describe("POST /personal_access_tokens/:id/rotate", () => {
  it("rotation replaces a personal access token by a new token, which expires after a week, or on the date in the request", async () => {
    const token = await issueToken(ann, "turns");
    const first = await call(rotateRoute.POST, "POST", ann, at(token.id));
    expect(first).toMatchObject({
      status: 200,
      body: { name: "turns", scopes: ["read_api"], expires_at: "2026-11-29", active: true },
    });
    expect(await works(String(first.body.token))).toBe(200);
    const request = { ...at(first.body.id), form: "expires_at=2027-01-31" };
    expect(await call(rotateRoute.POST, "POST", root, request)).toMatchObject({
      status: 200,
      body: { expires_at: "2027-01-31", user_id: ann.user.id },
    });
    expect(await lastEvent()).toMatchObject({ userId: ann.user.id, actorId: root.user.id });
    expect(await works(token.as.token)).toBe(401);
  });

  it("the rotation of a token that was already rotated revokes the tokens that replaced it", async () => {
    const token = await issueToken(ann, "again");
    const first = await call(rotateRoute.POST, "POST", ann, at(token.id));
    expect(await works(String(first.body.token))).toBe(200);
    const refused = { status: 400, body: { message: "400 Bad request - Token already revoked" } };
    expect(await call(rotateRoute.POST, "POST", bob, at(token.id))).toEqual(UNAUTHORIZED);
    expect(await works(String(first.body.token))).toBe(200);
    expect(await call(rotateRoute.POST, "POST", ann, at(token.id))).toEqual(refused);
    expect(await works(String(first.body.token))).toBe(401);
    expect(await call(tokenRoute.GET, "GET", ann, at(first.body.id))).toMatchObject({
      body: { revoked: true, active: false },
    });
    expect(await lastEvent()).toMatchObject({ name: "token.family_revoked", userId: ann.user.id });
  });

  it("only one of several simultaneous requests can rotate a token", async () => {
    const token = await issueToken(ann, "raced");
    const responses = await Promise.all(
      [1, 2, 3].map(() => call(rotateRoute.POST, "POST", ann, at(token.id))),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(responses.find(({ status }) => status === 400)?.body).toEqual({
      message: "400 Bad request - Token already revoked",
    });
  });

  it.each([
    ["2026-02-30", { error: "expires_at is invalid" }],
    ["soon", { error: "expires_at is invalid" }],
    ["2026-11-22", { message: "400 Bad request - Enter an expiration date in the future." }],
    ["2027-11-23", { message: `400 Bad request - ${TOO_LATE}` }],
  ])("rotation refuses %j as the expiry date", async (day, body) => {
    const token = await issueToken(ann, "stays");
    const request = { ...at(token.id), json: { expires_at: day } };
    expect(await call(rotateRoute.POST, "POST", ann, request)).toEqual({ status: 400, body });
    expect(await works(token.as.token)).toBe(200);
  });
});

describe("/personal_access_tokens/self", () => {
  it("a token with any scope can show and revoke itself, and a token with the scope api can rotate itself", async () => {
    const token = await tokenWith(deps, ann.user, ["read_repository"]);
    expect((await call(selfRoute.GET, "GET", { ...ann, token })).status).toBe(200);
    expect((await call(selfRotateRoute.POST, "POST", { ...ann, token })).status).toBe(403);
    expect(await call(selfRoute.DELETE, "DELETE", { ...ann, token })).toEqual({ status: 204, body: null });
    expect(await works(token)).toBe(401);
    const strong = await tokenWith(deps, ann.user, ["api"]);
    const rotated = await call(selfRotateRoute.POST, "POST", { ...ann, token: strong });
    expect(rotated).toMatchObject({ status: 200, body: { scopes: ["api"], expires_at: "2026-11-29" } });
    expect([await works(String(rotated.body.token)), await works(strong)]).toEqual([200, 401]);
    const late = await call(selfRotateRoute.POST, "POST", { ...ann, token: strong });
    expect([late.status, await works(String(rotated.body.token))]).toEqual([401, 401]);
  });

  it("the path /personal_access_tokens/self refuses an OAuth token", async () => {
    const user = await signedInUser(deps, "olga");
    const client = await registeredClient(deps, user.user, { scopes: ["api"] });
    const { access } = await grantedTokens(deps, user, client, { scope: "api" });
    for (const [route, method] of [
      [selfRoute.GET, "GET"],
      [selfRoute.DELETE, "DELETE"],
    ] as const)
      expect(await call(route, method, { ...ann, token: access })).toEqual({
        status: 401,
        body: { message: expect.stringMatching(/^401 Unauthorized - .*personal access tokens only/) },
      });
  });
});

describe("an OAuth token", () => {
  it(
    conformance(
      "SC-04",
      "an OAuth token cannot create or rotate a personal access token, even if the token has the scope api and belongs to an administrator",
    ),
    async () => {
      const user = await signedInUser(deps, "otto");
      await deps.db.user.update({ where: { id: user.user.id }, data: { admin: true } });
      const client = await registeredClient(deps, user.user, { scopes: ["api"] });
      const { access } = await grantedTokens(deps, user, client, { scope: "api" });
      const own = await issueToken({ ...ann, user: user.user }, "kept");
      const otto = { ...ann, user: user.user, token: access };
      const before = await deps.db.personalAccessToken.count();
      const json = { name: "x", scopes: ["api"] };
      for (const response of [
        await call(rotateRoute.POST, "POST", otto, at(own.id)),
        await call(rotateRoute.POST, "POST", otto, at(999_999)),
        await call(selfRotateRoute.POST, "POST", otto),
        await call(userTokensRoute.POST, "POST", otto, { ...at(bob.user.id), json }),
      ])
        expect(response).toEqual({
          status: 403,
          body: { error: "insufficient_scope", error_description: expect.stringMatching(/OAuth token/) },
        });
      expect(await deps.db.personalAccessToken.count()).toBe(before);
      expect(await works(own.as.token)).toBe(200);
    },
  );
});

describe("POST /users/:id/personal_access_tokens", () => {
  const create = (user: ApiUser, json: object, id = bob.user.id) =>
    call(userTokensRoute.POST, "POST", user, { ...at(id), json });

  it("an administrator can create a token for another user, and the audit event names the administrator", async () => {
    const response = await create(root, { name: "made", scopes: ["read_user"], expires_at: "2026-12-24" });
    expect(response).toMatchObject({
      status: 201,
      body: { name: "made", user_id: bob.user.id, scopes: ["read_user"], expires_at: "2026-12-24" },
    });
    expect(await works(String(response.body.token))).toBe(200);
    expect(await lastEvent()).toMatchObject({
      name: "personal_token.created",
      userId: bob.user.id,
      actorId: root.user.id,
    });
    const everything = [await deps.db.personalAccessToken.findMany(), await deps.db.auditEvent.findMany()];
    expect(JSON.stringify(everything)).not.toContain(response.body.token);
  });

  it("when an administrator creates a token for a user, the scopes may be a string, and the token by default expires after one year", async () => {
    const response = await create(root, { name: "long", scopes: "read_api,read_user" });
    expect(response.body).toMatchObject({ scopes: ["read_api", "read_user"], expires_at: "2027-11-22" });
  });

  it.each<[string, object, object]>([
    ["without a name", { scopes: ["api"] }, { error: "name is missing" }],
    ["with an empty name", { name: " ", scopes: ["api"] }, { message: { name: [expect.any(String)] } }],
    ["without scopes", { name: "x", scopes: [] }, { error: "scopes does not have a valid value" }],
    [
      "with an unknown scope",
      { name: "x", scopes: ["sudo"] },
      { error: "scopes does not have a valid value" },
    ],
    [
      "with a scope for sign-in",
      { name: "x", scopes: ["openid"] },
      { error: "scopes does not have a valid value" },
    ],
    [
      "with an expiry date in the past",
      { name: "x", scopes: ["api"], expires_at: "2020-01-01" },
      { message: { expires_at: [expect.any(String)] } },
    ],
    [
      "with a lifetime of more than a year",
      { name: "x", scopes: ["api"], expires_at: "2027-11-23" },
      { message: { expires_at: [TOO_LATE] } },
    ],
  ])("the personal access tokens API refuses to create a token %s", async (_what, json, body) => {
    const before = await deps.db.personalAccessToken.count();
    expect(await create(root, json)).toEqual({ status: 400, body });
    expect(await deps.db.personalAccessToken.count()).toBe(before);
  });

  it("the creation of a token for another user requires an administrator and an existing user", async () => {
    const json = { name: "x", scopes: ["api"] };
    expect((await create(bob, json)).status).toBe(403);
    expect(await create(root, json, 999_999)).toMatchObject({ status: 404 });
  });
});
