import { beforeEach, describe, expect, it } from "vitest";
import { firstPage } from "@/kernel/paging/paging.ts";
import { register } from "@/oauth/applications/service.ts";
import { extendConsent } from "@/oauth/consents/service.ts";
import { endGrantsWithoutApplication, endOwnGrant, liveGrants } from "@/oauth/tokens/live-grants.ts";
import {
  authorizationQuery,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  PASSWORD,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { grantedTokens, refreshOf } from "@/testing/tokens.ts";
import {
  authorizedApplication,
  authorizedApplications,
  grantsWithoutApplication,
  recentAuthorizations,
  revokeUnused,
} from "./authorized-application.ts";
import { withdrawConsent } from "./service.ts";

const deps = await openTestDeps();

let users = 0;
let ann: SignedInUser;
let client: Client;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  client = await registeredClient(deps, ann.user, { name: "Acme Deploy", scopes: ["read_user", "api"] });
});

const listed = async (user = ann) => (await authorizedApplications(deps, user.user.id, { perPage: 10 })).rows;
const aboutClient = () => ({ userId: ann.user.id, applicationId: client.application.id });

async function passwordToken(user: SignedInUser): Promise<unknown> {
  const form = { username: user.user.username, password: PASSWORD, scope: "read_user" };
  return (await requestToken({ grant_type: "password", ...form })).body["access_token"];
}

const NEWEST = firstPage(10, { descending: true });

describe("the list of authorized applications", () => {
  it("the list of authorized applications is empty for a new user", async () => {
    expect(await listed()).toEqual([]);
    expect((await grantsWithoutApplication(deps, ann.user.id)).count).toBe(0);
    expect(await authorizedApplication(deps, aboutClient())).toBeNull();
  });

  it("the list of authorized applications contains the scopes, the time of consent and the devices of each application", async () => {
    await grantedTokens(deps, ann, client, { scope: "read_user" });
    deps.advance(60);
    await grantedTokens(deps, ann, client, { scope: "api" });
    const [application, ...others] = await listed();
    expect(others).toEqual([]);
    expect(application).toMatchObject({
      id: client.application.id,
      name: "Acme Deploy",
      owner: ann.user.username,
      allowedAt: new Date(deps.clock().getTime() - 60_000),
      scopes: ["read_user", "api"],
      count: 2,
    });
    const used = { way: "browser", lastUsedAt: deps.clock(), createdAt: deps.clock() };
    expect(application?.grants[0]).toMatchObject({ ...used, scopes: ["api"], ipAddress: "unknown" });
    expect(application?.grants).toHaveLength(2);
  });

  it("the list of authorized applications contains an application without valid tokens if the user has given consent", async () => {
    await codeFor(deps, ann, authorizationQuery(client));
    expect(await listed()).toMatchObject([{ count: 0, grants: [], scopes: ["read_user"] }]);
  });

  it("the list of authorized applications includes trusted applications", async () => {
    const trusted = await registeredClient(deps, ann.user, {
      name: "Ours",
      redirectUris: "https://o.example/",
    });
    await deps.db.application.update({ where: { id: trusted.application.id }, data: { trusted: true } });
    const grant = { userId: ann.user.id, applicationId: trusted.application.id, scopes: "read_user" };
    const createdAt = deps.clock();
    const family = { ...grant, grantType: "password", rotations: 0, createdAt };
    const token = { ...grant, accessDigest: `ours ${users}`, createdAt };
    const { id } = await deps.db.tokenFamily.create({ data: family });
    await deps.db.oauthToken.create({ data: { ...token, familyId: id } });
    expect(await listed()).toMatchObject([
      { name: "Ours", allowedAt: null, scopes: ["read_user"], count: 1 },
    ]);
  });

  it("the list of authorized applications contains only the applications that the signed-in user has authorized", async () => {
    await grantedTokens(deps, ann, client);
    const eve = await signedInUser(deps, `eve${users}`);
    expect(await listed(eve)).toEqual([]);
    const about = { userId: eve.user.id, applicationId: client.application.id };
    expect(await authorizedApplication(deps, about)).toBeNull();
    expect((await liveGrants(deps, about, NEWEST)).rows).toEqual([]);
  });

  it("the list of authorized applications is ordered by the last use, and has pages and a search", async () => {
    const ids: number[] = [];
    for (let count = 0; count < 7; count++) {
      const other = await registeredClient(deps, ann.user, { name: `App ${count}` });
      ids.unshift(other.application.id);
      deps.advance(60);
      if (count % 2 === 0) await codeFor(deps, ann, authorizationQuery(other));
      else await grantedTokens(deps, ann, other);
      await listed();
    }
    const page = async (number: number, search = "") => {
      const list = await authorizedApplications(deps, ann.user.id, { page: number, perPage: 3, search });
      return { ids: list.rows.map(({ id }) => id), total: list.total };
    };
    expect(await page(1)).toEqual({ ids: ids.slice(0, 3), total: 7 });
    expect(await page(3)).toEqual({ ids: ids.slice(6), total: 7 });
    expect(await page(1, "app 4")).toEqual({ ids: [ids[2]], total: 1 });
    expect(await page(1, "%")).toEqual({ ids: [], total: 0 });
  });

  it("recentAuthorizations returns the most recently used applications and the times of their consents", async () => {
    await grantedTokens(deps, ann, client);
    const consentedAt = deps.clock();
    for (const name of ["Older", "Newer"]) {
      deps.advance(60);
      await codeFor(deps, ann, authorizationQuery(await registeredClient(deps, ann.user, { name })));
    }
    deps.advance(60);
    await grantedTokens(deps, ann, client);
    expect(await recentAuthorizations(deps, ann.user.id, 2)).toEqual([
      { id: client.application.id, name: "Acme Deploy", allowedAt: consentedAt },
      { id: expect.any(Number), name: "Newer", allowedAt: new Date(deps.clock().getTime() - 60_000) },
    ]);
  });

  it("the last use of an authorized application is the last use of its active grants", async () => {
    const lastUse = async () => (await listed())[0]?.usedAt;
    await grantedTokens(deps, ann, client);
    const first = await lastUse();
    deps.advance(60);
    await grantedTokens(deps, ann, client);
    expect(await lastUse()).toEqual(deps.clock());
    const [newest] = (await liveGrants(deps, aboutClient(), NEWEST)).rows;
    await endOwnGrant(deps, { userId: ann.user.id, grantId: newest?.id ?? 0 });
    expect(await lastUse()).toEqual(first);
  });

  it("the list of authorized applications contains the number of tokens that each application received on each of the last seven days", async () => {
    await grantedTokens(deps, ann, client);
    deps.advance(3 * 86_400);
    const { refresh } = await grantedTokens(deps, ann, client);
    await requestToken(refreshOf(client, refresh));
    expect((await listed())[0]?.issues).toEqual([0, 0, 0, 1, 0, 0, 2]);
  });

  it("revokeUnused revokes only the applications that were not used for 90 days", async () => {
    const [forgotten, recent] = [
      await registeredClient(deps, ann.user, { name: "Forgotten" }),
      await registeredClient(deps, ann.user, { name: "Recent" }),
    ];
    await codeFor(deps, ann, authorizationQuery(forgotten));
    await grantedTokens(deps, ann, client);
    deps.advance(89 * 86_400);
    const consent = { userId: ann.user.id, applicationId: recent.application.id, scopes: ["read_user"] };
    await extendConsent(deps, consent);
    expect(await authorizedApplications(deps, ann.user.id, { perPage: 10 })).toMatchObject({ unused: 0 });
    deps.advance(86_400);
    expect(await authorizedApplications(deps, ann.user.id, { perPage: 10 })).toMatchObject({ unused: 2 });
    expect(await revokeUnused(deps, ann.user.id)).toBe(2);
    expect((await listed()).map(({ name }) => name)).toEqual(["Recent"]);
  });
});

describe("a revoked or expired grant", () => {
  it("a grant is not listed after its revocation, or after its tokens have expired", async () => {
    await grantedTokens(deps, ann, client);
    await passwordToken(ann);
    expect((await grantsWithoutApplication(deps, ann.user.id)).count).toBe(1);
    deps.advance(7_201);
    expect((await grantsWithoutApplication(deps, ann.user.id)).count, "the access token has expired").toBe(0);
    expect(await listed(), "the refresh token has not expired").toMatchObject([{ count: 1 }]);
    const [grant] = (await liveGrants(deps, aboutClient(), NEWEST)).rows;
    expect(await endOwnGrant(deps, { userId: ann.user.id, grantId: grant?.id ?? 0 })).toBe(true);
    expect(await listed()).toMatchObject([{ count: 0 }]);
  });
});

describe("revoking one grant", () => {
  it("the revocation of a grant immediately revokes only the tokens of the grant, and creates an audit event", async () => {
    const first = await grantedTokens(deps, ann, client);
    const second = await grantedTokens(deps, ann, client);
    const [newest] = (await liveGrants(deps, aboutClient(), NEWEST)).rows;
    const grant = { userId: ann.user.id, grantId: newest?.id ?? 0 };
    expect(await endOwnGrant(deps, grant)).toBe(true);
    expect(await bearerStatus(second.access)).toBe(401);
    expect((await requestToken(refreshOf(client, second.refresh))).status).toBe(400);
    expect(await bearerStatus(first.access)).toBe(200);
    expect(await endOwnGrant(deps, grant), "a second time").toBe(false);
    const events = await deps.db.auditEvent.findMany({
      where: { name: "token.revoked", userId: ann.user.id },
    });
    expect(events.map(({ details, applicationId }) => [details, applicationId])).toEqual([
      ['{"by":"owner"}', client.application.id],
    ]);
  });

  it("a user cannot revoke the grant of another user", async () => {
    const { access } = await grantedTokens(deps, ann, client);
    const eve = await signedInUser(deps, `eve${users}`);
    const [grant] = (await liveGrants(deps, aboutClient(), NEWEST)).rows;
    expect(await endOwnGrant(deps, { userId: eve.user.id, grantId: grant?.id ?? 0 })).toBe(false);
    expect(await bearerStatus(access)).toBe(200);
  });
});

describe("revoking all access of an application", () => {
  it("the revocation of an application revokes its tokens and authorization codes, and the application requires consent again", async () => {
    const { access } = await grantedTokens(deps, ann, client);
    const code = await codeFor(deps, ann, authorizationQuery(client));
    const other = await registeredClient(deps, ann.user, { name: "Other" });
    const others = await grantedTokens(deps, ann, other);
    expect(await withdrawConsent(deps, aboutClient())).toBe(true);
    expect(await bearerStatus(access)).toBe(401);
    expect((await requestToken(exchangeOf(client, code))).body["error"]).toBe("invalid_grant");
    expect(await bearerStatus(others.access)).toBe(200);
    expect((await listed()).map(({ name }) => name)).toEqual(["Other"]);
    const events = { name: "consent.withdrawn", userId: ann.user.id };
    expect(await deps.db.auditEvent.count({ where: events })).toBe(1);
    expect(await withdrawConsent(deps, aboutClient()), "a second time").toBe(false);
  });
});

describe("the page of authorized applications", () => {
  it("the page of authorized applications lists all tokens without an application together, and can revoke all of them without revoking other tokens", async () => {
    const tokens = [await passwordToken(ann), await passwordToken(ann)];
    const eve = await signedInUser(deps, `eve${users}`);
    const hers = await passwordToken(eve);
    const { access } = await grantedTokens(deps, ann, client);
    const summary = await grantsWithoutApplication(deps, ann.user.id);
    expect(summary).toMatchObject({ count: 2, scopes: ["read_user"], newest: [{ way: "password" }, {}] });
    expect(await endGrantsWithoutApplication(deps, ann.user.id)).toBe(2);
    for (const token of tokens) expect(await bearerStatus(token)).toBe(401);
    expect(await bearerStatus(hers)).toBe(200);
    expect(await bearerStatus(access)).toBe(200);
  });

  it("the card of an application shows its most recently used grants and the number of all its grants", async () => {
    const registered = await register(deps, ann.user, {
      name: "Busy",
      redirectUris: "https://b.example/",
      scopes: ["read_user"],
      confidential: true,
      requiresPkce: false,
      allowsPassword: true,
    });
    if ("problems" in registered) throw new Error("not registered");
    const applicationId = registered.application.id;
    const createdAt = deps.clock();
    const grant = { userId: ann.user.id, applicationId, scopes: "read_user", createdAt };
    const ids: number[] = [];
    for (let count = 0; count < 30; count++) {
      const family = { ...grant, grantType: "device_code", rotations: 0 };
      const { id } = await deps.db.tokenFamily.create({ data: family });
      await deps.db.oauthToken.create({ data: { ...grant, familyId: id, accessDigest: `busy ${id}` } });
      ids.unshift(id);
    }
    const used = { lastUsedAt: new Date(createdAt.getTime() + 1_000) };
    await deps.db.tokenFamily.update({ where: { id: ids.at(-1) ?? 0 }, data: used });
    const [busy] = await listed();
    expect(busy).toMatchObject({ name: "Busy", count: 30 });
    expect(busy?.grants.map(({ id }) => id)).toEqual([ids.at(-1), ...ids.slice(0, 2)]);
    const whose = { userId: ann.user.id, applicationId };
    const page = await liveGrants(deps, whose, {
      ...NEWEST,
      perPage: 20,
      cursor: { direction: "next", key: ids[19] ?? 0 },
    });
    expect(page.rows.map(({ id, way }) => [id, way])).toEqual(ids.slice(20).map((id) => [id, "device"]));
    expect([page.hasPrevious, page.hasNext]).toEqual([true, false]);
  });
});
