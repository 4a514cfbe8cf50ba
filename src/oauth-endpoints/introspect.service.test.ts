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

/** What this client is told of a token. */
async function askAs(by: Client, token: string, changes: Fields = {}): Promise<Record<string, unknown>> {
  const { status, body } = await introspect({ ...credentialsOf(by), token, ...changes });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const now = (): number => Math.floor(deps.clock().getTime() / 1000);

describe("POST /oauth/introspect", () => {
  it(conformance("IN-11", "CO-05", "is POST alone, and no page of another origin may call it"), async () => {
    expect(Object.keys(route)).toEqual(["POST"]);
    const { headers } = await introspect({}, { origin: "https://spa.example" });
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });

  it(conformance("IN-01", "tells a client all about its own access token"), async () => {
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
    };
    deps.advance(100);
    expect(await askAs(client, access)).toEqual(expected);
    const basic = { authorization: basicOf(client.id, client.secret) };
    expect(await introspect({ token: access }, basic)).toMatchObject({ status: 200, body: expected });
  });

  it(
    conformance("IN-02", "tells of a refresh token what was granted, and no lifetime of the access token"),
    async () => {
      const first = await granted(client, { scope: "profile read_user" });
      const narrowed = tokensIn(await requestToken(refreshOf(client, first.refresh, { scope: "profile" })));
      expect((await askAs(client, narrowed.access))["scope"]).toBe("profile");
      expect(await askAs(client, narrowed.refresh)).toEqual({
        active: true,
        scope: "profile read_user",
        client_id: client.id,
        username: "ann",
        iat: now(),
        exp: now() + 90 * 86_400,
        sub: String(ann.user.id),
        iss: "http://localhost:3000",
      });
      deps.advance(7201);
      expect(await askAs(client, narrowed.refresh)).toMatchObject({ active: true });
    },
  );

  it(conformance("IN-02", "tells when a refresh token ends, if it does"), async () => {
    await changeSettings(deps, { refresh_token_idle_limit: "86400" });
    const { refresh } = await granted();
    expect(await askAs(client, refresh)).toMatchObject({ active: true, exp: now() + 86_400 });
    deps.advance(86_400);
    expect(await askAs(client, refresh)).toEqual(INACTIVE);
  });

  it(conformance("IN-03", "says nothing of a token that does not work"), async () => {
    const rotated = await granted();
    await requestToken(refreshOf(client, rotated.refresh));
    const revoked = await granted();
    await revoke({ ...credentialsOf(client), token: revoked.access });
    const code = await codeFor(deps, ann, authorizationQuery(client));
    const dead = [rotated.access, rotated.refresh, revoked.access, revoked.refresh, code, "unknown"];
    for (const token of [...dead, newToken(deps.randomBytes, "access"), "é\u2028"])
      expect(await askAs(client, token)).toEqual(INACTIVE);
    const { access } = await granted();
    deps.advance(7200);
    expect(await askAs(client, access)).toEqual(INACTIVE);
  });

  it(conformance("IN-03", "AT-28", "says nothing of another client's token"), async () => {
    const tokens = await granted(client);
    for (const token of [tokens.access, tokens.refresh]) expect(await askAs(other, token)).toEqual(INACTIVE);
  });

  it(conformance("IN-03", "AT-48", "says nothing of the token of a blocked person"), async () => {
    const bob = await signedInUser(deps, "bob");
    const tokens = await grantedTokens(deps, bob, client);
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
    for (const token of [tokens.access, tokens.refresh]) expect(await askAs(client, token)).toEqual(INACTIVE);
  });

  it(conformance("IN-08", "leaves out exp of a token that never expires"), async () => {
    await changeSettings(deps, { oauth_access_token_expires_in: "0" });
    const { access } = await granted();
    deps.advance(86_400);
    const body = await askAs(client, access);
    expect(body).toMatchObject({ active: true });
    expect(Object.keys(body)).not.toContain("exp");
  });

  it.each(["access_token", "refresh_token", "unknown"])(
    conformance("IN-10", "finds the token whatever the hint: %s"),
    async (token_type_hint) => {
      const tokens = await granted();
      for (const token of [tokens.access, tokens.refresh])
        expect(await askAs(client, token, { token_type_hint })).toMatchObject({ active: true });
    },
  );

  it(conformance("IN-07", "needs a token"), async () => {
    expect(await introspect(credentialsOf(client))).toMatchObject(refusal("invalid_request"));
  });

  it(conformance("IN-04", "IN-05", "IN-09", "needs a client with a secret, and the right one"), async () => {
    const { access } = await granted();
    const own = await granted(publicClient);
    for (const fields of [
      { token: access },
      { token: access, client_id: client.id },
      { token: access, client_id: client.id, client_secret: "wrong" },
      { token: own.access, ...credentialsOf(publicClient) },
    ])
      expect(await introspect(fields)).toMatchObject(refusal("invalid_client"));
    const basic = { authorization: basicOf(client.id, "wrong") };
    const { status, headers } = await introspect({ token: access }, basic);
    expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
  });

  it(conformance("IN-06", "may be authorized by another live token of the application"), async () => {
    const [callerTokens, introspected] = [await granted(), await granted()];
    const foreign = await granted(other);
    const response = await introspect({ token: introspected.access }, bearer(callerTokens.access));
    expect(response).toMatchObject({ status: 200, body: { active: true } });
    expect((await introspect({ token: foreign.access }, bearer(callerTokens.access))).body).toEqual(INACTIVE);
  });

  it(
    conformance("IN-06", "is not authorized by the token in question, nor by one that does not work"),
    async () => {
      const [callerTokens, introspected] = [await granted(), await granted()];
      const unusable = [
        introspected.access,
        callerTokens.refresh,
        "unknown",
        newToken(deps.randomBytes, "access"),
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

  it(conformance("AT-30", "refuses a client and an access token at once"), async () => {
    const [callerTokens, introspected] = [await granted(), await granted()];
    const both = { ...credentialsOf(client), token: introspected.access };
    expect(await introspect(both, bearer(callerTokens.access))).toMatchObject(refusal("invalid_request"));
  });

  it("costs two look-ups and nothing else of the database", async () => {
    const { access } = await granted();
    const used: string[] = [];
    provideDeps({
      ...deps,
      prepared: observedPrepared(deps.prepared, (name) => used.push(name)),
      get db(): never {
        throw new Error("The hot path went to the database another way.");
      },
      transaction: () => Promise.reject(new Error("The hot path began a transaction.")),
    });
    expect(await askAs(client, access)).toMatchObject({ active: true });
    provideDeps(deps);
    expect(used.toSorted()).toEqual(["bearer", "client"]);
  });
});
