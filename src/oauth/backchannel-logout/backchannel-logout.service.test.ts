import { createServer } from "node:http";
import { GET as getKeys } from "@app/oauth/discovery/keys/route.ts";
import { GET as getEndSession } from "@app/oauth/end_session/route.ts";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { endOtherSessions } from "@/identity/sessions/own-sessions.ts";
import { endSessionsOf, type Session, sessionOf, signOut } from "@/identity/sessions/service.ts";
import { blockUserAsAdministrator } from "@/identity/users/administration.ts";
import { replacePassword } from "@/identity/users/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { readIdToken } from "@/oauth/signing-keys/service.ts";
import { apiUser } from "@/testing/api.ts";
import {
  authorizationQuery,
  type Client,
  codeFor,
  encoded,
  exchangeOf,
  ORIGIN,
  REDIRECT_URI,
  refusal,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient, tokensFor } from "@/testing/open-id.ts";
import { deliverDue } from "./delivery.ts";

const received: { path: string; type: string | undefined; token: string }[] = [];
let status = 200;
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
    const type = request.headers["content-type"];
    received.push({ path: request.url ?? "", type, token: form.get("logout_token") ?? "" });
    response.writeHead(status).end();
  });
});
await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
const { port } = receiver.address() as { port: number };
afterAll(() => receiver.close());

const { config: database, ...opened } = await openTestDatabase();
const deps = await openTestDeps(depsOf(opened));
const root = await apiUser(deps, "root", { admin: true });

let ann: SignedInUser;
let users = 0;

const logoutUri = (path: string) => `http://127.0.0.1:${port}/${path}`;
const clientWith = (path: string, draft: Parameters<typeof openIdClient>[2] = {}): Promise<Client> =>
  openIdClient(deps, root.user, {
    backchannelLogout: { uri: logoutUri(path), sessionRequired: true },
    ...draft,
  });
const sessionIn = async (cookie = ann.cookie): Promise<Session> => {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("No session.");
  return session;
};
const sidOf = (tokens: Readonly<Record<string, unknown>>) => decodeJwt(String(tokens["id_token"]))["sid"];
const claimsReceived = () => received.map(({ token }) => decodeJwt(token));
const refreshed = (client: Client, tokens: Readonly<Record<string, unknown>>) =>
  requestToken({
    grant_type: "refresh_token",
    client_id: client.id,
    client_secret: client.secret,
    refresh_token: String(tokens["refresh_token"]),
  });

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  await deliverDue(deps);
  received.length = 0;
  status = 200;
});

describe("a logout token", () => {
  it(
    conformance(
      "BL-01",
      "a logout token is signed for its application, and contains the claims that the specification requires",
    ),
    async () => {
      const client = await clientWith("claims", {
        tokens: { idTokenAlgorithm: "ES256", accessTokenFormat: "opaque" },
      });
      const sid = sidOf(await tokensFor(deps, ann, client));
      await signOut(deps, await sessionIn());
      expect(received, "the sign-out sends no request").toEqual([]);
      await deliverDue(deps);
      const [message] = received;
      if (message === undefined) throw new Error("No logout token was received.");
      expect(message).toMatchObject({ path: "/claims", type: "application/x-www-form-urlencoded" });
      const keys = createLocalJWKSet(await (await getKeys(new Request(ORIGIN))).json());
      const { payload } = await jwtVerify(message.token, keys, {
        ...{ algorithms: ["ES256"], issuer: ORIGIN, audience: client.id, typ: "logout+jwt" },
        currentDate: deps.clock(),
      });
      expect(payload).toEqual({
        iss: ORIGIN,
        aud: client.id,
        sub: String(ann.user.id),
        iat: expect.any(Number),
        exp: Number(payload.iat) + 120,
        jti: expect.stringMatching(/^[\w-]{22}$/),
        sid,
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      });
      expect(await readIdToken(deps, message.token), "a logout token is no id_token_hint").toBeNull();
    },
  );

  it(
    conformance("BL-02", "logout tokens and ID tokens contain the same sid for the same session and client"),
    async () => {
      const client = await clientWith("sid");
      const other = await clientWith("other");
      const tokens = await tokensFor(deps, ann, client);
      const sid = sidOf(tokens);
      expect(sid).toMatch(/^[\w-]{22}$/);
      expect((await sessionIn()).id).not.toContain(sid);
      expect(sidOf(await tokensFor(deps, ann, client))).toBe(sid);
      expect(sidOf((await refreshed(client, tokens)).body)).toBe(sid);
      expect(sidOf(await tokensFor(deps, ann, other))).not.toBe(sid);
      const second = { ...ann, cookie: await signedInCookie(ann.user.username) };
      expect(sidOf(await tokensFor(deps, second, client))).not.toBe(sid);
      expect(sidOf(await tokensFor(deps, ann, await openIdClient(deps, ann.user)))).toBeUndefined();
    },
  );

  it.each<[string, (second: SignedInUser) => Promise<unknown>, number]>([
    ["the user signs out", async () => signOut(deps, await sessionIn()), 1],
    [
      "the user ends the other sessions",
      async (second) => endOtherSessions(deps, await sessionIn(second.cookie)),
      1,
    ],
    ["an administrator ends the sessions", () => endSessionsOf(deps, ann.user), 2],
    ["an administrator blocks the user", () => blockUserAsAdministrator(deps, root.user, ann.user.id), 2],
    [
      "the password is reset",
      () => deps.transaction((within) => replacePassword(within, ann.user, "digest")),
      2,
    ],
  ])(
    conformance("BL-03", "a logout token is sent for each ended session when %s"),
    async (_name, end, count) => {
      const [first, second] = [await clientWith("first"), await clientWith("second")];
      const elsewhere = { ...ann, cookie: await signedInCookie(ann.user.username) };
      const bob = await signedInUser(deps, `bob${users}`);
      const sids = [sidOf(await tokensFor(deps, ann, first)), sidOf(await tokensFor(deps, ann, second))];
      const later = [
        sidOf(await tokensFor(deps, elsewhere, first)),
        sidOf(await tokensFor(deps, elsewhere, second)),
      ];
      await tokensFor(deps, bob, first);
      await end(elsewhere);
      await deliverDue(deps);
      const expected = count === 1 ? sids : [...sids, ...later];
      expect(
        claimsReceived()
          .map(({ sid }) => sid)
          .toSorted(),
      ).toEqual(expected.toSorted());
      await deliverDue(deps);
      expect(received).toHaveLength(expected.length);
    },
  );

  it(
    conformance("BL-03", "a logout token is sent after a logout that the application requested"),
    async () => {
      const client = await clientWith("requested");
      const tokens = await tokensFor(deps, ann, client);
      const query = { id_token_hint: String(tokens["id_token"]), post_logout_redirect_uri: REDIRECT_URI };
      const response = await getEndSession(
        new Request(`${ORIGIN}/oauth/end_session?${encoded(query)}`, { headers: { cookie: ann.cookie } }),
      );
      expect(response.status).toBe(303);
      await deliverDue(deps);
      expect(claimsReceived()).toMatchObject([{ sid: sidOf(tokens) }]);
    },
  );

  it("no logout token is sent for a session that expires", async () => {
    const client = await clientWith("expired");
    await tokensFor(deps, ann, client);
    deps.advance(400 * 86_400);
    const again = await signedInCookie(ann.user.username);
    await signOut(deps, await sessionIn(again));
    await deliverDue(deps);
    expect(received).toEqual([]);
  });
});

describe("the grants of an ended session", () => {
  it(
    conformance(
      "BL-04",
      "the end of a session revokes the grants of the session, except grants whose authorization request contained offline_access",
    ),
    async () => {
      const client = await clientWith("grants");
      const plain = await openIdClient(deps, ann.user);
      const online = await tokensFor(deps, ann, client);
      const offline = await tokensFor(deps, ann, client, { scope: "openid offline_access" });
      const uninformed = await tokensFor(deps, ann, plain);
      const code = await codeFor(deps, ann, authorizationQuery(client, { scope: "openid" }));
      await signOut(deps, await sessionIn());
      expect(await refreshed(client, online)).toMatchObject(refusal("invalid_grant"));
      expect((await refreshed(client, offline)).status).toBe(200);
      expect((await refreshed(plain, uninformed)).status).toBe(200);
      expect(await requestToken(exchangeOf(client, code))).toMatchObject(refusal("invalid_grant"));
    },
  );
});

describe("the delivery of logout tokens", () => {
  const signedOut = async (path: string, draft: Parameters<typeof openIdClient>[2] = {}) => {
    const client = await clientWith(path, draft);
    await tokensFor(deps, ann, client);
    await signOut(deps, await sessionIn());
    return client;
  };
  const rowOf = ({ application }: Client) =>
    deps.db.clientSession.findFirstOrThrow({ where: { applicationId: application.id } });

  it(
    conformance(
      "BL-05",
      "a failed delivery of a logout token is repeated for one day, each time with a new jti",
    ),
    async () => {
      status = 503;
      const client = await signedOut("retry");
      await deliverDue(deps);
      await deliverDue(deps);
      expect(received).toHaveLength(1);
      deps.advance(5);
      await deliverDue(deps);
      expect(new Set(claimsReceived().map(({ jti }) => jti)).size).toBe(2);
      expect(new Set(claimsReceived().map(({ sid }) => sid)).size).toBe(1);
      expect(await rowOf(client)).toMatchObject({ state: "waiting", responseStatus: 503, attempts: 2 });
      for (let hour = 0; hour < 26; hour++) {
        deps.advance(3_600);
        await deliverDue(deps);
      }
      expect(await rowOf(client)).toMatchObject({ state: "failed", responseStatus: 503 });
      const sent = received.length;
      deps.advance(86_400);
      await deliverDue(deps);
      expect(received).toHaveLength(sent);
      const about = { userId: ann.user.id, applicationId: client.application.id };
      expect(await deps.db.auditEvent.count({ where: { name: "logout_token.failed", ...about } })).toBe(1);
    },
  );

  it(
    conformance(
      "BL-05",
      "if several servers use one database, each logout token is delivered only once, and the delivery is recorded",
    ),
    async () => {
      const clients = [];
      for (const path of ["a", "b", "c", "d"]) {
        const client = await clientWith(path);
        await tokensFor(deps, ann, client);
        clients.push(client);
      }
      await signOut(deps, await sessionIn());
      const other = await openDatabase(database);
      await Promise.all([deliverDue(deps), deliverDue({ ...deps, ...depsOf(other) })]);
      await other.close();
      expect(received.map(({ path }) => path).toSorted()).toEqual(["/a", "/b", "/c", "/d"]);
      for (const client of clients) {
        expect(await rowOf(client)).toMatchObject({ state: "delivered", responseStatus: 200, attempts: 1 });
        const about = { applicationId: client.application.id, name: "logout_token.delivered" };
        expect(await deps.db.auditEvent.count({ where: about })).toBe(1);
      }
    },
  );

  it(
    conformance(
      "BL-06",
      "the delivery of logout tokens refuses IP addresses that are not public, and follows no redirect",
    ),
    async () => {
      const uri = "https://10.0.0.1/logout";
      const client = await signedOut("private", { backchannelLogout: { uri, sessionRequired: false } });
      await deliverDue(deps);
      expect(await rowOf(client)).toMatchObject({
        state: "waiting",
        responseStatus: null,
        lastError: "The host has an IP address that is not public.",
      });
    },
  );

  it(
    conformance(
      "BL-06",
      "the logout tokens of a client without an owner are never sent to local IP addresses, even if the settings allow local IP addresses",
    ),
    async () => {
      await changeSettings(deps, { allow_local_requests_from_web_hooks_and_services: "true" });
      for (const uri of [logoutUri("unregistered"), "https://10.0.0.1/logout", "https://[fd00::1]/logout"]) {
        const client = await clientWith("owned", { backchannelLogout: { uri, sessionRequired: true } });
        await tokensFor(deps, ann, client);
        await deps.db.application.update({ where: { uid: client.id }, data: { ownerId: null } });
        await signOut(deps, await sessionIn());
        await deliverDue(deps);
        expect(await rowOf(client), uri).toMatchObject({
          state: "waiting",
          lastError: "The host has an IP address that is not public.",
        });
        await deps.db.application.update({ where: { uid: client.id }, data: { ownerId: root.user.id } });
        users += 1;
        ann = await signedInUser(deps, `ann${users}`);
      }
      expect(received).toEqual([]);
      deps.advance(5);
      await deliverDue(deps);
      expect(received.map(({ path }) => path)).toEqual(["/unregistered"]);
      await changeSettings(deps, { allow_local_requests_from_web_hooks_and_services: "false" });
    },
  );
});
