import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  type Client,
  codeFor,
  exchangeOf,
  ORIGIN,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import * as route from "./route.ts";

const deps = await openTestDeps();
const REALM = /^Bearer realm="[^"]+"/;

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const scopes = ["api", "read_api", "read", "read_user", "openid", "profile", "email", "read_repository"];
  client = await registeredClient(deps, ann.user, {
    scopes: [...scopes, "write_repository", "create_runner"],
  });
});

async function tokenFor(user: SignedInUser = ann, scope = "read_user"): Promise<string> {
  const code = await codeFor(deps, user, authorizationQuery(client, { scope }));
  return String((await requestToken(exchangeOf(client, code))).body["access_token"]);
}

async function getUser(headers: Readonly<Record<string, string>>, query = "") {
  const response = await route.GET(new Request(`${ORIGIN}/api/v4/user${query}`, { headers }));
  expect(response.headers.get("content-type")).toMatch(/^application\/json(;|$)/);
  expect(response.headers.get("cache-control")).toContain("no-store");
  const body: Record<string, unknown> = await response.json();
  return { status: response.status, headers: response.headers, body };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("GET /api/v4/user", () => {
  it(conformance("US-01", "GET /api/v4/user returns the user of the token"), async () => {
    const { status, body } = await getUser(bearer(await tokenFor()));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ann.user.id,
      username: "ann",
      name: "ann",
      state: "active",
      locked: false,
      avatar_url: null,
      web_url: `${ORIGIN}/ann`,
      created_at: "2026-11-21T12:00:00.000Z",
      email: "ann@example.com",
      confirmed_at: "2026-11-21T12:00:00.000Z",
      identities: [],
      two_factor_enabled: false,
      external: false,
      private_profile: false,
    });
    expect(JSON.stringify(body)).not.toMatch(/argon2|digest|password/i);
  });

  it.each<[string, (token: string) => Promise<{ status: number }>]>([
    ["the Authorization header", (token) => getUser(bearer(token))],
    [
      "an Authorization header with the scheme in lower case",
      (token) => getUser({ authorization: `bearer ${token}` }),
    ],
    [
      "an Authorization header with the scheme in capitals",
      (token) => getUser({ authorization: `BEARER ${token}` }),
    ],
    ["the query parameter access_token", (token) => getUser({}, `?access_token=${token}`)],
    ["the query parameter private_token", (token) => getUser({}, `?private_token=${token}`)],
    ["the PRIVATE-TOKEN header", (token) => getUser({ "private-token": token })],
    [
      "the header and the query, if both tokens are equal",
      (token) => getUser(bearer(token), `?access_token=${token}`),
    ],
  ])(conformance("US-01", "GET /api/v4/user accepts the token from %s"), async (_where, get) => {
    expect((await get(await tokenFor())).status).toBe(200);
  });

  it(conformance("AT-30", "GET /api/v4/user refuses two different tokens in one request"), async () => {
    const [first, second] = [await tokenFor(), await tokenFor()];
    const pairs = [
      getUser(bearer(first), `?access_token=${second}`),
      getUser({ ...bearer(first), "private-token": second }),
      getUser({}, `?access_token=${first}&access_token=${second}`),
      getUser({ authorization: `Bearer ${first}, Bearer ${second}` }),
      getUser({ authorization: `Bearer ${first}, Basic ${second}` }),
    ];
    for (const { status, body } of await Promise.all(pairs))
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: "invalid_request", error_description: expect.any(String) },
      });
  });

  it.each<[string, Record<string, string>, string]>([
    ["no token", {}, ""],
    ["an empty token", { authorization: "Bearer " }, ""],
    ["the scheme alone", { authorization: "Bearer" }, ""],
    ["another scheme", { authorization: "Basic YTpi" }, ""],
    ["an unknown token", bearer("ghat_unknown"), ""],
    ["an unknown token in the query", {}, "?access_token=unknown"],
    ["U+0000 in the query", {}, "?access_token=a%00b"],
    ["a broken escape in the query", {}, "?access_token=%zz"],
  ])(
    conformance("US-02", "US-03", "XC-09", "GET /api/v4/user refuses a request with %s"),
    async (_what, headers, query) => {
      const response = await getUser(headers, query);
      expect({ status: response.status, body: response.body }).toEqual({
        status: 401,
        body: { message: "401 Unauthorized" },
      });
      expect(response.headers.get("www-authenticate")).toMatch(REALM);
    },
  );

  it(conformance("AT-39", "GET /api/v4/user does not accept a session cookie as a token"), async () => {
    expect((await getUser({ cookie: ann.cookie })).status).toBe(401);
  });

  it(
    conformance("US-03", "GET /api/v4/user refuses a token as expired from the exact second of its expiry"),
    async () => {
      const token = await tokenFor();
      deps.advance(7_199);
      expect((await getUser(bearer(token))).status).toBe(200);
      deps.advance(1);
      const { status, body, headers } = await getUser(bearer(token));
      const text = "Token is expired. You can either do re-authorization or token refresh.";
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: "invalid_token", error_description: text },
      });
      expect(headers.get("www-authenticate")).toMatch(REALM);
      expect(headers.get("www-authenticate")).toContain(`error="invalid_token", error_description="${text}"`);
    },
  );

  it(
    conformance(
      "US-03",
      "US-08",
      "GET /api/v4/user refuses a revoked token at the first request after the revocation",
    ),
    async () => {
      const code = await codeFor(deps, ann, authorizationQuery(client));
      const form = exchangeOf(client, code);
      const token = String((await requestToken(form)).body["access_token"]);
      expect((await getUser(bearer(token))).status).toBe(200);
      deps.advance(11);
      await requestToken(form);
      const { status, body, headers } = await getUser(bearer(token));
      const text = "Token was revoked. You have to re-authorize from the user.";
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: "invalid_token", error_description: text },
      });
      expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
    },
  );

  it.each(["api", "read_api", "read", "read_user", "openid read_user"])(
    "GET /api/v4/user accepts the scope %s",
    async (scope) => {
      expect((await getUser(bearer(await tokenFor(ann, scope)))).status).toBe(200);
    },
  );

  it.each([
    "openid",
    "profile",
    "email",
    "openid profile email",
    "read_repository write_repository",
    "create_runner",
  ])(conformance("US-04", "GET /api/v4/user refuses the scope %s"), async (scope) => {
    const { status, body } = await getUser(bearer(await tokenFor(ann, scope)));
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        error: "insufficient_scope",
        error_description: "The request requires higher privileges than provided by the access token.",
        scope: "api read_api read_user",
      },
    });
  });

  it(
    conformance("AT-48", "GET /api/v4/user refuses the token of a blocked user until the user is unblocked"),
    async () => {
      const bob = await signedInUser(deps, "bob");
      const token = await tokenFor(bob);
      const set = (state: string) => deps.db.user.update({ where: { id: bob.user.id }, data: { state } });
      await set("blocked");
      const { status, body } = await getUser(bearer(token));
      expect({ status, body }).toEqual({
        status: 403,
        body: { message: "403 Forbidden - Your account has been blocked." },
      });
      await set("active");
      expect((await getUser(bearer(token))).status).toBe(200);
      await deps.db.user.delete({ where: { id: bob.user.id } });
      expect((await getUser(bearer(token))).status).toBe(401);
    },
  );

  it("GET /api/v4/user returns is_admin only to administrators", async () => {
    const eve = await signedInUser(deps, "eve");
    const token = await tokenFor(eve);
    expect((await getUser(bearer(token))).body).not.toHaveProperty("is_admin");
    await deps.db.user.update({ where: { id: eve.user.id }, data: { admin: true } });
    expect((await getUser(bearer(token))).body).toMatchObject({ is_admin: true });
  });

  it(conformance("XC-01", "GET /api/v4/user supports only GET and the CORS preflight"), () => {
    expect(Object.keys(route)).toEqual(["GET", "OPTIONS"]);
  });
});
