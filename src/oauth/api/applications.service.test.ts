import * as renewRoute from "@app/api/v4/applications/[id]/renew-secret/route.ts";
import * as applicationRoute from "@app/api/v4/applications/[id]/route.ts";
import * as applicationsRoute from "@app/api/v4/applications/route.ts";
import * as userRoute from "@app/api/v4/user/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authenticate, registerForGroup } from "@/oauth/applications/service.ts";
import { publishedKeys } from "@/oauth/signing-keys/service.ts";
import { type ApiUser, apiUser, callApi, tokenWith } from "@/testing/api.ts";
import { registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf } from "@/testing/projects.ts";
import { grantedTokens } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const NOT_FOUND = { status: 404, body: { message: "404 Application Not Found" } };
const NEW = {
  name: "Wiki",
  redirect_uri: "https://wiki.example/a\nhttps://wiki.example/b",
  scopes: "api openid",
};

let root: ApiUser;
let other: ApiUser;
let ann: ApiUser;

beforeAll(async () => {
  root = await apiUser(deps, "root", { admin: true });
  other = await apiUser(deps, "other", { admin: true });
  ann = await apiUser(deps, "ann");
});
beforeEach(() => deps.db.application.deleteMany());

type Shown = Readonly<{ id: number; application_id: string; application_name: string; secret: string }>;

const brief = async (response: ReturnType<typeof callApi>) => {
  const { status, body } = await response;
  return { status, body: body as Shown };
};
const create = (json: object, token = root.token) =>
  brief(callApi(applicationsRoute.POST, "POST", { token, json }));
const list = (query = "", token = root.token) => callApi(applicationsRoute.GET, "GET", { token, query });
const remove = (id: number, token = root.token) =>
  brief(callApi(applicationRoute.DELETE, "DELETE", { token, path: { id: String(id) } }));
const renew = (id: number, token = root.token) =>
  brief(callApi(renewRoute.POST, "POST", { token, path: { id: String(id) } }));
const events = async () =>
  (await deps.db.auditEvent.findMany({ orderBy: { id: "desc" }, take: 2 })).map(({ name, actorId }) => ({
    name,
    actorId,
  }));

describe("PUT /applications/:id", () => {
  const narrow = (id: number, json: object, token = root.token) =>
    brief(callApi(applicationRoute.PUT, "PUT", { token, path: { id: String(id) }, json }));
  const worksFor = async (access: string) =>
    (await callApi(userRoute.GET, "GET", { token: access })).status === 200;

  it(
    conformance(
      "SC-33",
      "the applications API removes scopes from an application, and revokes grants with a removed scope only if revoke_uncovered is true",
    ),
    async () => {
      const owner = await signedInUser(deps, "owner-of-wiki");
      await deps.db.user.update({ where: { id: owner.user.id }, data: { admin: true } });
      const client = await registeredClient(deps, owner.user, { scopes: ["api", "read_user"] });
      const { id } = client.application;
      const wide = await grantedTokens(deps, owner, client, { scope: "api" });
      const small = await grantedTokens(deps, owner, client, { scope: "read_user" });
      expect(await narrow(id, { scopes: "read_user" })).toMatchObject({ status: 200, body: { id } });
      expect([await worksFor(wide.access), await worksFor(small.access)]).toEqual([true, true]);
      const response = await narrow(id, { scopes: "read_user", revoke_uncovered: true });
      expect(response.status).toBe(200);
      expect([await worksFor(wide.access), await worksFor(small.access)]).toEqual([false, true]);
      expect(await events()).toEqual([
        { name: "application.tokens_revoked", actorId: root.user.id },
        { name: "application.changed", actorId: root.user.id },
      ]);
    },
  );

  it("the applications API changes the options of an application, and keeps the options that the request does not contain", async () => {
    const { body } = await create({ ...NEW, client_credentials_scopes: "api" });
    const changed = await narrow(body.id, { dpop_bound_access_tokens: true, access_token_format: "jwt" });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        scopes: ["api", "openid"],
        dpop_bound_access_tokens: true,
        access_token_format: "jwt",
        id_token_signed_response_alg: "RS256",
        client_credentials_scopes: ["api"],
      },
    });
    expect((await narrow(body.id, { scopes: "openid" })).body).toMatchObject({
      client_credentials_scopes: [],
    });
    const refused = await narrow(body.id, { client_credentials_scopes: "api" });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: { client_credentials_scopes: [expect.any(String)] } },
    });
    expect(
      await narrow(body.id, { dpop_bound_access_tokens: false, client_credentials_scopes: "" }),
    ).toMatchObject({
      body: { dpop_bound_access_tokens: false, access_token_format: "jwt" },
    });
  });

  it("the applications API rejects an unknown scope, and does not change an application whose owner is not an administrator", async () => {
    const { body } = await create(NEW);
    expect(await narrow(body.id, { scopes: "sudo" })).toMatchObject({ status: 400 });
    expect(await narrow(body.id, {})).toMatchObject({ status: 400 });
    expect((await deps.db.application.findUniqueOrThrow({ where: { id: body.id } })).scopes).toBe(
      "api openid",
    );
    const stranger = await signedInUser(deps, "stranger-of-wiki");
    const foreign = await registeredClient(deps, stranger.user);
    expect(await narrow(foreign.application.id, { scopes: "api" })).toEqual(NOT_FOUND);
  });
});

describe("POST /applications", () => {
  it("the applications API registers an application that works immediately, and shows the secret of the application once", async () => {
    const { status, body } = await create(NEW);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      application_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      application_name: "Wiki",
      callback_url: NEW.redirect_uri,
      confidential: true,
      owner: { kind: "instance", id: root.user.id, path: "root" },
      scopes: ["api", "openid"],
      trusted: false,
      resource_server: false,
      token_endpoint_auth_method: "client_secret",
      jwks_uri: null,
      require_pkce: false,
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false,
      id_token_signed_response_alg: "RS256",
      access_token_format: "opaque",
      password_grant: true,
      backchannel_logout_uri: null,
      backchannel_logout_session_required: false,
      client_credentials_scopes: [],
      bot: null,
      secret: expect.stringMatching(/^ghcs_/),
    });
    expect(await authenticate(deps, body.application_id, body.secret)).toHaveProperty("application");
    expect(await deps.db.application.findFirstOrThrow()).toMatchObject({
      ownerId: root.user.id,
      scopes: "api openid",
      trusted: false,
    });
    expect((await list()).body).toEqual([expect.not.objectContaining({ secret: expect.anything() })]);
  });

  it("the applications API registers an application with every option, and returns the options and the bot", async () => {
    const options = {
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: "https://wiki.example/jwks.json",
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: "ES256",
      access_token_format: "jwt",
    };
    const { status, body } = await create({ ...NEW, ...options, client_credentials_scopes: "api" });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { ...options, secret: null, client_credentials_scopes: ["api"] },
    });
    expect((await publishedKeys(deps)).map(({ alg }) => alg)).toContain("ES256");
    const bot = { id: expect.any(Number), username: `application_${body.id}_bot_` };
    expect((await list()).body).toMatchObject([
      { ...options, bot: { ...bot, username: expect.stringContaining(bot.username) } },
    ]);
    const refused = await create({ ...NEW, client_credentials_scopes: "openid" });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: { client_credentials_scopes: [expect.any(String)] } },
    });
  });

  it("the applications API creates no secret for a public application", async () => {
    const { body } = await create({ ...NEW, confidential: "false" });
    expect(body).toMatchObject({ confidential: false, secret: null });
    expect(await renew(body.id)).toMatchObject({ status: 400 });
  });

  it.each<[string, object, object]>([
    ["without a name", { name: undefined }, { error: "name is missing" }],
    ["without a redirect URI", { redirect_uri: undefined }, { error: "redirect_uri is missing" }],
    ["without scopes", { scopes: "" }, { error: "scopes is empty" }],
    ["with an empty name", { name: "" }, { message: { name: [expect.any(String)] } }],
    [
      "with a malformed redirect URI",
      { redirect_uri: "here" },
      { message: { redirect_uri: [expect.any(String)] } },
    ],
    [
      "with a javascript redirect URI",
      { redirect_uri: "javascript:alert(1)" },
      { message: { redirect_uri: [expect.any(String)] } },
    ],
    ["with an unknown scope", { scopes: "sudo" }, { message: { scopes: [expect.any(String)] } }],
  ])("the applications API refuses an application %s", async (_what, changes, body) => {
    expect(await create({ ...NEW, ...changes })).toEqual({ status: 400, body });
    expect(await deps.db.application.count()).toBe(0);
  });
});

describe("GET /applications", () => {
  it("the applications API lists the applications of administrators page by page", async () => {
    await create(NEW);
    await create({ ...NEW, name: "Chat" }, other.token);
    await registeredClient(deps, ann.user, {});
    const { status, headers, body } = await list("?per_page=1");
    expect(status).toBe(200);
    expect(body).toMatchObject([{ application_name: "Chat" }]);
    expect(headers.get("x-total")).toBe("2");
    expect((await list("?pagination=keyset&sort=asc")).body).toMatchObject([
      { application_name: "Wiki" },
      { application_name: "Chat" },
    ]);
  });

  it("the applications API lists only applications whose owner is of the kind that the query names (user, group, instance or all)", async () => {
    await create(NEW);
    await registeredClient(deps, ann.user, { name: "Diary" });
    const group = await groupOf(deps, ann.user, "team");
    const draft = { ...NEW, name: "Board", redirectUris: NEW.redirect_uri, scopes: ["api"] };
    await registerForGroup(deps, ann.user, group.id, {
      ...draft,
      confidential: true,
      requiresPkce: false,
      allowsPassword: false,
    });
    const shown = async (kind: string) => (await list(`?owner_kind=${kind}`)).body;
    const ofGroup = { application_name: "Board", owner: { kind: "group", id: group.id, path: "team" } };
    const ofUser = { application_name: "Diary", owner: { kind: "user", id: ann.user.id, path: "ann" } };
    const ofInstance = { application_name: "Wiki", owner: { kind: "instance" } };
    expect(await shown("group")).toMatchObject([ofGroup]);
    expect(await shown("user")).toMatchObject([ofUser]);
    expect(await shown("instance")).toMatchObject([ofInstance]);
    expect(await shown("all")).toMatchObject([ofGroup, ofUser, ofInstance]);
    expect((await list("?owner_kind=alien")).status).toBe(400);
  });
});

describe("DELETE /applications/:id", () => {
  it("an administrator deletes an application and its tokens, even if another administrator owns the application; the audit event names the caller", async () => {
    const user = await signedInUser(deps, "olga");
    const client = await registeredClient(deps, other.user, { scopes: ["api"] });
    const { access } = await grantedTokens(deps, user, client, { scope: "api" });
    expect((await list("", access)).status).toBe(403);
    expect(await remove(client.application.id)).toEqual({ status: 204, body: null });
    expect((await list("", access)).status).toBe(401);
    expect((await events())[0]).toEqual({ name: "application.removed", actorId: root.user.id });
    expect(await remove(client.application.id)).toEqual(NOT_FOUND);
  });

  it("the applications API does not delete an application whose owner is not an administrator, and responds with 404", async () => {
    const { application } = await registeredClient(deps, ann.user, {});
    expect(await remove(application.id)).toEqual(NOT_FOUND);
    expect(await renew(application.id)).toEqual(NOT_FOUND);
    expect(await deps.db.application.count()).toBe(1);
  });
});

describe("POST /applications/:id/renew-secret", () => {
  it("the renewal of a secret invalidates the old secret of the application immediately, and returns the new secret", async () => {
    const { body } = await create(NEW, other.token);
    const renewed = await renew(body.id);
    expect(renewed).toMatchObject({ status: 201, body: { id: body.id, secret: expect.any(String) } });
    expect(await authenticate(deps, body.application_id, body.secret)).toEqual({ refused: "secret_wrong" });
    expect(await authenticate(deps, body.application_id, renewed.body.secret)).toHaveProperty("application");
    expect(await events()).toEqual([
      { name: "application.secret_added", actorId: root.user.id },
      { name: "application.secret_removed", actorId: root.user.id },
    ]);
    expect(JSON.stringify(await deps.db.applicationSecret.findMany())).not.toContain(renewed.body.secret);
  });

  it("an application has only one valid secret after simultaneous renewals", async () => {
    const { body } = await create(NEW);
    const renewed = await Promise.all([1, 2, 3].map(() => renew(body.id)));
    expect(renewed.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await deps.db.applicationSecret.count({ where: { applicationId: body.id } })).toBe(1);
  });
});

describe("the applications API", () => {
  it("the applications API requires an administrator, and changes require the scope api", async () => {
    const { body } = await create(NEW);
    const narrow = await tokenWith(deps, root.user, ["read_api"]);
    expect((await list("", narrow)).status).toBe(200);
    for (const token of [ann.token, narrow]) {
      expect((await create(NEW, token)).status).toBe(403);
      expect((await remove(body.id, token)).status).toBe(403);
      expect((await renew(body.id, token)).status).toBe(403);
    }
    expect((await list("", ann.token)).status).toBe(403);
  });
});
