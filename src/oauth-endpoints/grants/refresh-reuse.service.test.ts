import { POST as postToken } from "@app/oauth/token/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { digest } from "@/kernel/crypto/token.ts";
import { type Deps, provideDeps } from "@/kernel/deps/deps.ts";
import { findByRefreshDigest } from "@/oauth/tokens/store.sql.ts";
import {
  type Client,
  encoded,
  type Fields,
  ORIGIN,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
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

describe("a refresh token that is used again", () => {
  const reuse = (tokens: Tokens, by = client, changes: Fields = {}) =>
    requestToken(refreshOf(by, tokens.refresh, changes));
  const events = () =>
    deps.db.auditEvent.findMany({ where: { name: "token.family_revoked" }, orderBy: { id: "asc" } });

  it(
    conformance(
      "RT-10",
      "RT-12",
      "a refresh token that is used again within the reuse leeway is refused, and its token family stays valid",
    ),
    async () => {
      const old = await granted();
      const next = await refreshed(old);
      expect(await reuse(old)).toMatchObject(invalidGrant);
      deps.advance(10);
      expect(await reuse(old)).toMatchObject(invalidGrant);
      expect(await alive(next)).toBe(true);
    },
  );

  it.each([
    ["confidential", () => client],
    ["public", () => publicClient],
  ])(
    conformance(
      "RT-11",
      "AT-08",
      "after the reuse leeway, the reuse of a %s client's refresh token revokes the token family, and the revocation is recorded",
    ),
    async (_what, by) => {
      const old = await granted(by());
      const next = await refreshed(old, {}, by());
      const newest = await refreshed(next, {}, by());
      const bystander = await granted(by());
      const before = (await events()).length;
      deps.advance(11);
      expect(await reuse(old, by())).toMatchObject(invalidGrant);
      expect([await alive(newest), await alive(bystander)]).toEqual([false, true]);
      expect(await reuse(newest, by())).toMatchObject(invalidGrant);
      expect(await reuse(old, by())).toMatchObject(invalidGrant);
      const recorded = (await events()).slice(before);
      expect(recorded).toMatchObject([{ userId: ann.user.id, applicationId: by().application.id }]);
      expect(JSON.parse(recorded[0]?.details ?? "")).toEqual({
        because: "refresh_reuse",
        familyId: expect.any(Number),
      });
    },
  );

  it("a simultaneous use of a refresh token is refused, and its token family stays valid, even if the process pauses for longer than the reuse leeway", async () => {
    const old = await granted();
    let next: Tokens | null = null;
    const write: Deps["prepared"]["write"] = async (...rotation) => {
      provideDeps(deps);
      next = await refreshed(old);
      deps.advance(11);
      return deps.prepared.write(...rotation);
    };
    provideDeps({ ...deps, prepared: { ...deps.prepared, write } });
    expect(await reuse(old)).toMatchObject(invalidGrant);
    expect(next && (await alive(next))).toBe(true);
  });

  it(conformance("RT-11", "the reuse of a refresh token by another client revokes nothing"), async () => {
    const old = await granted();
    const next = await refreshed(old);
    deps.advance(60);
    expect(await reuse(old, other)).toMatchObject(invalidGrant);
    expect(await reuse(old, client, { client_secret: "wrong" })).toMatchObject(refusal("invalid_client"));
    const anonymous = { client_id: undefined, client_secret: undefined };
    expect(await reuse(old, client, anonymous)).toMatchObject(invalidGrant);
    expect(await alive(next)).toBe(true);
  });

  it(
    conformance(
      "RT-11",
      "the reuse of a refresh token revokes its token family even if the request has other errors",
    ),
    async () => {
      const old = await granted();
      const next = await refreshed(old);
      deps.advance(11);
      const wrong = { scope: "api", redirect_uri: "https://evil.example/" };
      expect(await reuse(old, client, wrong)).toMatchObject(invalidGrant);
      expect(await alive(next)).toBe(false);
    },
  );

  it(
    conformance(
      "RT-11",
      "RT-12",
      "the configured reuse leeway determines whether the reuse of a refresh token revokes its token family",
    ),
    async () => {
      await set({ refresh_reuse_leeway: "0" });
      const old = await granted();
      const next = await refreshed(old);
      expect(await reuse(old)).toMatchObject(invalidGrant);
      expect(await alive(next)).toBe(true);
      deps.advance(0.001);
      expect(await reuse(old)).toMatchObject(invalidGrant);
      expect(await alive(next)).toBe(false);
    },
  );
});

describe("twenty simultaneous refreshes with one token", () => {
  it.each([1, 2, 3])(
    conformance(
      "AT-04",
      "LF-05",
      "twenty simultaneous refreshes with one token return tokens exactly once, round %i",
    ),
    async () => {
      const { refresh } = await granted();
      const form = refreshOf(client, refresh);
      const responses = await Promise.all(Array.from({ length: 20 }, () => requestToken(form)));
      const won = responses.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const lost of responses.filter(({ status }) => status !== 200))
        expect(lost).toMatchObject(invalidGrant);
      for (const response of won) expect(await alive(tokensIn(response))).toBe(true);
      const family = await deps.db.tokenFamily.findFirstOrThrow({ orderBy: { id: "desc" } });
      expect(family.rotations).toBe(1);
      expect(await deps.db.oauthToken.count({ where: { familyId: family.id } })).toBe(2);
    },
  );
});

describe("the retry window of a token refresh", () => {
  const REFUSED = "refused: invalid_grant";

  /** Returns the response body as text. */
  async function raw(form: Fields): Promise<string> {
    const body = new URLSearchParams(encoded(form));
    const response = await postToken(new Request(`${ORIGIN}/oauth/token`, { method: "POST", body }));
    const text = await response.text();
    return response.status === 200 ? text : `refused: ${JSON.parse(text).error}`;
  }

  it(
    conformance(
      "RT-12",
      "within the retry window, the token endpoint repeats the response of a token refresh for the same client, byte for byte",
    ),
    async () => {
      await set({ refresh_retry_window: "60" });
      for (const by of [client, publicClient]) {
        const { refresh } = await granted(by, "openid read_user");
        const first = await raw(refreshOf(by, refresh));
        expect(first).toContain('"id_token"');
        deps.advance(60);
        expect(await raw(refreshOf(by, refresh))).toBe(first);
        const carried = tokensIn({ status: 200, body: JSON.parse(first) });
        expect(await alive(carried)).toBe(true);
        deps.advance(1);
        expect(await raw(refreshOf(by, refresh))).toBe(REFUSED);
        expect(await alive(carried)).toBe(false);
      }
    },
  );

  it(
    conformance(
      "RT-12",
      "AT-04",
      "within the retry window, the token endpoint returns the same response to twenty simultaneous callers",
    ),
    async () => {
      await set({ refresh_retry_window: "60" });
      const { refresh } = await granted();
      const responses = await Promise.all(Array.from({ length: 20 }, () => raw(refreshOf(client, refresh))));
      expect(responses[0]).toContain("access_token");
      expect(new Set(responses).size).toBe(1);
      const family = await deps.db.tokenFamily.findFirstOrThrow({ orderBy: { id: "desc" } });
      expect(await deps.db.oauthToken.count({ where: { familyId: family.id } })).toBe(2);
    },
  );

  it(
    conformance(
      "RT-12",
      "within the retry window, the token endpoint does not repeat the response of a token refresh for other clients or for different requests",
    ),
    async () => {
      await set({ refresh_retry_window: "60" });
      const { refresh } = await granted(client, "read_user api");
      const narrowed = refreshOf(client, refresh, { scope: "api" });
      const first = await raw(narrowed);
      expect(await raw(refreshOf(other, refresh, { scope: "api" }))).toBe(REFUSED);
      expect(await raw(refreshOf(client, refresh))).toBe(REFUSED);
      expect(await raw({ ...narrowed, redirect_uri: "https://x.example/" })).toBe(REFUSED);
      expect(await raw({ ...narrowed, scope: "api api" })).toBe(first);
    },
  );

  it(
    conformance(
      "RT-12",
      "RV-13",
      "the retry window of a token refresh ends when the new tokens are used or the grant is revoked",
    ),
    async () => {
      await set({ refresh_retry_window: "60" });
      const old = await granted();
      const next = await refreshed(old);
      const newest = await refreshed(next);
      expect(await raw(refreshOf(client, old.refresh))).toBe(REFUSED);
      expect(await alive(newest)).toBe(true);
      deps.advance(11);
      expect(await raw(refreshOf(client, old.refresh))).toBe(REFUSED);
      expect(await alive(newest)).toBe(false);
      expect(await raw(refreshOf(client, next.refresh))).toBe(REFUSED);
    },
  );

  it(
    conformance(
      "RT-12",
      "XC-16",
      "the retry window of a token refresh is disabled by default, and the server then stores no responses",
    ),
    async () => {
      await deps.db.oauthToken.deleteMany();
      await refreshed(await granted());
      expect(await deps.db.oauthToken.count({ where: { sealedAnswer: { not: null } } })).toBe(0);
    },
  );

  it(
    conformance(
      "RT-12",
      "XC-16",
      "the response that is stored for the retry window is encrypted with a key that is derived from the used refresh token",
    ),
    async () => {
      await set({ refresh_retry_window: "60" });
      const old = await granted();
      const next = await refreshed(old);
      const row = await deps.db.oauthToken.findFirstOrThrow({
        where: { refreshDigest: digest(old.refresh) },
      });
      const bytes = Buffer.from(row.sealedAnswer ?? "", "base64url").toString("latin1");
      expect(bytes.length).toBeGreaterThan(100);
      for (const readable of [next.access, next.refresh, "token", "bearer", old.refresh])
        expect(`${row.sealedAnswer} ${bytes}`).not.toContain(readable);
      const sealedAnswer = `${row.sealedAnswer?.slice(0, -4)}AAAA`;
      await deps.db.oauthToken.update({ where: { id: row.id }, data: { sealedAnswer } });
      expect(await raw(refreshOf(client, old.refresh))).toBe(REFUSED);
    },
  );
});
