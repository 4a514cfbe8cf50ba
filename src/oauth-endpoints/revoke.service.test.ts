import * as route from "@app/oauth/revoke/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { digest, newToken } from "@/kernel/crypto/token.ts";
import { findByRefreshDigest } from "@/oauth/tokens/store.sql.ts";
import {
  authorizationQuery,
  basicOf,
  type Client,
  codeFor,
  exchangeOf,
  type Fields,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  bearer,
  credentialsOf,
  grantedTokens,
  refreshOf,
  revoke,
  type Tokens,
  tokenInfo,
  tokensIn,
} from "@/testing/tokens.ts";

const deps = await openTestDeps();
const REVOKED = { status: 200, body: {} };
const UNAUTHORIZED = {
  status: 403,
  body: { error: "unauthorized_client", error_description: expect.any(String) },
};

let ann: SignedInUser;
let client: Client;
let other: Client;
let publicClient: Client;
let otherPublic: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user);
  other = await registeredClient(deps, ann.user);
  publicClient = await registeredClient(deps, ann.user, { confidential: false });
  otherPublic = await registeredClient(deps, ann.user, { confidential: false });
});

const granted = (to: Client = client): Promise<Tokens> => grantedTokens(deps, ann, to);

const revokeBy = (by: Client, token: string, changes: Fields = {}) =>
  revoke({ ...credentialsOf(by), token, ...changes });

/** Returns whether both tokens are valid, without using the refresh token. */
async function alive({ access, refresh }: Tokens): Promise<boolean> {
  const info = await tokenInfo(bearer(access));
  const row = await findByRefreshDigest(deps.prepared, digest(refresh));
  expect(row?.revokedAt === null).toBe(info.status === 200);
  return info.status === 200;
}

const events = () =>
  deps.db.auditEvent.findMany({ where: { name: "token.revoked" }, orderBy: { id: "asc" } });

/** Returns an access token without a client, as the password grant issues it. */
async function clientlessToken(): Promise<string> {
  const access = newToken(deps.randomBytes, "access");
  const grant = { userId: ann.user.id, scopes: "read_user", createdAt: deps.clock() };
  const family = await deps.db.tokenFamily.create({
    data: { ...grant, grantType: "password", rotations: 0 },
  });
  await deps.db.oauthToken.create({
    data: { ...grant, familyId: family.id, accessDigest: digest(access) },
  });
  return access;
}

describe("POST /oauth/revoke", () => {
  it(
    conformance("XC-01", "the revocation endpoint accepts only POST requests and preflight requests"),
    () => {
      expect(Object.keys(route).toSorted()).toEqual(["OPTIONS", "POST"]);
    },
  );

  it.each(["access", "refresh"] as const)(
    conformance(
      "RV-01",
      "RV-02",
      "the revocation endpoint revokes the access token and the refresh token when it receives the %s token",
    ),
    async (half) => {
      const tokens = await granted();
      expect(await revokeBy(client, tokens[half])).toMatchObject(REVOKED);
      expect(await alive(tokens)).toBe(false);
      expect(await requestToken(refreshOf(client, tokens.refresh))).toMatchObject(refusal("invalid_grant"));
    },
  );

  it(
    conformance(
      "RV-01",
      "the revocation endpoint accepts client credentials by HTTP Basic, and accepts a JSON body",
    ),
    async () => {
      const [first, second] = [await granted(), await granted()];
      const authorization = basicOf(client.id, client.secret);
      expect(await revoke({ token: first.access }, { authorization })).toMatchObject(REVOKED);
      const body = JSON.stringify({ ...credentialsOf(client), token: second.access });
      const headers = { "content-type": "application/json" };
      const request = new Request("http://localhost/oauth/revoke", { method: "POST", headers, body });
      expect((await route.POST(request)).status).toBe(200);
      expect([await alive(first), await alive(second)]).toEqual([false, false]);
    },
  );

  it(
    conformance(
      "RV-03",
      "the revocation endpoint returns the normal response for a token that is already revoked, and changes nothing",
    ),
    async () => {
      const tokens = await granted();
      const before = (await events()).length;
      await revokeBy(client, tokens.access);
      const where = { accessDigest: digest(tokens.access) };
      const first = await deps.db.oauthToken.findUniqueOrThrow({ where, include: { family: true } });
      expect(first.revokedAt).toEqual(deps.clock());
      deps.advance(60);
      for (const token of [tokens.access, tokens.refresh])
        expect(await revokeBy(client, token)).toMatchObject(REVOKED);
      expect(await deps.db.oauthToken.findUniqueOrThrow({ where, include: { family: true } })).toEqual(first);
      const recorded = (await events()).slice(before);
      expect(recorded).toMatchObject([{ userId: ann.user.id, applicationId: client.application.id }]);
      expect(recorded[0]?.details).toBe('{"by":"client"}');
    },
  );

  it(
    conformance(
      "RV-04",
      "the revocation endpoint returns the normal response for a token that was never issued, whether or not a client authenticates",
    ),
    async () => {
      for (const token of ["unknown", newToken(deps.randomBytes, "refresh"), "é\u2028"]) {
        expect(await revokeBy(client, token)).toMatchObject(REVOKED);
        expect(await revoke({ token })).toMatchObject(REVOKED);
      }
    },
  );

  it.each([undefined, ""])(
    conformance("RV-05", "the revocation endpoint requires the `token` parameter, and rejects %j"),
    async (token) => {
      const response = await revoke({ ...credentialsOf(client), token });
      expect(response).toMatchObject(refusal("invalid_request"));
    },
  );

  it.each(["access_token", "refresh_token", "unknown"])(
    conformance(
      "RV-02",
      "RV-06",
      "the revocation endpoint finds the token regardless of the parameter token_type_hint, here %s",
    ),
    async (token_type_hint) => {
      for (const half of ["access", "refresh"] as const) {
        const tokens = await granted();
        expect(await revokeBy(client, tokens[half], { token_type_hint })).toMatchObject(REVOKED);
        expect(await alive(tokens)).toBe(false);
      }
    },
  );

  it(conformance("RV-07", "the revocation endpoint accepts the client_id of a public client"), async () => {
    const tokens = await granted(publicClient);
    expect(await revokeBy(publicClient, tokens.refresh)).toMatchObject(REVOKED);
    expect(await alive(tokens)).toBe(false);
  });

  it.each<[string, () => Client, (own: Client) => Fields]>([
    ["sends no client", () => client, () => ({ client_id: undefined, client_secret: undefined })],
    ["sends no client for a token of a public client", () => publicClient, () => ({ client_id: undefined })],
    ["sends a wrong secret", () => client, () => ({ client_secret: "wrong" })],
    ["sends no secret", () => client, () => ({ client_secret: undefined })],
    ["is another client", () => client, () => credentialsOf(other)],
    [
      "is a public client and sends the token of a confidential client",
      () => client,
      () => credentialsOf(publicClient),
    ],
    ["is another public client", () => publicClient, () => credentialsOf(otherPublic)],
    ["sends a secret for a public client", () => publicClient, () => ({ client_secret: "x" })],
    ["is an unknown client", () => client, () => ({ client_id: "unknown" })],
  ])(
    conformance("RV-08", "AT-29", "the revocation endpoint refuses a caller who %s, and keeps the token"),
    async (_who, of, changes) => {
      const tokens = await granted(of());
      for (const token of [tokens.access, tokens.refresh])
        expect(await revokeBy(of(), token, changes(of()))).toMatchObject(UNAUTHORIZED);
      expect(await alive(tokens)).toBe(true);
    },
  );

  it(
    conformance(
      "RV-08",
      "the revocation endpoint returns the same error for wrong credentials whether or not the token exists",
    ),
    async () => {
      const wrong = { client_id: client.id, client_secret: "wrong" };
      const { access } = await granted();
      const responses = [
        await revoke({ ...wrong, token: "unknown" }),
        await revoke({ ...wrong, token: access }),
      ];
      expect(responses[0]).toMatchObject(UNAUTHORIZED);
      expect(responses[1]?.body).toEqual(responses[0]?.body);
    },
  );

  it(
    conformance(
      "RV-09",
      "a token that was issued without a client can be revoked by any client, and by a caller without client credentials",
    ),
    async () => {
      for (const by of [{}, credentialsOf(other), credentialsOf(publicClient)]) {
        const token = await clientlessToken();
        expect((await tokenInfo(bearer(token))).status).toBe(200);
        expect(await revoke({ ...by, token })).toMatchObject(REVOKED);
        expect((await tokenInfo(bearer(token))).status).toBe(401);
      }
      const wrong = { client_id: other.id, client_secret: "wrong" };
      expect(await revoke({ ...wrong, token: await clientlessToken() })).toMatchObject(UNAUTHORIZED);
    },
  );

  it.each(["access", "refresh"] as const)(
    conformance(
      "RV-10",
      "after the access token has expired, the revocation endpoint revokes the refresh token when it receives the %s token",
    ),
    async (half) => {
      const tokens = await granted();
      deps.advance(7201);
      expect(await revokeBy(client, tokens[half])).toMatchObject(REVOKED);
      expect(await requestToken(refreshOf(client, tokens.refresh))).toMatchObject(refusal("invalid_grant"));
    },
  );

  it(
    conformance(
      "RV-11",
      "the revocation endpoint refuses a request with two different credentials, and does not revoke the token",
    ),
    async () => {
      const tokens = await granted();
      const authorization = basicOf(other.id, other.secret);
      for (const fields of [credentialsOf(client), { client_id: client.id }]) {
        const response = await revoke({ ...fields, token: tokens.access }, { authorization });
        expect(response).toMatchObject(refusal("invalid_request"));
      }
      expect(await alive(tokens)).toBe(true);
    },
  );

  it(
    conformance("RV-12", "AT-28", "the revocation endpoint does not revoke an authorization code"),
    async () => {
      const code = await codeFor(deps, ann, authorizationQuery(client));
      expect(await revokeBy(client, code)).toMatchObject(REVOKED);
      expect((await requestToken(exchangeOf(client, code))).status).toBe(200);
    },
  );

  it(
    conformance(
      "RV-13",
      "the revocation endpoint revokes the successors of a refreshed token, and no tokens of other grants",
    ),
    async () => {
      const [old, bystander] = [await granted(), await granted()];
      const next = tokensIn(await requestToken(refreshOf(client, old.refresh)));
      expect(await revokeBy(client, old.access)).toMatchObject(REVOKED);
      expect([await alive(next), await alive(bystander)]).toEqual([false, true]);
    },
  );

  it(
    conformance("XC-07", "the revocation endpoint rejects parameters in the query and repeated parameters"),
    async () => {
      const tokens = await granted();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const post = (query: string, body: string) =>
        route.POST(new Request(`http://localhost/oauth/revoke${query}`, { method: "POST", headers, body }));
      const own = `client_id=${client.id}&client_secret=${client.secret}`;
      expect((await post(`?token=${tokens.access}`, own)).status).toBe(400);
      expect((await post("", `${own}&token=${tokens.access}&token=${tokens.access}`)).status).toBe(400);
      expect(await alive(tokens)).toBe(true);
    },
  );
});

describe("requests to /oauth/revoke from pages of other origins", () => {
  const preflight = (headers: string) =>
    route.OPTIONS(
      new Request("http://localhost/oauth/revoke", {
        method: "OPTIONS",
        headers: {
          origin: "https://spa.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": headers,
        },
      }),
    );

  it(
    conformance("CO-01", "CO-03", "a page of another origin can revoke tokens and read every response"),
    async () => {
      const allowed = preflight("authorization");
      expect(allowed.headers.get("access-control-allow-origin")).toBe("*");
      expect(allowed.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS");
      expect(allowed.headers.get("access-control-allow-headers")).toBe("Authorization, Content-Type");
      expect(allowed.headers.has("access-control-allow-credentials")).toBe(false);
      const { access } = await granted();
      for (const fields of [{ token: "unknown" }, {}, { token: access }]) {
        const { headers } = await revoke(fields, { origin: "https://spa.example" });
        expect(headers.get("access-control-allow-origin")).toBe("*");
        expect(headers.has("access-control-allow-credentials")).toBe(false);
      }
    },
  );

  it(conformance("CO-02", "a page of another origin cannot send the header X-Requested-With"), () => {
    const refused = preflight("authorization, x-requested-with");
    expect(refused.headers.has("access-control-allow-origin")).toBe(false);
    expect(refused.headers.has("access-control-allow-headers")).toBe(false);
  });
});
