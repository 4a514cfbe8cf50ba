import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { digest, newToken } from "@/kernel/crypto/token.ts";
import { findByRefreshDigest } from "@/oauth/tokens/store.sql.ts";
import { revokeFamilies } from "@/oauth/tokens/store.ts";
import {
  authorizationQuery,
  basicOf,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  type Fields,
  REDIRECT_URI,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
  VERIFIER,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { bearer, grantedTokens, refreshOf, type Tokens, tokenInfo, tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const invalidGrant = refusal("invalid_grant");

let ann: SignedInUser;
let client: Client;
let other: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const scopes = ["read_user", "api", "profile", "openid"];
  client = await registeredClient(deps, ann.user, { scopes });
  other = await registeredClient(deps, ann.user, { scopes });
  publicClient = await registeredClient(deps, ann.user, { scopes, confidential: false });
});

beforeEach(async () => {
  await deps.db.setting.deleteMany();
});

const granted = (to: Client = client, scope = "read_user"): Promise<Tokens> =>
  grantedTokens(deps, ann, to, { scope });

const refreshed = async (tokens: Tokens, changes: Fields = {}, by: Client = client): Promise<Tokens> =>
  tokensIn(await requestToken(refreshOf(by, tokens.refresh, changes)));

const set = async (changes: Parameters<typeof changeSettings>[1]): Promise<void> =>
  expect(await changeSettings(deps, changes)).toEqual([]);

/** Returns whether both tokens of a pair are valid, without using the refresh token. */
async function alive({ access, refresh }: Tokens): Promise<boolean> {
  const info = await tokenInfo(bearer(access));
  const row = await findByRefreshDigest(deps.prepared, digest(refresh));
  expect(row?.revokedAt === null).toBe(info.status === 200);
  return info.status === 200;
}

describe("a token refresh", () => {
  it(
    conformance(
      "RT-01",
      "RT-03",
      "a token refresh issues a new pair of tokens with the full lifetime, and revokes the old pair immediately",
    ),
    async () => {
      const old = await granted();
      deps.advance(100);
      const { status, body } = await requestToken(refreshOf(client, old.refresh));
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.any(String),
          token_type: "bearer",
          expires_in: 7200,
          refresh_token: expect.any(String),
          scope: "read_user",
          created_at: Math.floor(deps.clock().getTime() / 1000),
        },
      });
      const now = tokensIn({ status, body });
      expect(new Set([old.access, old.refresh, now.access, now.refresh]).size).toBe(4);
      expect([await bearerStatus(old.access), await bearerStatus(now.access)]).toEqual([401, 200]);
      expect((await tokenInfo(bearer(old.access))).status).toBe(401);
    },
  );

  it(conformance("RT-01", "a token refresh accepts client credentials by HTTP Basic"), async () => {
    const { refresh } = await granted();
    const form = refreshOf(client, refresh, { client_id: undefined, client_secret: undefined });
    expect((await requestToken(form, basicOf(client.id, client.secret))).status).toBe(200);
  });

  it(conformance("RT-02", "a token refresh by a public client requires no secret"), async () => {
    const old = await granted(publicClient);
    expect(await alive(await refreshed(old, {}, publicClient))).toBe(true);
  });

  it(conformance("RT-04", "a refresh works after the access token has expired"), async () => {
    const old = await granted();
    deps.advance(7201);
    expect(await bearerStatus(old.access)).toBe(401);
    expect(await alive(await refreshed(old))).toBe(true);
  });

  it.each([undefined, ""])(
    conformance("RT-05", "a refresh requires the parameter refresh_token, and rejects %j"),
    async (refresh_token) => {
      const { refresh } = await granted();
      expect(await requestToken(refreshOf(client, refresh, { refresh_token }))).toMatchObject(
        refusal("invalid_request"),
      );
    },
  );

  it(
    conformance("RT-06", "AT-28", "a token refresh refuses values that are not refresh tokens"),
    async () => {
      const tokens = await granted();
      const code = await codeFor(deps, ann, authorizationQuery(client));
      for (const value of [tokens.access, code, "unknown", newToken(deps.randomBytes, "refresh")])
        expect(await requestToken(refreshOf(client, value))).toMatchObject(invalidGrant);
      expect(await alive(tokens)).toBe(true);
    },
  );

  it(
    conformance(
      "RT-07",
      "AT-27",
      "when a client sends the refresh token of another client, the refresh is refused, and the other client can still use the token",
    ),
    async () => {
      const tokens = await granted();
      for (const thief of [other, publicClient])
        expect(await requestToken(refreshOf(thief, tokens.refresh))).toMatchObject(invalidGrant);
      expect(await alive(await refreshed(tokens))).toBe(true);
    },
  );

  it.each<[string, Fields]>([
    ["no secret", { client_secret: undefined }],
    ["a wrong secret", { client_secret: "wrong" }],
  ])(
    conformance(
      "RT-08",
      "AT-29",
      "a token refresh refuses a confidential client with %s, and keeps the token unused",
    ),
    async (_what, changes) => {
      const tokens = await granted();
      expect(await requestToken(refreshOf(client, tokens.refresh, changes))).toMatchObject(
        refusal("invalid_client"),
      );
      expect(await alive(await refreshed(tokens))).toBe(true);
    },
  );

  it(
    conformance(
      "SC-25",
      "RT-08",
      "a token refresh returns invalid_grant when the client_id is missing, and the refresh token stays valid",
    ),
    async () => {
      const tokens = await granted();
      const anonymous = { client_id: undefined, client_secret: undefined };
      for (const basic of [undefined, "Basic Og=="]) {
        const response = await requestToken(refreshOf(client, tokens.refresh, anonymous), basic);
        expect(response).toMatchObject(invalidGrant);
      }
      expect(await alive(await refreshed(tokens))).toBe(true);
    },
  );

  it(
    conformance(
      "RT-08",
      "a token refresh returns invalid_grant for an unknown token without client credentials",
    ),
    async () => {
      const form = { grant_type: "refresh_token", refresh_token: "unknown" };
      expect(await requestToken(form)).toMatchObject(invalidGrant);
    },
  );

  it(
    conformance(
      "RT-08",
      "a token refresh without client credentials accepts a refresh token that was issued without a client",
    ),
    async () => {
      const refresh = newToken(deps.randomBytes, "refresh");
      const access = newToken(deps.randomBytes, "access");
      const createdAt = deps.clock();
      const grant = { userId: ann.user.id, scopes: "read_user", createdAt };
      const family = await deps.db.tokenFamily.create({
        data: { ...grant, grantType: "password", rotations: 0 },
      });
      const digests = { accessDigest: digest(access), refreshDigest: digest(refresh) };
      await deps.db.oauthToken.create({ data: { ...grant, ...digests, familyId: family.id } });
      const anonymous = { grant_type: "refresh_token", refresh_token: refresh };
      expect(await requestToken({ ...anonymous, ...refreshOf(client, refresh) })).toMatchObject(invalidGrant);
      const next = tokensIn(await requestToken(anonymous));
      expect((await tokenInfo(bearer(next.access))).body).toMatchObject({ application: { uid: null } });
    },
  );

  it(
    conformance(
      "RT-09",
      "RT-17",
      "a token refresh refuses a token of a revoked grant or of a removed application",
    ),
    async () => {
      const tokens = await granted();
      const removed = await registeredClient(deps, ann.user);
      const orphan = await granted(removed);
      await deps.db.application.delete({ where: { id: removed.application.id } });
      expect(await requestToken(refreshOf(removed, orphan.refresh))).toMatchObject(refusal("invalid_client"));
      expect(await requestToken(refreshOf(client, orphan.refresh))).toMatchObject(invalidGrant);
      const choice = { userId: ann.user.id, applicationId: client.application.id };
      await deps.transaction((within) => revokeFamilies(within.db, choice, within.clock()));
      expect(await requestToken(refreshOf(client, tokens.refresh))).toMatchObject(invalidGrant);
      expect(await alive(tokens)).toBe(false);
    },
  );

  it(
    conformance(
      "RT-17",
      "AT-48",
      "a token refresh refuses the refresh token of a blocked user, and accepts the refresh token after the user is unblocked",
    ),
    async () => {
      const bob = await signedInUser(deps, "bob");
      const tokens = await grantedTokens(deps, bob, client);
      const state = (value: string) =>
        deps.db.user.update({ where: { id: bob.user.id }, data: { state: value } });
      await state("blocked");
      expect(await requestToken(refreshOf(client, tokens.refresh))).toMatchObject(invalidGrant);
      await state("active");
      expect(await alive(await refreshed(tokens))).toBe(true);
    },
  );

  it(
    conformance(
      "RT-20",
      "tokens can be refreshed 200 times in a row, each time with the refresh token of the last response",
    ),
    async () => {
      let tokens = await granted();
      const { id } = await deps.db.tokenFamily.findFirstOrThrow({ orderBy: { id: "desc" } });
      for (let round = 0; round < 200; round++) tokens = await refreshed(tokens);
      expect(await alive(tokens)).toBe(true);
      const family = await deps.db.tokenFamily.findUnique({ where: { id }, include: { tokens: true } });
      expect(family).toMatchObject({ rotations: 200, revokedAt: null });
      expect(family?.tokens.length).toBe(201);
      expect(family?.tokens.filter((token) => token.revokedAt === null)).toHaveLength(1);
    },
  );
});

describe("the scope of a token refresh", () => {
  const scopeOf = async (token: string): Promise<unknown> => (await tokenInfo(bearer(token))).body["scope"];

  it(
    conformance(
      "RT-14",
      "a token refresh may request a narrower scope, which applies only to the new access token",
    ),
    async () => {
      const first = await granted(client, "read_user api profile");
      const narrowed = await requestToken(refreshOf(client, first.refresh, { scope: "profile  profile" }));
      expect(narrowed.body["scope"]).toBe("profile");
      const second = tokensIn(narrowed);
      expect(await scopeOf(second.access)).toEqual(["profile"]);
      const third = await refreshed(second);
      expect(await scopeOf(third.access)).toEqual(["read_user", "api", "profile"]);
      const fourth = await refreshed(third, { scope: "api" });
      const fifth = await refreshed(fourth, { scope: "profile api read_user" });
      expect(await scopeOf(fifth.access)).toEqual(["read_user", "api", "profile"]);
    },
  );

  it(
    conformance(
      "SC-26",
      "the scope of a refresh may contain offline_access, which is never granted or returned",
    ),
    async () => {
      const code = await codeFor(
        deps,
        ann,
        authorizationQuery(client, { scope: "read_user offline_access" }),
      );
      const first = await requestToken(exchangeOf(client, code));
      expect(first.body).toMatchObject({ scope: "read_user", refresh_token: expect.any(String) });
      const refresh = String(first.body["refresh_token"]);
      const form = refreshOf(client, refresh, { scope: "read_user offline_access" });
      const second = await requestToken(form);
      expect(second.body).toMatchObject({ scope: "read_user" });
      expect(await scopeOf(String(second.body["access_token"]))).toEqual(["read_user"]);
      expect(await deps.db.consent.findFirst({ where: { scopes: { contains: "offline" } } })).toBeNull();
    },
  );

  it.each(["read_user api", "API", "Read_user", "read_user\tapi", "read_user\u00a0", "constructor", "sudo"])(
    conformance(
      "RT-13",
      "AT-27",
      "the scope of a token refresh may not be %j, and the refused request does not use up the refresh token",
    ),
    async (scope) => {
      const tokens = await granted();
      expect(await requestToken(refreshOf(client, tokens.refresh, { scope }))).toMatchObject(
        refusal("invalid_scope"),
      );
      expect(await alive(await refreshed(tokens))).toBe(true);
    },
  );
});

describe("the parameters of the authorization request in a refresh", () => {
  it(
    conformance(
      "RT-15",
      "RT-16",
      "a token refresh may omit the parameters of the authorization request, but is refused if it contains them with other values",
    ),
    async () => {
      const tokens = await granted(publicClient);
      for (const changes of [
        { redirect_uri: `${REDIRECT_URI}/` },
        { redirect_uri: "https://evil.example/" },
        { code_verifier: `${VERIFIER.slice(0, -1)}x` },
        { code_verifier: "short" },
      ])
        expect(await requestToken(refreshOf(publicClient, tokens.refresh, changes))).toMatchObject(
          invalidGrant,
        );
      const repeated = { redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
      const next = await refreshed(tokens, repeated, publicClient);
      expect(await alive(await refreshed(next, {}, publicClient))).toBe(true);
    },
  );

  it(
    conformance(
      "RT-16",
      "a refresh may include a PKCE verifier if the authorization code had no challenge, and the verifier is ignored",
    ),
    async () => {
      expect(await alive(await refreshed(await granted(), { code_verifier: VERIFIER }))).toBe(true);
    },
  );

  it(
    conformance(
      "RT-15",
      "a refresh must include redirect_uri while refresh_requires_redirect_uri is enabled",
    ),
    async () => {
      const tokens = await granted();
      await set({ refresh_requires_redirect_uri: "true" });
      expect(await requestToken(refreshOf(client, tokens.refresh))).toMatchObject(refusal("invalid_request"));
      expect(await alive(await refreshed(tokens, { redirect_uri: REDIRECT_URI }))).toBe(true);
    },
  );
});

describe("a refresh token with a limited lifetime", () => {
  it(
    conformance("RT-19", "a refresh token with a limited lifetime expires when it is unused for too long"),
    async () => {
      await set({ refresh_token_idle_limit: "86400" });
      const first = await granted();
      deps.advance(86_399);
      const second = await refreshed(first);
      deps.advance(86_399);
      const third = await refreshed(second);
      deps.advance(86_400);
      expect(await requestToken(refreshOf(client, third.refresh))).toMatchObject(invalidGrant);
    },
  );

  it(
    conformance(
      "RT-19",
      "a refresh token with a limited lifetime expires together with its grant, even if the client uses the grant regularly",
    ),
    async () => {
      await set({ refresh_token_absolute_limit: "1000", refresh_token_idle_limit: "900" });
      const first = await granted();
      deps.advance(800);
      const second = await refreshed(first);
      deps.advance(199);
      const third = await refreshed(second);
      deps.advance(1);
      expect(await requestToken(refreshOf(client, third.refresh))).toMatchObject(invalidGrant);
    },
  );
});
