import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { GET as getProjects } from "@app/api/v4/projects/route.ts";
import { GET as getUser } from "@app/api/v4/user/route.ts";
import { GET as getUsers } from "@app/api/v4/users/route.ts";
import { GET as getMetadata } from "@app/oauth/discovery/keys/route.ts";
import { POST as postToken } from "@app/oauth/token/route.ts";
import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { createLocalJWKSet, jwtVerify, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSessionFor } from "@/identity/sessions/service.ts";
import { blockUserAsAdministrator, unblockUserAsAdministrator } from "@/identity/users/administration.ts";
import { deleteDueAccounts } from "@/identity/users/deletion-job.ts";
import { findById } from "@/identity/users/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { botOf } from "@/oauth/application-bots/service.ts";
import { setBlocked } from "@/oauth/applications/administration.ts";
import type { ApplicationDraft } from "@/oauth/applications/rules.ts";
import * as applications from "@/oauth/applications/service.ts";
import { dpopNonce } from "@/oauth/dpop/nonce.ts";
import { usageOf } from "@/oauth/tokens/service.ts";
import { prune } from "@/operations/pruning/service.ts";
import { apiUser, tokenWith } from "@/testing/api.ts";
import {
  basicOf,
  type Client,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { credentialsOf, introspect, revoke, tokenInfo } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const chief = await apiUser(deps, "chief", { admin: true });

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

const MACHINE = { scopes: ["openid", "api", "read_user"], clientCredentialsScopes: ["api", "read_user"] };

beforeEach(async () => {
  client = await registeredClient(deps, ann.user, { name: "Importer", ...MACHINE });
});

const request = (changes: Fields = {}, by: Client = client) =>
  requestToken({ grant_type: "client_credentials", ...credentialsOf(by), ...changes });

async function tokenOf(by: Client = client, changes: Fields = {}): Promise<string> {
  const { status, body } = await request(changes, by);
  expect({ status, body }).toMatchObject({ status: 200 });
  return String(body["access_token"]);
}

async function botOfClient(by: Client = client) {
  const bot = await botOf(deps, by.application.id);
  const user = bot && (await findById(deps, bot.id));
  if (user === null) throw new Error("The application has no bot.");
  return user;
}

const visit = (token: string, path = "/api/v4/user") =>
  new Request(ORIGIN + path, { headers: { authorization: `Bearer ${token}` } });

const statusAt = async (token: string): Promise<number> => (await getUser(visit(token))).status;

async function projectsOf(token: string): Promise<readonly string[]> {
  const response = await getProjects(visit(token, "/api/v4/projects"));
  const body: readonly Readonly<{ path: string }>[] = await response.json();
  return body.map(({ path }) => path);
}

const draftOf = (by: Client, changes: Partial<ApplicationDraft> = {}): ApplicationDraft => ({
  ...by.application,
  redirectUris: by.application.redirectUris.join("\n"),
  ...changes,
});

describe("the client credentials grant", () => {
  it(
    conformance(
      "CC-01",
      "the client credentials grant issues an access token of the bot user, but no refresh token",
    ),
    async () => {
      const { status, body } = await request();
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.any(String),
          token_type: "bearer",
          expires_in: 7200,
          scope: "read_user api",
          created_at: expect.any(Number),
        },
      });
      const bot = await botOfClient();
      expect(bot).toMatchObject({ kind: "application_bot", name: "Importer", admin: false });
      const response = await getUser(visit(String(body["access_token"])));
      expect(await response.json()).toMatchObject({ id: bot.id, username: bot.username, bot: true });
      expect(
        (await request({ grant_type: "refresh_token", refresh_token: String(body["access_token"]) })).status,
      ).toBe(400);
    },
  );

  it(
    conformance(
      "CC-02",
      "the client credentials grant is refused before the owner allows the grant and after the owner turns off the grant",
    ),
    async () => {
      const other = await registeredClient(deps, ann.user, { scopes: ["api"] });
      expect(await request({}, other)).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
      const token = await tokenOf();
      await applications.change(
        deps,
        ann.user,
        client.application.id,
        draftOf(client, { clientCredentialsScopes: [] }),
      );
      expect(await request()).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
      expect(await statusAt(token)).toBe(401);
      await applications.change(deps, ann.user, client.application.id, draftOf(client));
      expect(await statusAt(token)).toBe(401);
      expect((await request()).status).toBe(200);
      const audited = await deps.db.auditEvent.count({
        where: { name: "application.client_credentials_changed", applicationId: client.application.id },
      });
      expect(audited).toBe(3);
    },
  );

  it(
    conformance(
      "CC-02",
      "an application's client credentials tokens are revoked only when the application loses one of their scopes",
    ),
    async () => {
      const other = await registeredClient(deps, ann.user, MACHINE);
      const otherToken = await tokenOf(other);
      const token = await tokenOf();
      const change = (changes: Partial<ApplicationDraft>) =>
        applications.change(deps, ann.user, client.application.id, draftOf(client, changes));
      await change({ name: "Renamed", clientCredentialsScopes: ["read_user", "api"] });
      expect(await statusAt(token)).toBe(200);
      await change({ clientCredentialsScopes: ["read_user"] });
      expect(await statusAt(token)).toBe(401);
      expect((await introspect({ ...credentialsOf(client), token })).body).toEqual({ active: false });
      const narrow = await tokenOf();
      await change({});
      expect(await Promise.all([token, narrow, otherToken].map(statusAt))).toEqual([401, 200, 200]);
      await change({ confidential: false, clientCredentialsScopes: [] });
      expect(await statusAt(narrow)).toBe(401);
    },
  );

  it(
    conformance(
      "CC-02",
      "the client credentials grant is refused for a public application, which has no bot",
    ),
    async () => {
      const open = await registeredClient(deps, ann.user, { ...MACHINE, confidential: false });
      expect(open.application.clientCredentialsScopes).toEqual([]);
      expect(await botOf(deps, open.application.id)).toBeNull();
      expect(await request({}, open)).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
    },
  );

  it(
    conformance("CC-02", "the client credentials grant is refused without the secret of the application"),
    async () => {
      expect(await request({ client_secret: undefined })).toMatchObject({
        status: 401,
        body: { error: "invalid_client" },
      });
      expect(await request({ client_secret: "wrong" })).toMatchObject({
        status: 401,
        body: { error: "invalid_client" },
      });
      expect((await requestToken({ grant_type: "client_credentials" })).status).toBe(401);
    },
  );

  it.each(["openid", "email", "write_repository", "read_user unknown"])(
    conformance(
      "CC-03",
      "the client credentials grant refuses the scope %s, which the owner has not selected for this grant",
    ),
    async (scope) => {
      expect(await request({ scope })).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    },
  );

  it(
    conformance(
      "CC-03",
      "the client credentials grant grants the requested scopes, except for scopes that the application has lost",
    ),
    async () => {
      expect((await request({ scope: "read_user" })).body["scope"]).toBe("read_user");
      const without = await applications.change(
        deps,
        ann.user,
        client.application.id,
        draftOf(client, { scopes: ["read_user"] }),
      );
      expect(without).toMatchObject({
        problems: { clientCredentialsScopes: [expect.stringContaining("api")] },
      });
      await deps.db.application.update({
        where: { id: client.application.id },
        data: { scopes: "read_user" },
      });
      expect((await request()).body["scope"]).toBe("read_user");
      expect(await request({ scope: "api" })).toMatchObject({ body: { error: "invalid_scope" } });
    },
  );

  it.each([
    [["openid"], /cannot have these scopes/],
    [["write_repository"], /Select these scopes/],
  ])(
    "the owner cannot allow the client credentials grant with the scopes %j",
    async (clientCredentialsScopes, text) => {
      const draft = draftOf(client, { clientCredentialsScopes });
      expect(await applications.change(deps, ann.user, client.application.id, draft)).toMatchObject({
        problems: { clientCredentialsScopes: [expect.stringMatching(text)] },
      });
    },
  );

  it(
    conformance(
      "CC-04",
      "a client credentials token gives exactly the access that the bot's memberships give",
    ),
    async () => {
      const shop = await projectOf(deps, ann.user, `shop-${client.application.id}`);
      const token = await tokenOf();
      expect(await projectsOf(token)).not.toContain(shop.path);
      await memberOf(deps, shop, await botOfClient(), "reporter");
      expect(await projectsOf(token)).toContain(shop.path);
    },
  );

  it(
    conformance(
      "CC-04",
      "the client credentials grant stops working when the application, its owner or its bot is blocked",
    ),
    async () => {
      const owner = await signedInUser(deps, `owner-${client.application.id}`);
      const owned = await registeredClient(deps, owner.user, MACHINE);
      const token = await tokenOf(owned);
      const cases: readonly [() => Promise<unknown>, () => Promise<unknown>, number, string][] = [
        [
          () => setBlocked(deps, chief.user, owned.application.id, true),
          () => setBlocked(deps, chief.user, owned.application.id, false),
          401,
          "invalid_client",
        ],
        [
          () => blockUserAsAdministrator(deps, chief.user, owner.user.id),
          () => unblockUserAsAdministrator(deps, chief.user, owner.user.id),
          401,
          "invalid_client",
        ],
      ];
      for (const [block, unblock, status, error] of cases) {
        await block();
        expect(await statusAt(token)).toBe(status);
        expect((await request({}, owned)).body["error"]).toBe(error);
        await unblock();
        expect(await statusAt(token)).toBe(200);
      }
      const bot = await botOfClient(owned);
      await blockUserAsAdministrator(deps, chief.user, bot.id);
      expect((await request({}, owned)).body["error"]).toBe("unauthorized_client");
      await applications.change(deps, owner.user, owned.application.id, draftOf(owned, { name: "Renamed" }));
      expect(await findById(deps, bot.id)).toMatchObject({ state: "blocked", name: "Renamed" });
    },
  );

  it(
    conformance("CC-05", "the subject of a client credentials token is the client_id of the application"),
    async () => {
      const token = await tokenOf();
      const bot = await botOfClient();
      const { body } = await introspect({ ...credentialsOf(client), token });
      expect(body).toMatchObject({
        active: true,
        sub: client.id,
        client_id: client.id,
        username: bot.username,
      });
      expect((await tokenInfo({ authorization: `Bearer ${token}` })).body).toMatchObject({
        resource_owner_id: bot.id,
        application: { uid: client.id },
      });
      const signing = await registeredClient(deps, ann.user, {
        ...MACHINE,
        tokens: { accessTokenFormat: "jwt", idTokenAlgorithm: "ES256" },
      });
      const jwt = await tokenOf(signing);
      const keys = createLocalJWKSet(await (await getMetadata(new Request(ORIGIN))).json());
      const { payload } = await jwtVerify(jwt, keys, {
        issuer: ORIGIN,
        audience: ORIGIN,
        currentDate: deps.clock(),
        typ: "at+jwt",
      });
      expect(payload).toMatchObject({ sub: signing.id, client_id: signing.id, scope: "read_user api" });
      expect(await statusAt(jwt)).toBe(200);
    },
  );

  it("a client credentials token gives no access to claims about a user, and can be revoked", async () => {
    const token = await tokenOf();
    const response = await getUserinfo(visit(token, "/oauth/userinfo"));
    expect(response.status).toBe(403);
    await revoke({ ...credentialsOf(client), token });
    expect(await statusAt(token)).toBe(401);
  });

  it(
    conformance(
      "CC-06",
      "the client credentials grant accepts the secret by HTTP Basic, and accepts each signed assertion only once",
    ),
    async () => {
      const fields = { grant_type: "client_credentials" };
      expect((await requestToken(fields, basicOf(client.id, client.secret))).status).toBe(200);
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const jwks = JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] });
      const keyed = await registeredClient(deps, ann.user, {
        ...MACHINE,
        authentication: { method: "private_key_jwt", jwks, jwksUri: "" },
      });
      const assertion = await assertionOf(keyed, "ES256", privateKey);
      const results = await Promise.all([request(assertion, keyed), request(assertion, keyed)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      const signing = await registeredClient(deps, ann.user, {
        ...MACHINE,
        authentication: { method: "client_secret_jwt", jwks: "", jwksUri: "" },
      });
      const secret = new TextEncoder().encode(signing.secret);
      expect((await request(await assertionOf(signing, "HS256", secret), signing)).status).toBe(200);
    },
  );

  it(
    conformance("CC-06", "the client credentials grant binds its token to the key of a DPoP proof"),
    async () => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const iat = Math.floor(deps.clock().getTime() / 1000);
      const proof = await new SignJWT({
        htm: "POST",
        htu: `${ORIGIN}/oauth/token`,
        iat,
        jti: randomUUID(),
        nonce: dpopNonce(deps),
      })
        .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: publicKey.export({ format: "jwk" }) })
        .sign(privateKey);
      const body = encoded({ grant_type: "client_credentials", ...credentialsOf(client) });
      const response = await postToken(formPost("/oauth/token", body, { dpop: proof }));
      const issued: Record<string, unknown> = await response.json();
      expect(issued["token_type"]).toBe("DPoP");
      expect(await statusAt(String(issued["access_token"]))).toBe(401);
    },
  );

  it(
    conformance(
      "CC-06",
      "the client credentials grant limits its token to the protected resource of the request",
    ),
    async () => {
      const token = await tokenOf(client, { resource: `${ORIGIN}/api/v4/mcp` });
      expect(await statusAt(token)).toBe(401);
      expect(await statusAt(await tokenOf(client, { resource: `${ORIGIN}/api/v4` }))).toBe(200);
      const refused = await request({ resource: "https://other.example/" });
      expect(refused).toMatchObject({ status: 400, body: { error: "invalid_target" } });
    },
  );

  it("the client credentials grant issues only a limited number of tokens for each application", async () => {
    await changeSettings(deps, { limit_client_credentials_per_client: "2" }, chief.user);
    for (let count = 0; count < 2; count++) await tokenOf();
    expect(await request()).toMatchObject({ status: 429 });
    const other = await registeredClient(deps, ann.user, MACHINE);
    expect((await request({}, other)).status).toBe(200);
    await changeSettings(deps, { limit_client_credentials_per_client: "600" }, chief.user);
  });
});

const assertionOf = async (by: Client, alg: string, key: KeyObject | Uint8Array): Promise<Fields> => {
  const iat = Math.floor(deps.clock().getTime() / 1000);
  const claims = { iss: by.id, sub: by.id, aud: ORIGIN, jti: randomUUID(), iat, exp: iat + 60 };
  return {
    client_id: undefined,
    client_secret: undefined,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await new SignJWT(claims).setProtectedHeader({ alg }).sign(key),
  };
};

describe("the client credentials grant of an application that signs assertions", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwks = JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] });
  const reused = { status: 401, body: { error: "invalid_client" } };

  beforeEach(async () => {
    const authentication = { method: "private_key_jwt", jwks, jwksUri: "" } as const;
    client = await registeredClient(deps, ann.user, { ...MACHINE, authentication });
  });

  const newAssertion = (): Promise<Fields> => assertionOf(client, "ES256", privateKey);

  const countGrants = (): Promise<number> =>
    deps.db.tokenFamily.count({ where: { applicationId: client.application.id } });

  it(
    conformance(
      "CA-05",
      "simultaneous requests with one assertion for the client credentials grant store only one grant",
    ),
    async () => {
      const assertion = await newAssertion();
      const responses = await Promise.all(Array.from({ length: 6 }, () => request(assertion)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
      expect(await countGrants()).toBe(1);
      expect(await request(assertion)).toMatchObject(reused);
      expect(await countGrants()).toBe(1);
    },
  );

  it(conformance("CA-05", "a refused client credentials request marks its assertion as used"), async () => {
    const assertion = await newAssertion();
    const refused = await request({ ...assertion, scope: "admin" });
    expect(refused).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    expect(await request(assertion)).toMatchObject(reused);
    expect(await request({ ...assertion, scope: "admin" })).toMatchObject(reused);
    expect(await countGrants()).toBe(0);
  });

  it("a replayed assertion does not count towards the token limit of the application", async () => {
    await changeSettings(deps, { limit_client_credentials_per_client: "2" }, chief.user);
    const assertion = await newAssertion();
    expect((await request(assertion)).status).toBe(200);
    const replays = await Promise.all(Array.from({ length: 5 }, () => request(assertion)));
    for (const replay of replays) expect(replay).toMatchObject(reused);
    expect((await request(await newAssertion())).status).toBe(200);
    const limited = await newAssertion();
    expect(await request(limited)).toMatchObject({ status: 429 });
    await changeSettings(deps, { limit_client_credentials_per_client: "600" }, chief.user);
    expect(await request(limited)).toMatchObject(reused);
  });
});

describe("the bot user of an application", () => {
  it(
    conformance(
      "CC-07",
      "the bot user of an application cannot sign in, and does not count as a user of the application",
    ),
    async () => {
      await tokenOf();
      const bot = await botOfClient();
      await expect(openSessionFor(deps, bot, { ipAddress: "", userAgent: "" }, ["password"])).rejects.toThrow(
        "bot",
      );
      expect(await usageOf(deps, client.application.id)).toEqual({ users: 0, grants: 0 });
      const token = await tokenWith(deps, chief.user, ["api"]);
      const humans = await getUsers(visit(token, `/api/v4/users?humans=true&search=${bot.username}`));
      expect(await humans.json()).toEqual([]);
    },
  );

  it(
    conformance(
      "CC-07",
      "the bot user is deleted with its application, and its tokens stop working immediately",
    ),
    async () => {
      const token = await tokenOf();
      const bot = await botOfClient();
      const shop = await projectOf(deps, ann.user, `gone-${client.application.id}`);
      await memberOf(deps, shop, bot, "developer");
      await applications.remove(deps, ann.user, client.application.id);
      expect(await statusAt(token)).toBe(401);
      await deleteDueAccounts(deps);
      expect(await findById(deps, bot.id)).toBeNull();
      expect(await deps.db.projectMember.count({ where: { userId: bot.id } })).toBe(0);
    },
  );

  it(
    conformance(
      "CC-07",
      "the bot user of an application is deleted after the group that owned the application has been deleted",
    ),
    async () => {
      const group = await groupOf(deps, ann.user, `team-${client.application.id}`);
      const registered = await applications.registerForGroup(deps, ann.user, group.id, draftOf(client));
      if (registered === null || "problems" in registered) throw new Error(JSON.stringify(registered));
      const bot = await botOf(deps, registered.application.id);
      await deps.db.application.delete({ where: { id: registered.application.id } });
      expect((await prune(deps)).application_bots).toBe(1);
      await deleteDueAccounts(deps);
      expect(await findById(deps, bot?.id ?? 0)).toBeNull();
    },
  );
});
