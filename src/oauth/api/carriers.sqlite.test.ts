import * as settingsRoute from "@app/api/v4/application/settings/route.ts";
import * as selfRoute from "@app/api/v4/personal_access_tokens/self/route.ts";
import * as userRoute from "@app/api/v4/user/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { ALL_SCOPES } from "@/access/scopes.ts";
import { authenticateGit } from "@/code/git-http/credentials.ts";
import * as users from "@/identity/users/service.ts";
import { writeLastUses } from "@/instance/last-use/service.ts";
import { readSettings } from "@/instance/settings/service.ts";
import {
  createPersonalToken,
  revokePersonalToken,
  rotatePersonalToken,
} from "@/oauth/personal-access-tokens/service.ts";
import { issue } from "@/oauth/tokens/service.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const ORIGIN = "http://localhost:3000";
const REALM = /^Bearer realm="[^"]+"/;

let root: User;
let oauth: string;

beforeAll(async () => {
  const created = await users.create(deps, {
    username: "root",
    email: "root@example.com",
    password: "correct horse battery",
    admin: true,
  });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  root = created.user;
  oauth = await oauthToken();
});

/** Returns an access token of a password grant that has no client. */
const oauthToken = async (): Promise<string> => {
  const grant = { type: "password", applicationId: null, userId: root.id, scopes: ["api"] } as const;
  return (await issue(deps, await readSettings(deps), grant)).accessToken;
};

async function personalToken(scopes: readonly string[] = ["api"], expiresAt: string | null = null) {
  const created = await createPersonalToken(deps, root, { name: "test", scopes, expiresAt });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return created;
}

async function partsOf(promise: Promise<Response>) {
  const response = await promise;
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

type Headers = Readonly<Record<string, string>>;
const get = (headers: Headers | [string, string][], query = "") =>
  partsOf(userRoute.GET(new Request(`${ORIGIN}/api/v4/user${query}`, { headers })));

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const put = (body: BodyInit, headers: Headers = FORM, query = "") =>
  partsOf(
    settingsRoute.PUT(
      new Request(`${ORIGIN}/api/v4/application/settings${query}`, { method: "PUT", headers, body }),
    ),
  );

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("an access token", () => {
  const carriers: [string, (token: string) => Promise<{ status: number }>][] = [
    ["the header Authorization", (token) => get(bearer(token))],
    ["the query parameter access_token", (token) => get({}, `?access_token=${token}`)],
    ["the query parameter private_token", (token) => get({}, `?private_token=${token}`)],
    [conformance("SC-25", "the query parameter bearer_token"), (token) => get({}, `?bearer_token=${token}`)],
    [
      conformance("SC-25", "the form field bearer_token"),
      (token) => put(`signup_enabled=false&bearer_token=${token}`),
    ],
    ["the header PRIVATE-TOKEN", (token) => get({ "PRIVATE-TOKEN": token })],
    ["the form field access_token", (token) => put(`signup_enabled=false&access_token=${token}`)],
    ["the form field private_token", (token) => put(`signup_enabled=false&private_token=${token}`)],
    [
      "two headers PRIVATE-TOKEN",
      (token) =>
        get([
          ["PRIVATE-TOKEN", token],
          ["PRIVATE-TOKEN", token],
        ]),
    ],
    [
      "the headers, the query and the form together",
      (token) =>
        put(
          `signup_enabled=false&private_token=${token}`,
          { ...FORM, ...bearer(token), "private-token": token },
          `?access_token=${token}`,
        ),
    ],
  ];

  it.each(carriers)(
    conformance("US-01", "US-07", "an OAuth access token is accepted in %s"),
    async (_where, call) => {
      expect((await call(oauth)).status).toBe(200);
    },
  );

  it.each(carriers)(
    conformance("US-01", "US-07", "a personal access token is accepted in %s"),
    async (_where, call) => {
      expect((await call((await personalToken()).value)).status).toBe(200);
    },
  );

  it.each(carriers)(
    conformance("US-03", "the use of a rotated token in %s revokes the token family"),
    async (_where, call) => {
      const { token, value } = await personalToken();
      const rotated = await rotatePersonalToken(deps, token, null);
      if (rotated === null || "problems" in rotated) throw new Error("The token was not rotated.");
      expect((await call(rotated.value)).status).toBe(200);
      expect((await call(value)).status).toBe(401);
      expect((await call(rotated.value)).status).toBe(401);
    },
  );

  it("the use of a rotated token as a Git password revokes the token family", async () => {
    const { token, value } = await personalToken();
    const rotated = await rotatePersonalToken(deps, token, null);
    if (rotated === null || "problems" in rotated) throw new Error("The token was not rotated.");
    const pull = (password: string) => {
      const authorization = `Basic ${Buffer.from(`x:${password}`).toString("base64")}`;
      return authenticateGit(
        deps,
        new Request(`${ORIGIN}/a/b.git/info/refs`, { headers: { authorization } }),
      );
    };
    expect(await pull(rotated.value)).toMatchObject({ user: { id: root.id } });
    await expect(pull(value)).rejects.toMatchObject({ status: 401 });
    await expect(pull(rotated.value)).rejects.toMatchObject({ status: 401 });
  });

  it(conformance("US-05", "a refresh token is refused as an access token in every header"), async () => {
    const grant = { type: "device_code", applicationId: null, userId: root.id, scopes: ["api"] } as const;
    const { refreshToken } = await issue(deps, await readSettings(deps), grant);
    const refresh = String(refreshToken);
    expect(refresh).toMatch(/^ghrt_/);
    for (const headers of [bearer(refresh), { "PRIVATE-TOKEN": refresh }])
      expect(await get(headers)).toMatchObject({ status: 401, body: { message: "401 Unauthorized" } });
  });

  it(conformance("AT-30", "a request with two different tokens is refused"), async () => {
    const personal = (await personalToken()).value;
    const refused = {
      status: 400,
      body: { error: "invalid_request", error_description: expect.any(String) },
    };
    const calls = [
      get({ ...bearer(oauth), "private-token": personal }),
      get(bearer(oauth), `?private_token=${personal}`),
      get([
        ["PRIVATE-TOKEN", oauth],
        ["PRIVATE-TOKEN", personal],
      ]),
      get({}, `?access_token=${oauth}&private_token=${personal}`),
      get({}, `?access_token=${oauth}&bearer_token=${personal}`),
      put(`access_token=${oauth}`, { ...FORM, ...bearer(personal) }),
      put(`access_token=${oauth}&private_token=${personal}`),
      put(`access_token=${oauth}&access_token=${personal}`),
      put(`access_token=${oauth}`, FORM, `?access_token=${personal}`),
    ];
    for (const response of await Promise.all(calls)) expect(response).toMatchObject(refused);
  });

  it.each(["ghpt_unknown", "ghat_unknown", "ghrt_unknown", "x"])(
    conformance(
      "US-02",
      "a request with the unknown token %s gets the same response as a request without a token",
    ),
    async (token) => {
      const responses = [await get({}), await get(bearer(token)), await get({ "private-token": token })];
      for (const { status, body, headers } of responses) {
        expect({ status, body }).toEqual({ status: 401, body: { message: "401 Unauthorized" } });
        expect(headers.get("www-authenticate")).toMatch(REALM);
        expect(headers.get("www-authenticate")).not.toContain("error");
      }
    },
  );
});

describe("a personal access token", () => {
  const EXPIRED = "Token is expired. You can either do re-authorization or token refresh.";
  const REVOKED = "Token was revoked. You have to re-authorize from the user.";

  it.each([
    ["expired", EXPIRED],
    ["revoked", REVOKED],
  ])(
    conformance(
      "US-03",
      "US-08",
      "if a personal access token is %s, the response names this state of the token",
    ),
    async (how, text) => {
      const day = new Date(deps.clock().getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
      const { token, value } = await personalToken(["api"], day);
      expect((await get(bearer(value))).status).toBe(200);
      if (how === "revoked") await revokePersonalToken(deps, token);
      else {
        const seconds = (Date.parse(day) - deps.clock().getTime()) / 1000;
        deps.advance(seconds - 1);
        expect((await get(bearer(value))).status).toBe(200);
        deps.advance(1);
      }
      const { status, body, headers } = await get({ "private-token": value });
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: "invalid_token", error_description: text },
      });
      expect(headers.get("www-authenticate")).toContain(`error="invalid_token", error_description="${text}"`);
      oauth = await oauthToken();
    },
  );

  it(
    conformance("US-04", "a personal access token can call only the endpoints that its scopes allow"),
    async () => {
      expect((await get(bearer((await personalToken(["read_user"])).value))).status).toBe(200);
      const value = (await personalToken(["read_repository"])).value;
      const refused = await get(bearer(value));
      expect({ status: refused.status, body: refused.body }).toEqual({
        status: 403,
        body: {
          error: "insufficient_scope",
          error_description: "The request requires higher privileges than provided by the access token.",
          scope: "api read_api read_user",
        },
      });
      expect(refused.headers.has("www-authenticate")).toBe(false);
    },
  );

  it(conformance("AT-48", "the personal access token of a blocked user is refused"), async () => {
    const { value } = await personalToken();
    const set = (state: string) => deps.db.user.update({ where: { id: root.id }, data: { state } });
    await set("blocked");
    const { status, body } = await get(bearer(value));
    await set("active");
    expect({ status, body }).toEqual({
      status: 403,
      body: { message: "403 Forbidden - Your account has been blocked." },
    });
  });

  it(
    conformance("XC-16", "a personal access token is stored as a digest, and its value is shown only once"),
    async () => {
      const { value } = await personalToken();
      expect(value).toMatch(/^ghpt_[A-Za-z0-9_-]{43}[a-z0-9]{7}$/);
      expect(JSON.stringify(await deps.db.personalAccessToken.findMany())).not.toContain(value);
      expect(JSON.stringify(await deps.db.auditEvent.findMany())).not.toContain(value);
      expect(JSON.stringify(deps.logged)).not.toContain(value);
    },
  );

  it("a personal access token can have every scope except the scopes for sign-in", async () => {
    for (const scope of ALL_SCOPES) {
      const created = await createPersonalToken(deps, root, { name: "x", scopes: [scope], expiresAt: null });
      expect("problems" in created, scope).toBe(["openid", "profile", "email"].includes(scope));
    }
  });

  it("the time of the last use of a personal access token is stored at most once in five minutes", async () => {
    const { token, value } = await personalToken();
    const lastUsedAt = async () => {
      await writeLastUses(deps);
      return (await deps.db.personalAccessToken.findUniqueOrThrow({ where: { id: token.id } })).lastUsedAt;
    };
    const first = deps.clock();
    for (let use = 0; use < 5; use++) await get(bearer(value));
    expect(await lastUsedAt()).toEqual(first);
    deps.advance(299);
    await get(bearer(value));
    await get(bearer(value));
    expect(await lastUsedAt()).toEqual(first);
    deps.advance(1);
    await get(bearer(value));
    expect(await lastUsedAt()).toEqual(deps.clock());
  });

  it("the endpoint /personal_access_tokens/self accepts a personal access token with any scope, but no OAuth token", async () => {
    const self = (value: string) =>
      partsOf(
        selfRoute.GET(
          new Request(`${ORIGIN}/api/v4/personal_access_tokens/self`, { headers: bearer(value) }),
        ),
      );
    const { token, value } = await personalToken(["read_repository"], "2027-06-01");
    const { status, body } = await self(value);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: token.id,
        name: "test",
        revoked: false,
        created_at: deps.clock().toISOString(),
        description: null,
        scopes: ["read_repository"],
        user_id: root.id,
        last_used_at: expect.toSatisfy((at: unknown) => at === null || at === deps.clock().toISOString()),
        active: true,
        expires_at: "2027-06-01",
      },
    });
    expect(await self(oauth)).toMatchObject({
      status: 401,
      body: { message: expect.stringMatching(/^401 Unauthorized - .*personal access tokens only/) },
    });
  });
});
