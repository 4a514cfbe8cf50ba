import { createHook } from "node:async_hooks";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { PASSWORDS_WAITING_MAX, passwordDigest, withPasswordSlot } from "@/kernel/crypto/password.ts";
import {
  basicOf,
  type Client,
  type Fields,
  ORIGIN,
  PASSWORD,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;
let narrow: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "Ann");
  for (const name of ["blocked", "two"]) await signedInUser(deps, name);
  await deps.db.user.update({ where: { usernameLower: "blocked" }, data: { state: "blocked" } });
  const twoFactorSince = deps.clock();
  await deps.db.user.update({ where: { usernameLower: "two" }, data: { twoFactorSince } });
  await signedInUser(deps, "chief");
  await deps.db.user.update({ where: { usernameLower: "chief" }, data: { admin: true } });
  client = await registeredClient(deps, ann.user, { scopes: ["api", "read_user", "openid"] });
  narrow = await registeredClient(deps, ann.user, { scopes: ["read_user"] });
  publicClient = await registeredClient(deps, ann.user, { scopes: ["api"], confidential: false });
});

// Each test has its own rate-limit window.
beforeEach(() => deps.advance(200));

type TokenResponse = Awaited<ReturnType<typeof requestToken>>;

const requestPasswordToken = (changes: Fields = {}, basic?: string): Promise<TokenResponse> =>
  requestToken({ grant_type: "password", username: "ann", password: PASSWORD, ...changes }, basic);

/**
 * Returns the number of password hashes that `run` computes. Each hash creates an asynchronous resource of
 * the hash library.
 */
async function hashesOf(run: () => Promise<unknown>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type: unknown) => {
      if (type === "undefined") hashes += 1;
    },
  });
  hook.enable();
  await run();
  hook.disable();
  return hashes;
}

const stored = () => deps.db.oauthToken.findFirstOrThrow({ orderBy: { id: "desc" } });

const set = (changes: Parameters<typeof changeSettings>[1]) => changeSettings(deps, changes);

describe("the response of the password grant", () => {
  it(
    conformance(
      "PW-01",
      "PW-10",
      "the response of the password grant has exactly three members when the request has no client",
    ),
    async () => {
      const { status, body } = await requestPasswordToken();
      expect({ status, body }).toEqual({
        status: 200,
        body: { access_token: expect.stringMatching(/^ghat_/), token_type: "bearer", expires_in: 7200 },
      });
      expect(await stored()).toMatchObject({
        applicationId: null,
        userId: ann.user.id,
        scopes: "api",
        refreshDigest: null,
      });
    },
  );

  it("the response of the password grant has no expires_in for a token that never expires", async () => {
    await set({ oauth_access_token_expires_in: "0" });
    expect(Object.keys((await requestPasswordToken()).body)).toEqual(["access_token", "token_type"]);
    await set({ oauth_access_token_expires_in: "7200" });
  });

  it.each<[string, () => Promise<TokenResponse>]>([
    ["Basic", () => requestPasswordToken({}, basicOf(client.id, client.secret))],
    ["the form", () => requestPasswordToken({ client_id: client.id, client_secret: client.secret })],
  ])(
    conformance(
      "PW-02",
      "the response of the password grant contains a token of the client that authenticates by %s",
    ),
    async (_how, request) => {
      expect(Object.keys((await request()).body)).toEqual(["access_token", "token_type", "expires_in"]);
      expect(await stored()).toMatchObject({ applicationId: client.application.id, scopes: "api" });
    },
  );

  it("the password grant refuses a request with a resource, because the grant cannot limit its tokens", async () => {
    expect(await requestPasswordToken({ resource: `${ORIGIN}/api/v4/mcp` })).toMatchObject(
      refusal("invalid_target"),
    );
  });

  it.each(["ghat_token", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"])(
    "the password grant refuses the token %s in place of a password, and records no failed sign-in",
    async (password) => {
      const failures = () => deps.db.auditEvent.count({ where: { name: "sign_in.failed" } });
      const before = await failures();
      expect(await requestPasswordToken({ password })).toMatchObject(refusal("invalid_grant"));
      expect(await failures()).toBe(before);
    },
  );

  it("the password grant issues tokens to a public client", async () => {
    expect((await requestPasswordToken({ client_id: publicClient.id })).status).toBe(200);
  });

  it("the response of the password grant never contains an ID token, regardless of the scope", async () => {
    const { body } = await requestPasswordToken({ scope: "openid api" }, basicOf(client.id, client.secret));
    expect(Object.keys(body)).toEqual(["access_token", "token_type", "expires_in"]);
  });

  it.each(["ann", "ANN", "Ann", "ann@example.com", "ANN@Example.COM"])(
    conformance("PW-03", "the password grant issues tokens for the username %s"),
    async (username) => {
      expect((await requestPasswordToken({ username })).status).toBe(200);
    },
  );
});

describe("the scope of the password grant", () => {
  it.each(["api", "read_api", "read_user", "read", "read_repository", "write_repository", "read read_user"])(
    "the scope of a password grant request without a client may be %s",
    async (scope) => {
      expect((await requestPasswordToken({ scope })).status).toBe(200);
      expect((await stored()).scopes).toBe(scope);
    },
  );

  it.each(["openid", "profile", "email", "read_registry", "create_runner", "sudo", "API", "api openid", '"'])(
    conformance("PW-09", "the scope of a password grant request without a client may not be %s"),
    async (scope) => {
      expect(await requestPasswordToken({ scope })).toMatchObject(refusal("invalid_scope"));
    },
  );

  it(
    conformance("SC-26", "the scope of the password grant may include offline_access, which has no effect"),
    async () => {
      expect((await requestPasswordToken({ scope: "read_user offline_access" })).status).toBe(200);
      expect((await stored()).scopes).toBe("read_user");
      expect(await requestPasswordToken({ scope: "offline_access" })).toMatchObject(refusal("invalid_scope"));
      expect(await requestPasswordToken({ scope: "read_user offline_access other" })).toMatchObject(
        refusal("invalid_scope"),
      );
    },
  );

  it(conformance("PW-09", "the scope of the password grant must be registered for the client"), async () => {
    const basic = basicOf(narrow.id, narrow.secret);
    expect(await requestPasswordToken({ scope: "read_user" }, basic)).toMatchObject({ status: 200 });
    expect(await requestPasswordToken({ scope: "api" }, basic)).toMatchObject(refusal("invalid_scope"));
    expect(await requestPasswordToken({}, basic)).toMatchObject(refusal("invalid_scope"));
  });
});

describe("the client authentication of the password grant", () => {
  it.each<[string, () => Promise<TokenResponse>]>([
    ["a wrong Basic secret", () => requestPasswordToken({}, basicOf(client.id, "wrong"))],
    ["an unknown client", () => requestPasswordToken({ client_id: "unknown" })],
    ["a client without its secret", () => requestPasswordToken({ client_id: client.id })],
    ["a secret without its client", () => requestPasswordToken({ client_secret: client.secret })],
  ])(
    conformance("PW-07", "the client authentication fails for %s, before the password is checked"),
    async (_what, request) => {
      expect(await request()).toMatchObject(refusal("invalid_client"));
      expect(
        await deps.db.rateCounter.count({ where: { key: { startsWith: "password" }, count: { gt: 0 } } }),
      ).toBe(0);
    },
  );

  it(
    conformance(
      "PW-08",
      "the password grant requires client authentication while the setting ropc_without_client_credentials is off",
    ),
    async () => {
      await set({ ropc_without_client_credentials: "false" });
      expect(await requestPasswordToken()).toMatchObject(refusal("invalid_client"));
      expect((await requestPasswordToken({}, basicOf(client.id, client.secret))).status).toBe(200);
      await set({ ropc_without_client_credentials: "true" });
      expect((await requestPasswordToken()).status).toBe(200);
    },
  );

  it(
    conformance("TK-04", "an authenticated client that may not use the password grant is refused"),
    async () => {
      const otherClient = await registeredClient(deps, ann.user, { scopes: ["api"], allowsPassword: false });
      expect(await requestPasswordToken({}, basicOf(otherClient.id, otherClient.secret))).toMatchObject(
        refusal("unauthorized_client"),
      );
    },
  );
});

describe("a refused password grant", () => {
  it.each<[string, Fields]>([
    ["a wrong password", { password: "wrong horse battery" }],
    ["the password in capitals", { password: PASSWORD.toUpperCase() }],
    ["a password with a trailing space", { password: `${PASSWORD} ` }],
    ["a password that is too long", { password: "x".repeat(60_000) }],
    ["an unknown username", { username: "nobody" }],
    ["an unknown e-mail address", { username: "nobody@example.com" }],
    ["a username of sixty thousand letters", { username: "x".repeat(60_000) }],
    ["a blocked user with the right password", { username: "blocked" }],
    ["a user with a second factor and the right password", { username: "two" }],
    ["a user with a second factor and a wrong password", { username: "two", password: "wrong" }],
  ])(
    conformance(
      "PW-04",
      "PW-05",
      "PW-12",
      "AT-23",
      "a password grant with %s receives the same response as every other failure",
    ),
    async (_what, changes) => {
      const expected = (await requestPasswordToken({ username: "somebody else", password: "x" })).body;
      const { status, body } = await requestPasswordToken(changes);
      expect({ status, body }).toEqual({ status: 400, body: expected });
      expect(body["error"]).toBe("invalid_grant");
    },
  );

  it(
    conformance(
      "PW-06",
      "while passwords are disabled for all users, the password grant returns the same error as for a wrong password",
    ),
    async () => {
      await set({ password_authentication_enabled_for_git: "false" });
      const off = await requestPasswordToken();
      const wrong = await requestPasswordToken({ password: "wrong" });
      await set({ password_authentication_enabled_for_git: "true" });
      expect(off).toMatchObject(refusal("invalid_grant"));
      expect(off.body).toEqual((await requestPasswordToken({ password: "wrong" })).body);
      expect(wrong.body).toEqual(off.body);
      expect((await requestPasswordToken()).status).toBe(200);
    },
  );

  it(
    conformance(
      "PW-05",
      "after the grace period for a required second factor has ended, the password grant returns the same error as for a wrong password",
    ),
    async () => {
      const required = { require_two_factor_authentication: "true", two_factor_grace_period: "1" };
      await set(required);
      expect((await requestPasswordToken()).status).toBe(200);
      const where = { usernameLower: "ann" };
      await deps.db.user.update({ where, data: { twoFactorAskedAt: deps.clock() } });
      deps.advance(3_599);
      expect((await requestPasswordToken()).status).toBe(200);
      deps.advance(1);
      const due = await requestPasswordToken();
      expect(due).toMatchObject(refusal("invalid_grant"));
      expect(due.body).toEqual((await requestPasswordToken({ password: "wrong" })).body);
      await set({ require_two_factor_authentication: "false" });
      await deps.db.user.update({ where, data: { twoFactorAskedAt: null } });
      expect((await requestPasswordToken()).status).toBe(200);
    },
  );

  it.each(["username", "password"])(
    conformance("PW-04", "a password grant returns invalid_request for a missing or empty %s"),
    async (name) => {
      for (const value of [undefined, ""])
        expect(await requestPasswordToken({ [name]: value })).toMatchObject(refusal("invalid_request"));
    },
  );

  it(
    conformance(
      "PW-05",
      "AT-22",
      "AT-23",
      "a refused password grant request computes exactly one password hash, regardless of the reason for the refusal",
    ),
    async () => {
      expect(await hashesOf(() => passwordDigest(deps.passwordCost, "x"))).toBe(1);
      const kinds: Fields[] = [
        { password: "wrong" },
        { username: "nobody" },
        { username: "blocked" },
        { username: "two" },
        { username: "two", password: "wrong" },
        { username: "chief" },
      ];
      for (const kind of kinds) {
        let response: Partial<TokenResponse> = {};
        const hashes = await hashesOf(async () => {
          response = await requestPasswordToken(kind);
        });
        expect(response, JSON.stringify(kind)).toMatchObject(refusal("invalid_grant"));
        expect(hashes, JSON.stringify(kind)).toBe(1);
      }
    },
  );
});

describe("an administrator", () => {
  it(
    conformance(
      "SC-10",
      "an administrator cannot use the password grant without a client, and receives the same error as other users",
    ),
    async () => {
      const right = await requestPasswordToken({ username: "chief" });
      expect(right).toMatchObject(refusal("invalid_grant"));
      expect((await requestPasswordToken({ username: "chief", password: "wrong" })).body).toEqual(right.body);
      expect((await requestPasswordToken({ username: "nobody at all" })).body).toEqual(right.body);
    },
  );

  it(
    conformance("SC-10", "an administrator can use the password grant with a client that authenticates"),
    async () => {
      const of = { client_id: client.id, client_secret: client.secret, scope: "read_user" };
      expect((await requestPasswordToken({ username: "chief", ...of })).status).toBe(200);
      expect(await requestPasswordToken({ username: "chief" })).toMatchObject(refusal("invalid_grant"));
    },
  );
});

describe("a password grant", () => {
  it(
    conformance(
      "AT-25",
      "a password grant request receives 503 when the password queue is full, and does not count as a failure",
    ),
    async () => {
      await set({ limit_password_per_address: "0", limit_oauth_refused: "0" });
      deps.advance(3_600);
      const counted = () =>
        deps.db.rateCounter.count({
          where: { key: { startsWith: "password_per_login_in_all " }, endsAt: { gt: deps.clock() } },
        });
      let release = (): void => {};
      const hashing = new Promise<void>((resolve) => {
        release = resolve;
      });
      // The number of requests exceeds the number of passwords that the server can hash and queue
      // simultaneously, with any number of processors.
      const requests = Promise.allSettled(
        Array.from({ length: PASSWORDS_WAITING_MAX + 8 }, () => withPasswordSlot(() => hashing)),
      );
      for (const username of ["nobody1", "nobody2", "ann"]) {
        const { status, headers, body } = await requestPasswordToken({ username });
        expect({ status, error: body["error"] }).toEqual({ status: 503, error: "temporarily_unavailable" });
        expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      }
      expect(await counted()).toBe(0);
      release();
      await requests;
      const responses = await Promise.all(
        ["nobody1", "nobody2"].map((username) => requestPasswordToken({ username })),
      );
      expect(responses.map(({ status }) => status)).toEqual([400, 400]);
      expect(await counted()).toBe(2);
      await set({ limit_password_per_address: "100", limit_oauth_refused: "300" });
      expect((await requestPasswordToken()).status).toBe(200);
    },
  );
});
