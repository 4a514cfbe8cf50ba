import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  blockUserAsAdministrator,
  setAdministrator,
  unblockUserAsAdministrator,
} from "@/identity/users/administration.ts";
import {
  authorizationQuery,
  authorize,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  ORIGIN,
  PASSWORD,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { codesFor, enterUserCode, submitDecision, switchDeviceGrant } from "@/testing/device.ts";
import { expectErrorPage } from "@/testing/error-page.ts";
import {
  bearer,
  credentialsOf,
  grantedTokens,
  introspect,
  refreshOf,
  type Tokens,
  tokenInfo,
} from "@/testing/tokens.ts";
import { applicationsDependentOn, findApplication, setBlocked, setTrusted } from "./administration.ts";

const deps = await openTestDeps();
const SCOPE = "read_user openid";
const REFUSED = { status: 401, body: { error: "invalid_client" } };

let users = 0;
let ann: SignedInUser;
let boss: SignedInUser;
let owner: SignedInUser;

beforeAll(async () => {
  await switchDeviceGrant(deps, true);
  ann = await signedInUser(deps, "ann");
  boss = await signedInUser(deps, "boss");
  await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
});

beforeEach(async () => {
  users += 1;
  owner = await signedInUser(deps, `owner${users}`);
});

const clientOf = (user: SignedInUser, confidential = true): Promise<Client> =>
  registeredClient(deps, user.user, {
    scopes: ["read_user", "openid"],
    confidential,
    allowsPassword: true,
  });

const block = async (user: SignedInUser) =>
  expect(await blockUserAsAdministrator(deps, boss.user, user.user.id)).toBeNull();
const unblock = async (user: SignedInUser) =>
  expect(await unblockUserAsAdministrator(deps, boss.user, user.user.id)).toBeNull();

async function uses(access: string): Promise<readonly number[]> {
  const userinfo = await getUserinfo(new Request(`${ORIGIN}/oauth/userinfo`, { headers: bearer(access) }));
  return [await bearerStatus(access), userinfo.status, (await tokenInfo(bearer(access))).status];
}

const refreshed = (client: Client, tokens: Tokens) => requestToken(refreshOf(client, tokens.refresh));

describe("blocking the owner of an application", () => {
  it.each([true, false])(
    conformance(
      "SC-05",
      "while the owner of an application is blocked, every endpoint refuses the application (confidential: %s)",
    ),
    async (confidential) => {
      const client = await clientOf(owner, confidential);
      const tokens = await grantedTokens(deps, ann, client, { scope: SCOPE });
      const code = await codeFor(deps, ann, authorizationQuery(client, { scope: SCOPE }));
      const device = await codesFor(client, { scope: "read_user" });
      const card = await enterUserCode(ann, device.userCode);
      const approved = await codesFor(client, { scope: "read_user" });
      expect((await submitDecision(ann, await enterUserCode(ann, approved.userCode), "allow")).status).toBe(
        200,
      );
      expect(await uses(tokens.access)).toEqual([200, 200, 200]);

      await block(owner);
      expect(await uses(tokens.access)).toEqual([401, 401, 401]);
      const page = await expectErrorPage(await authorize(authorizationQuery(client, { scope: SCOPE }), ann));
      expect(page).toContain("This application is blocked");
      expect(await refreshed(client, tokens)).toMatchObject(REFUSED);
      expect(await requestToken(exchangeOf(client, code))).toMatchObject(REFUSED);
      const login = { grant_type: "password", username: "ann", password: PASSWORD, scope: "read_user" };
      expect(await requestToken({ ...login, ...credentialsOf(client) })).toMatchObject(REFUSED);
      const poll = {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: approved.deviceCode,
      };
      expect(await requestToken({ ...poll, ...credentialsOf(client) })).toMatchObject(REFUSED);
      expect((await submitDecision(ann, card, "allow")).status).toBe(410);
      expect(await enterUserCode(ann, device.userCode)).toMatchObject({ status: 422 });

      await unblock(owner);
      expect(await uses(tokens.access)).toEqual([200, 200, 200]);
      expect((await refreshed(client, tokens)).status).toBe(200);
    },
  );
});

describe(conformance("SC-05", "an application whose owner is blocked"), () => {
  it("an application whose owner is blocked cannot introspect tokens, neither with its secret nor with its access token", async () => {
    const client = await clientOf(owner);
    const { access } = await grantedTokens(deps, ann, client, { scope: SCOPE });
    const other = await grantedTokens(deps, ann, client, { scope: SCOPE });
    const question = { ...credentialsOf(client), token: access };
    expect((await introspect(question)).body).toMatchObject({ active: true });
    await block(owner);
    expect(await introspect(question)).toMatchObject({ status: 401 });
    expect(await introspect({ token: access }, bearer(other.access))).toMatchObject({ status: 401 });
  });

  it("a trusted application of a blocked owner works, and stops working when the application is no longer trusted", async () => {
    const client = await clientOf(owner);
    const tokens = await grantedTokens(deps, ann, client, { scope: SCOPE });
    await setTrusted(deps, boss.user, client.application.id, true);
    await block(owner);
    expect(await uses(tokens.access)).toEqual([200, 200, 200]);
    expect((await refreshed(client, tokens)).status).toBe(200);
    expect(await findApplication(deps, client.application.id)).toMatchObject({ ownerBlocked: false });
    const next = await grantedTokens(deps, ann, client, { scope: SCOPE });
    await setTrusted(deps, boss.user, client.application.id, false);
    expect(await uses(next.access)).toEqual([401, 401, 401]);
    expect(await findApplication(deps, client.application.id)).toMatchObject({ ownerBlocked: true });
  });

  it("an application of a blocked administrator works, because the instance owns it", async () => {
    const client = await clientOf(owner);
    const tokens = await grantedTokens(deps, ann, client, { scope: SCOPE });
    expect(await setAdministrator(deps, boss.user, owner.user.id, true)).toBeNull();
    await block(owner);
    expect(await uses(tokens.access)).toEqual([200, 200, 200]);
    expect((await refreshed(client, tokens)).status).toBe(200);
  });

  it("a token that belongs to no application is accepted", async () => {
    const login = { grant_type: "password", username: "ann", password: PASSWORD, scope: "read_user" };
    const token = String((await requestToken(login)).body["access_token"]);
    expect((await tokenInfo(bearer(token))).status).toBe(200);
  });
});

describe(conformance("SC-05", "the confirmation page for blocking a user"), () => {
  const dependent = () => applicationsDependentOn(deps, { id: owner.user.id, admin: false });

  it("the confirmation page for blocking a user shows the applications that stop working, with the number of users of each application", async () => {
    expect(await dependent()).toEqual({ count: 0, shown: [] });
    const [quiet, busy, trusted, blocked] = [
      await clientOf(owner),
      await clientOf(owner),
      await clientOf(owner),
      await clientOf(owner),
    ];
    for (const user of [ann, boss, ann]) await grantedTokens(deps, user, busy, { scope: SCOPE });
    await setTrusted(deps, boss.user, trusted.application.id, true);
    await setBlocked(deps, boss.user, blocked.application.id, true);
    expect(await dependent()).toEqual({
      count: 2,
      shown: [
        { id: busy.application.id, name: busy.application.name, users: 2 },
        { id: quiet.application.id, name: quiet.application.name, users: 0 },
      ],
    });
  });

  it("the confirmation page for blocking an administrator does not show the applications of the administrator", async () => {
    await clientOf(owner);
    expect(await applicationsDependentOn(deps, { id: owner.user.id, admin: true })).toMatchObject({
      count: 0,
    });
  });
});
