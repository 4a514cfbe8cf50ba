import * as route from "@app/oauth/userinfo/route.ts";
import { decodeJwt } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { Client, SignedInUser } from "@/testing/authorization.ts";
import { ORIGIN, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, tokensFor } from "@/testing/open-id.ts";
import { groupOf, memberOf } from "@/testing/projects.ts";

const deps = await openTestDeps();
const URL_ = `${ORIGIN}/oauth/userinfo`;
const PROFILE_CLAIMS = ["name", "nickname", "preferred_username", "profile"];
const PROFILE_OF_ANN = {
  name: "ann",
  nickname: "ann",
  preferred_username: "ann",
  profile: `${ORIGIN}/ann`,
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

let ann: SignedInUser;
let client: Client;
let token: string;

const tokenWith = async (scope: string, user = ann): Promise<string> =>
  String((await tokensFor(deps, user, client, { scope }))["access_token"]);

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await openIdClient(deps, ann.user);
  token = await tokenWith("openid");
});

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const get = (headers: Record<string, string>, query = "") =>
  route.GET(new Request(URL_ + query, { headers }));
const post = (headers: Record<string, string>, body?: string) =>
  route.POST(new Request(URL_, { method: "POST", headers, ...(body === undefined ? {} : { body }) }));

async function claimsOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  return response.json();
}

describe("userinfo", () => {
  it(conformance("XC-01", "CO-01", "userinfo accepts GET, POST and preflight requests"), async () => {
    expect(Object.keys(route).toSorted()).toEqual(["GET", "OPTIONS", "POST"]);
    const headers = { origin: "https://app.example", "access-control-request-headers": "authorization" };
    const response = route.OPTIONS(new Request(URL_, { method: "OPTIONS", headers }));
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toContain("Authorization");
  });

  it(
    conformance(
      "UI-01",
      "UI-02",
      "userinfo accepts the access token in the header, in the query and in the form",
    ),
    async () => {
      const expected = { sub: String(ann.user.id), ...PROFILE_OF_ANN, groups: [] };
      expect(await claimsOf(await get(bearer(token)))).toEqual(expected);
      expect(await claimsOf(await get({ authorization: `bearer   ${token}` }))).toEqual(expected);
      expect(await claimsOf(await get({}, `?access_token=${token}`))).toEqual(expected);
      expect(await claimsOf(await post(bearer(token)))).toEqual(expected);
      expect(await claimsOf(await post({ ...bearer(token), ...FORM }, ""))).toEqual(expected);
      expect(await claimsOf(await post(FORM, `access_token=${token}`))).toEqual(expected);
      for (const type of ["text/plain; charset=utf-8", "application/json", "application/octet-stream"])
        expect(await claimsOf(await post({ ...bearer(token), "content-type": type }, ""))).toEqual(expected);
    },
  );

  it(
    conformance("UI-01", "userinfo refuses a token that is limited to the API or the MCP server"),
    async () => {
      for (const path of ["/api/v4", "/api/v4/mcp"]) {
        const body = await tokensFor(deps, ann, client, { resource: ORIGIN + path });
        const response = await get(bearer(String(body["access_token"])));
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
      }
      const body = await tokensFor(deps, ann, client, { resource: ORIGIN });
      expect((await get(bearer(String(body["access_token"])))).status).toBe(200);
    },
  );

  it.each<[string, readonly string[]]>([
    ["openid", ["sub", ...PROFILE_CLAIMS, "groups"]],
    ["openid read_user", ["sub", ...PROFILE_CLAIMS, "groups"]],
    ["openid profile", ["sub", ...PROFILE_CLAIMS, "groups"]],
    ["openid email", ["sub", ...PROFILE_CLAIMS, "email", "email_verified", "groups"]],
    ["openid profile email", ["sub", ...PROFILE_CLAIMS, "email", "email_verified", "groups"]],
  ])(
    conformance("SC-29", "UI-06", "userinfo with the scopes %s returns exactly %s"),
    async (scope, names) => {
      const claims = await claimsOf(await get(bearer(await tokenWith(scope))));
      expect(Object.keys(claims)).toEqual(names);
    },
  );

  it.each(["openid", "openid email"])(
    conformance("SC-29", "UI-01", "userinfo with the scopes %s returns the same claims as the ID token"),
    async (scope) => {
      const body = await tokensFor(deps, ann, client, { scope });
      const claims = await claimsOf(await get(bearer(String(body["access_token"]))));
      expect(decodeJwt(String(body["id_token"]))).toMatchObject(claims);
    },
  );

  it(
    conformance(
      "UI-06",
      "userinfo returns the groups of a user and the descendants of these groups; the ID token also contains the direct memberships",
    ),
    async () => {
      const upper = await groupOf(deps, ann.user, "Upper");
      const lower = await groupOf(deps, ann.user, "lower", { parent: upper });
      await groupOf(deps, ann.user, "lowest", { parent: lower });
      await groupOf(deps, ann.user, "adjacent", { parent: upper });
      const ended = await groupOf(deps, ann.user, "ended");
      const guest = await signedInUser(deps, "guest");
      await memberOf(deps, lower, guest.user, "guest");
      await memberOf(deps, ended, guest.user, "owner");
      await deps.db.groupMember.updateMany({
        where: { groupId: ended.id, userId: guest.user.id },
        data: { expiresAt: deps.clock() },
      });
      const all = async (user: SignedInUser) => {
        const body = await tokensFor(deps, user, client, { scope: "openid" });
        const { groups } = await claimsOf(await get(bearer(String(body["access_token"]))));
        const idToken = decodeJwt(String(body["id_token"]));
        expect(idToken["groups"]).toEqual(groups);
        return { groups, own: idToken["groups_direct"] };
      };
      expect(await all(guest)).toEqual({
        groups: ["Upper/lower", "Upper/lower/lowest"],
        own: ["Upper/lower"],
      });
      // The creator of a group becomes its owner, so some groups are both inherited and direct.
      const everything = ["Upper", "Upper/adjacent", "Upper/lower", "Upper/lower/lowest", "ended"];
      expect(await all(ann)).toMatchObject({ groups: everything });
      const stranger = await signedInUser(deps, "stranger");
      expect(await all(stranger)).toEqual({ groups: [], own: [] });
    },
  );

  it("if the user has too many groups, userinfo omits the `groups` claim, and does not truncate the list", async () => {
    const collector = await signedInUser(deps, "collector");
    const many = await groupOf(deps, ann.user, "many");
    const rows = Array.from({ length: 1000 }, (_, at) => `a-path-of-some-length-${at}`).map((path) => ({
      ...{ name: path, path, fullPath: `many/${path}`, fullPathLower: `many/${path}` },
      ...{ description: "", visibility: "private", parentId: many.id, createdAt: deps.clock() },
    }));
    await deps.db.group.createMany({ data: rows });
    const below = await deps.db.group.findMany({ where: { parentId: many.id }, select: { id: true } });
    await deps.db.groupAncestor.createMany({
      data: below.flatMap(({ id }) => [
        { groupId: id, ancestorId: id },
        { groupId: id, ancestorId: many.id },
      ]),
    });
    const member = { userId: collector.user.id, role: 10, createdAt: deps.clock() };
    await deps.db.groupMember.createMany({ data: below.map(({ id }) => ({ ...member, groupId: id })) });
    const body = await tokensFor(deps, collector, client, { scope: "openid" });
    for (const claim of ["groups", "groups_direct"])
      expect(decodeJwt(String(body["id_token"]))).not.toHaveProperty(claim);
    const userinfoClaims = () => get(bearer(String(body["access_token"]))).then(claimsOf);
    expect((await userinfoClaims())["groups"]).toHaveLength(1000);
    await deps.db.groupMember.create({ data: { ...member, groupId: many.id } });
    expect(await userinfoClaims()).not.toHaveProperty("groups");
    await deps.db.groupMember.deleteMany({ where: { userId: collector.user.id, groupId: { not: many.id } } });
    expect(await userinfoClaims()).not.toHaveProperty("groups");
    await deps.db.group.delete({ where: { id: below[0]?.id ?? 0 } });
    expect((await userinfoClaims())["groups"]).toHaveLength(1000);
  });

  it(
    conformance("SC-11", "the userinfo response contains the e-mail address only if it is confirmed"),
    async () => {
      const token = await tokenWith("openid email");
      expect(await claimsOf(await get(bearer(token)))).toMatchObject({
        email: "ann@example.com",
        email_verified: true,
      });
      await deps.db.user.update({ where: { id: ann.user.id }, data: { emailVerified: false } });
      const claims = await claimsOf(await get(bearer(token)));
      expect(Object.keys(claims)).not.toContain("email");
      expect(Object.keys(claims)).not.toContain("email_verified");
    },
  );
});

describe("an error response of userinfo", () => {
  async function refusalOf(response: Response, status: number, error: string): Promise<string> {
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await response.json()).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
    });
    return response.headers.get("www-authenticate") ?? "";
  }

  it(
    conformance(
      "UI-03",
      "the WWW-Authenticate challenge of userinfo contains no error code if the request has no token",
    ),
    async () => {
      for (const response of [await get({}), await post({}), await post(FORM, "x=y")])
        expect(await refusalOf(response, 401, "invalid_token")).toBe('Bearer realm="Gatehouse"');
      const basic = { authorization: "Basic eDp5" };
      expect(await refusalOf(await get(basic), 401, "invalid_token")).toBe('Bearer realm="Gatehouse"');
    },
  );

  it(
    conformance(
      "UI-04",
      "the error response of userinfo is the same for an unknown, an expired and a revoked token",
    ),
    async () => {
      const responses = [await get(bearer("ghat_unknown"))];
      const expiring = await tokenWith("openid");
      const revoked = await tokenWith("openid");
      await deps.db.oauthToken.updateMany({
        where: { id: (await newest()).id },
        data: { revokedAt: deps.clock() },
      });
      responses.push(await get(bearer(revoked)));
      deps.advance(7200);
      responses.push(await get(bearer(expiring)), await get({}, `?access_token=${expiring}`));
      for (const response of responses)
        expect(await refusalOf(response, 401, "invalid_token")).toMatch(
          /^Bearer realm=.*error="invalid_token"/,
        );
      deps.advance(-7200);
    },
  );

  const newest = () => deps.db.oauthToken.findFirstOrThrow({ orderBy: { id: "desc" } });

  it(
    conformance("UI-05", "userinfo responds with 403 and a challenge to a token without the scope openid"),
    async () => {
      for (const scope of ["profile email", "read_user"]) {
        const challenge = await refusalOf(
          await get(bearer(await tokenWith(scope))),
          403,
          "insufficient_scope",
        );
        expect(challenge).toContain('error="insufficient_scope"');
      }
    },
  );

  it(conformance("UI-07", "AT-48", "userinfo responds with 401 to the token of a blocked user"), async () => {
    const bob = await signedInUser(deps, "bob");
    const hers = await tokenWith("openid", bob);
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
    await refusalOf(await get(bearer(hers)), 401, "invalid_token");
  });

  it(
    conformance(
      "XC-07",
      "AT-30",
      "userinfo responds with 400 and no challenge to a request with two different tokens or a repeated token",
    ),
    async () => {
      const other = await tokenWith("openid");
      const responses = [
        await get(bearer(token), `?access_token=${other}`),
        await get({}, `?access_token=${token}&access_token=${token}`),
        await post(FORM, `access_token=${token}&access_token=${token}`),
        await post({ ...FORM, ...bearer(token) }, `access_token=${other}`),
        await get({ authorization: `Bearer ${token}, Bearer ${other}` }),
      ];
      for (const response of responses) expect(await refusalOf(response, 400, "invalid_request")).toBe("");
    },
  );

  it.each(["access_token=%00", "access_token=%zz", "access_token=%ff"])(
    conformance("UI-08", "XC-09", "userinfo responds with 400 to the malformed form %s"),
    async (body) => {
      expect(await refusalOf(await post(FORM, body), 400, "invalid_request")).toBe("");
      expect(await refusalOf(await get({}, `?${body}`), 400, "invalid_request")).toBe("");
    },
  );

  it(conformance("AT-39", "userinfo responds with 401 to a session cookie without a token"), async () => {
    await refusalOf(await get({ cookie: ann.cookie }), 401, "invalid_token");
  });
});
