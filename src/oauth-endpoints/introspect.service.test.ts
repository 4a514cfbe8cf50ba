import * as route from "@app/oauth/introspect/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { newToken } from "@/kernel/crypto/token.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import {
  authorizationQuery,
  basicOf,
  type Client,
  codeFor,
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
import { observedPrepared } from "@/testing/prepared.ts";
import {
  bearer,
  credentialsOf,
  grantedTokens,
  introspect,
  refreshOf,
  revoke,
  type Tokens,
  tokensIn,
} from "@/testing/tokens.ts";

const deps = await openTestDeps();
const INACTIVE = { active: false };
const NO_TOKEN = { status: 401, body: { error: "invalid_token", error_description: expect.any(String) } };

let ann: SignedInUser;
let client: Client;
let other: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user, { scopes: ["read_user", "profile"] });
  other = await registeredClient(deps, ann.user);
  publicClient = await registeredClient(deps, ann.user, { confidential: false });
});

beforeEach(async () => {
  await deps.db.setting.deleteMany();
});

const granted = (to: Client = client, query: Fields = {}): Promise<Tokens> =>
  grantedTokens(deps, ann, to, query);

/** Returns the introspection response for a token and a client. */
async function introspectAs(
  by: Client,
  token: string,
  changes: Fields = {},
): Promise<Record<string, unknown>> {
  const { status, body } = await introspect({ ...credentialsOf(by), token, ...changes });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const now = (): number => Math.floor(deps.clock().getTime() / 1000);

/** The members of the response that describe the sign-in of the user (RFC 9470 §6.2). */
const AUTHENTICATION = { auth_time: expect.any(Number), acr: "urn:gatehouse:acr:single-factor" };

describe("POST /oauth/introspect", () => {
  it(
    conformance(
      "IN-11",
      "CO-05",
      "introspection accepts only POST, and sends no CORS headers to pages of other origins",
    ),
    async () => {
      expect(Object.keys(route)).toEqual(["POST"]);
      const { headers } = await introspect({}, { origin: "https://spa.example" });
      expect(headers.has("access-control-allow-origin")).toBe(false);
    },
  );

  it(conformance("IN-01", "introspection describes an access token of the calling client"), async () => {
    const { access } = await granted(client, { scope: "profile read_user" });
    const expected = {
      active: true,
      scope: "profile read_user",
      client_id: client.id,
      username: "ann",
      token_type: "bearer",
      exp: now() + 7200,
      iat: now(),
      sub: String(ann.user.id),
      iss: "http://localhost:3000",
      ...AUTHENTICATION,
    };
    deps.advance(100);
    expect(await introspectAs(client, access)).toEqual(expected);
    const basic = { authorization: basicOf(client.id, client.secret) };
    expect(await introspect({ token: access }, basic)).toMatchObject({ status: 200, body: expected });
  });

  it(
    conformance(
      "IN-02",
      "introspection describes a refresh token with its scopes, without the lifetime of the access token",
    ),
    async () => {
      const first = await granted(client, { scope: "profile read_user" });
      const narrowed = tokensIn(await requestToken(refreshOf(client, first.refresh, { scope: "profile" })));
      expect((await introspectAs(client, narrowed.access))["scope"]).toBe("profile");
      expect(await introspectAs(client, narrowed.refresh)).toEqual({
        active: true,
        scope: "profile read_user",
        client_id: client.id,
        username: "ann",
        iat: now(),
        exp: now() + 90 * 86_400,
        sub: String(ann.user.id),
        iss: "http://localhost:3000",
        ...AUTHENTICATION,
      });
      deps.advance(7201);
      expect(await introspectAs(client, narrowed.refresh)).toMatchObject({ active: true });
    },
  );

  it(conformance("IN-02", "introspection returns the expiry of a refresh token that expires"), async () => {
    await changeSettings(deps, { refresh_token_idle_limit: "86400" });
    const { refresh } = await granted();
    expect(await introspectAs(client, refresh)).toMatchObject({ active: true, exp: now() + 86_400 });
    deps.advance(86_400);
    expect(await introspectAs(client, refresh)).toEqual(INACTIVE);
  });

  it(
    conformance("IN-03", "the introspection response for an unusable token contains only active: false"),
    async () => {
      const rotated = await granted();
      await requestToken(refreshOf(client, rotated.refresh));
      const revoked = await granted();
      await revoke({ ...credentialsOf(client), token: revoked.access });
      const code = await codeFor(deps, ann, authorizationQuery(client));
      const dead = [rotated.access, rotated.refresh, revoked.access, revoked.refresh, code, "unknown"];
      for (const token of [...dead, newToken(deps.randomBytes, "access"), "é\u2028"])
        expect(await introspectAs(client, token)).toEqual(INACTIVE);
      const { access } = await granted();
      deps.advance(7200);
      expect(await introspectAs(client, access)).toEqual(INACTIVE);
    },
  );

  it(
    conformance(
      "IN-03",
      "AT-28",
      "the introspection response for a token of another client contains only active: false",
    ),
    async () => {
      const tokens = await granted(client);
      for (const token of [tokens.access, tokens.refresh])
        expect(await introspectAs(other, token)).toEqual(INACTIVE);
    },
  );

  it(
    conformance(
      "IN-03",
      "AT-48",
      "the introspection response for a token of a blocked user contains only active: false",
    ),
    async () => {
      const bob = await signedInUser(deps, "bob");
      const tokens = await grantedTokens(deps, bob, client);
      await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
      for (const token of [tokens.access, tokens.refresh])
        expect(await introspectAs(client, token)).toEqual(INACTIVE);
    },
  );

  it(conformance("IN-08", "introspection omits exp for a token that never expires"), async () => {
    await changeSettings(deps, { oauth_access_token_expires_in: "0" });
    const { access } = await granted();
    deps.advance(86_400);
    const body = await introspectAs(client, access);
    expect(body).toMatchObject({ active: true });
    expect(Object.keys(body)).not.toContain("exp");
  });

  it.each(["access_token", "refresh_token", "unknown"])(
    conformance(
      "IN-10",
      "introspection finds the token regardless of the parameter token_type_hint, here %s",
    ),
    async (token_type_hint) => {
      const tokens = await granted();
      for (const token of [tokens.access, tokens.refresh])
        expect(await introspectAs(client, token, { token_type_hint })).toMatchObject({ active: true });
    },
  );

  it(conformance("IN-07", "introspection requires the `token` parameter"), async () => {
    expect(await introspect(credentialsOf(client))).toMatchObject(refusal("invalid_request"));
  });

  it(
    conformance(
      "IN-04",
      "IN-05",
      "IN-09",
      "introspection requires a client that authenticates with its secret",
    ),
    async () => {
      const { access } = await granted();
      const own = await granted(publicClient);
      for (const fields of [
        { token: access },
        { token: access, client_id: client.id },
        { token: access, client_id: client.id, client_secret: "wrong" },
        { token: own.access, ...credentialsOf(publicClient) },
      ])
        expect(await introspect(fields)).toMatchObject(refusal("invalid_client"));
      const empty = await route.POST(new Request(`${ORIGIN}/oauth/introspect`, { method: "POST" }));
      expect([empty.status, await empty.json()]).toEqual([
        401,
        expect.objectContaining({ error: "invalid_client" }),
      ]);
      const basic = { authorization: basicOf(client.id, "wrong") };
      const { status, headers } = await introspect({ token: access }, basic);
      expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    },
  );

  it(
    conformance(
      "IN-06",
      "introspection accepts another valid access token of the application as authorization",
    ),
    async () => {
      const [callerTokens, introspected] = [await granted(), await granted()];
      const foreign = await granted(other);
      const response = await introspect({ token: introspected.access }, bearer(callerTokens.access));
      expect(response).toMatchObject({ status: 200, body: { active: true } });
      expect((await introspect({ token: foreign.access }, bearer(callerTokens.access))).body).toEqual(
        INACTIVE,
      );
    },
  );

  it(
    conformance(
      "IN-06",
      "introspection accepts neither the introspected token itself nor an unusable token as authorization",
    ),
    async () => {
      const [callerTokens, introspected] = [await granted(), await granted()];
      const unusable = [
        introspected.access,
        callerTokens.refresh,
        "unknown",
        newToken(deps.randomBytes, "access"),
        (await granted(client, { resource: `${ORIGIN}/api/v4` })).access,
      ];
      for (const token of unusable) {
        const response = await introspect({ token: introspected.access }, bearer(token));
        expect(response).toMatchObject(NO_TOKEN);
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer .*error="invalid_token"/);
      }
      deps.advance(7200);
      const { refresh } = introspected;
      expect(await introspect({ token: refresh }, bearer(callerTokens.access))).toMatchObject(NO_TOKEN);
    },
  );

  it(
    conformance("AT-30", "introspection refuses client credentials together with an access token"),
    async () => {
      const [callerTokens, introspected] = [await granted(), await granted()];
      const both = { ...credentialsOf(client), token: introspected.access };
      expect(await introspect(both, bearer(callerTokens.access))).toMatchObject(refusal("invalid_request"));
    },
  );

  it("introspection runs two prepared statements and no other query", async () => {
    const { access } = await granted();
    const used: string[] = [];
    provideDeps({
      ...deps,
      prepared: observedPrepared(deps.prepared, (name) => used.push(name)),
      get db(): never {
        throw new Error("The request used a query that is not prepared.");
      },
      transaction: () => Promise.reject(new Error("The request began a transaction.")),
    });
    expect(await introspectAs(client, access)).toMatchObject({ active: true });
    provideDeps(deps);
    expect(used.toSorted()).toEqual(["bearer", "client"]);
  });
});
