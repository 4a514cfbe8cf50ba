import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
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
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const OTHER_VERIFIER = "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf";
const invalidGrant = refusal("invalid_grant");

let ann: SignedInUser;
let client: Client;
let other: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  const redirectUris = `${REDIRECT_URI}\n${REDIRECT_URI}/2`;
  client = await registeredClient(deps, ann.user, { redirectUris });
  other = await registeredClient(deps, ann.user);
  publicClient = await registeredClient(deps, ann.user, { confidential: false });
});

/** Returns the form of a valid token request with a new authorization code, and with the given changes. */
async function freshExchange(by: Client, query: Fields = {}, changes: Fields = {}): Promise<Fields> {
  return exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by, query)), changes);
}

describe("an authorization code that is used again", () => {
  it(
    conformance(
      "AC-07",
      "an authorization code that is reused within the reuse leeway is refused, but its tokens stay valid, because the request can be a retry",
    ),
    async () => {
      const form = await freshExchange(client);
      const { body } = await requestToken(form);
      expect(await requestToken(form)).toMatchObject(invalidGrant);
      deps.advance(10);
      expect(await requestToken(form)).toMatchObject(invalidGrant);
      expect(await bearerStatus(body["access_token"])).toBe(200);
    },
  );

  it(
    conformance(
      "AC-07",
      "AT-02",
      "US-08",
      "an authorization code that is reused after the reuse leeway is refused, and its tokens are revoked",
    ),
    async () => {
      const form = await freshExchange(client);
      const { body } = await requestToken(form);
      deps.advance(11);
      expect(await requestToken(form)).toMatchObject(invalidGrant);
      expect(await bearerStatus(body["access_token"])).toBe(401);
      const { id } = await deps.db.authorizationCode.findFirstOrThrow({ orderBy: { id: "desc" } });
      const live = { family: { authorizationCodeId: id }, revokedAt: null };
      expect(await deps.db.oauthToken.findMany({ where: live })).toEqual([]);
    },
  );

  it(
    conformance(
      "AC-07",
      "AT-02",
      "the reuse of an authorization code revokes every token that was issued for the authorization code, even if the request has other errors",
    ),
    async () => {
      const form = await freshExchange(client);
      const { body } = await requestToken(form);
      deps.advance(601);
      expect(await requestToken({ ...form, redirect_uri: `${REDIRECT_URI}/2` })).toMatchObject(invalidGrant);
      expect(await bearerStatus(body["access_token"])).toBe(401);
    },
  );

  it.each<[string, Fields, number]>([
    ["fails client authentication", { client_secret: "wrong" }, 401],
    ["sends no credentials", { client_id: undefined, client_secret: undefined }, 401],
  ])(
    conformance("AC-08", "the reuse of an authorization code by a caller who %s revokes nothing"),
    async (_who, changes, status) => {
      const form = await freshExchange(client);
      const { body } = await requestToken(form);
      deps.advance(30);
      expect((await requestToken({ ...form, ...changes })).status).toBe(status);
      expect(await bearerStatus(body["access_token"])).toBe(200);
    },
  );

  it(
    conformance("AC-08", "the reuse of an authorization code by another client revokes nothing"),
    async () => {
      const form = await freshExchange(client);
      const { body } = await requestToken(form);
      deps.advance(30);
      const { client_id, client_secret } = exchangeOf(other, "");
      expect(await requestToken({ ...form, client_id, client_secret })).toMatchObject(invalidGrant);
      expect(await bearerStatus(body["access_token"])).toBe(200);
    },
  );

  it(
    conformance(
      "AC-07",
      "AC-08",
      "the reuse of an authorization code of a public client revokes the tokens of the authorization code only if the request contains the correct PKCE verifier",
    ),
    async () => {
      const form = await freshExchange(publicClient);
      const { body } = await requestToken(form);
      deps.advance(30);
      for (const code_verifier of [OTHER_VERIFIER, undefined])
        expect((await requestToken({ ...form, code_verifier })).status).toBe(400);
      expect(await bearerStatus(body["access_token"])).toBe(200);
      expect(await requestToken(form)).toMatchObject(invalidGrant);
      expect(await bearerStatus(body["access_token"])).toBe(401);
    },
  );
});

describe("twenty simultaneous exchanges of one code", () => {
  it.each([1, 2, 3])(
    conformance(
      "AT-03",
      "LF-05",
      "twenty simultaneous exchanges of one authorization code return tokens exactly once, round %i",
    ),
    async () => {
      const form = await freshExchange(client);
      const responses = await Promise.all(Array.from({ length: 20 }, () => requestToken(form)));
      const won = responses.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const lost of responses.filter(({ status }) => status !== 200))
        expect(lost).toMatchObject(invalidGrant);
      expect(await bearerStatus(won[0]?.body["access_token"])).toBe(200);
      const code = await deps.db.authorizationCode.findFirstOrThrow({ orderBy: { id: "desc" } });
      expect(await deps.db.oauthToken.count({ where: { family: { authorizationCodeId: code.id } } })).toBe(1);
    },
  );
});
