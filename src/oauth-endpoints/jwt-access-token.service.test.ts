import { GET as getKeys } from "@app/oauth/discovery/keys/route.ts";
import { createLocalJWKSet, jwtVerify } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setResourceServer } from "@/oauth/applications/administration.ts";
import { change } from "@/oauth/applications/service.ts";
import { readIdToken } from "@/oauth/signing-keys/service.ts";
import {
  bearerStatus,
  type Client,
  ORIGIN,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { credentialsOf, grantedTokens, introspect, refreshOf, revoke, tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

beforeEach(async () => {
  client = await registeredClient(deps, ann.user, {
    scopes: ["openid", "read_user"],
    tokens: { accessTokenFormat: "jwt", idTokenAlgorithm: "ES256" },
  });
});

const granted = () => grantedTokens(deps, ann, client, { scope: "openid read_user" });

async function introspected(by: Client, token: string): Promise<Record<string, unknown>> {
  return (await introspect({ ...credentialsOf(by), token })).body;
}

async function verified(token: string) {
  const keys = createLocalJWKSet(await (await getKeys(new Request(ORIGIN))).json());
  const options = { issuer: ORIGIN, audience: ORIGIN, currentDate: deps.clock() };
  return jwtVerify(token, keys, { ...options, algorithms: ["ES256"], typ: "at+jwt" });
}

describe("a JWT access token", () => {
  it(
    conformance(
      "JT-01",
      "a JWT access token is signed, contains the specified claims, and is accepted by the API",
    ),
    async () => {
      const { access } = await granted();
      const { payload } = await verified(access);
      const iat = Math.floor(deps.clock().getTime() / 1000);
      expect(payload).toEqual({
        iss: ORIGIN,
        sub: String(ann.user.id),
        aud: ORIGIN,
        client_id: client.id,
        scope: "openid read_user",
        iat,
        exp: iat + 600,
        jti: expect.stringMatching(/^[\w-]{22}$/),
        auth_time: expect.any(Number),
        acr: "urn:gatehouse:acr:single-factor",
        amr: ["pwd"],
      });
      expect(await bearerStatus(access)).toBe(200);
      expect(await introspected(client, access)).toMatchObject({ active: true, exp: iat + 600 });
    },
  );

  it(
    conformance(
      "JT-02",
      "a JWT access token stops working after a refresh, after a revocation, and after ten minutes",
    ),
    async () => {
      const first = await granted();
      const second = tokensIn(await requestToken(refreshOf(client, first.refresh)));
      expect((await verified(second.access)).payload["scope"]).toBe("openid read_user");
      expect(await introspected(client, first.access)).toEqual({ active: false });
      deps.advance(599);
      expect(await bearerStatus(second.access)).toBe(200);
      deps.advance(1);
      expect(await bearerStatus(second.access)).toBe(401);
      const third = tokensIn(await requestToken(refreshOf(client, second.refresh)));
      await revoke({ ...credentialsOf(client), token: third.access });
      expect(await introspected(client, third.access)).toEqual({ active: false });
      await expect(requestToken(refreshOf(client, third.refresh))).resolves.toMatchObject({ status: 400 });
    },
  );

  it(conformance("JT-03", "a JWT access token is not accepted as an ID token hint"), async () => {
    expect(await readIdToken(deps, (await granted()).access)).toBeNull();
  });
});

describe("a resource server", () => {
  let server: Client;
  beforeEach(async () => {
    server = await registeredClient(deps, ann.user, { scopes: ["read_user"] });
    await setResourceServer(deps, ann.user, server.application.id, true);
  });

  it(
    conformance(
      "IN-12",
      "a resource server can introspect access tokens of other applications if the tokens have one of the resource server's scopes",
    ),
    async () => {
      const { access, refresh } = await granted();
      expect(await introspected(server, access)).toMatchObject({
        active: true,
        client_id: client.id,
        username: "ann",
        scope: "openid read_user",
        aud: ORIGIN,
      });
      expect(await introspected(server, refresh)).toEqual({ active: false });
      const narrow = await grantedTokens(deps, ann, client, { scope: "openid" });
      expect(await introspected(server, narrow.access)).toEqual({ active: false });
      const limited = await grantedTokens(deps, ann, client, { resource: `${ORIGIN}/api/v4` });
      expect(await introspected(server, limited.access)).toEqual({ active: false });
      expect(await introspected(client, limited.access)).toMatchObject({ aud: `${ORIGIN}/api/v4` });
    },
  );

  it(
    conformance(
      "IN-12",
      "a resource server loses the permission to introspect tokens of other applications when its owner adds a scope",
    ),
    async () => {
      const { access } = await granted();
      const draft = { ...server.application, redirectUris: server.application.redirectUris.join("\n") };
      await change(deps, ann.user, server.application.id, { ...draft, name: "Renamed" });
      expect(await introspected(server, access)).toMatchObject({ active: true });
      await change(deps, ann.user, server.application.id, { ...draft, scopes: ["read_user", "openid"] });
      expect(await introspected(server, access)).toEqual({ active: false });
    },
  );

  it(
    conformance(
      "IN-12",
      "a resource server can introspect only its own tokens after an administrator has revoked the permission to introspect tokens of other applications",
    ),
    async () => {
      const { access } = await granted();
      await setResourceServer(deps, ann.user, server.application.id, false);
      expect(await introspected(server, access)).toEqual({ active: false });
      expect(await deps.db.auditEvent.count({ where: { name: "application.resource_server_changed" } })).toBe(
        await deps.db.auditEvent.count({
          where: { name: "application.resource_server_changed", applicationId: { not: null } },
        }),
      );
    },
  );
});
