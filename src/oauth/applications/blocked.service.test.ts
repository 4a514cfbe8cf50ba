import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  authorize,
  bearerStatus,
  type Client,
  ORIGIN,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { codesFor, enterUserCode, submitDecision, switchDeviceGrant } from "@/testing/device.ts";
import { expectErrorPage } from "@/testing/error-page.ts";
import { bearer, credentialsOf, grantedTokens, introspect, refreshOf, tokenInfo } from "@/testing/tokens.ts";
import { setBlocked, setTrusted } from "./administration.ts";

const deps = await openTestDeps();
const SCOPE = "read_user openid";

let ann: SignedInUser;
let admin: SignedInUser;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  admin = await signedInUser(deps, "boss");
});

const freshClient = (confidential = true): Promise<Client> =>
  registeredClient(deps, ann.user, { scopes: ["read_user", "openid"], confidential });

const userinfoStatus = async (token: string): Promise<number> =>
  (await getUserinfo(new Request(`${ORIGIN}/oauth/userinfo`, { headers: bearer(token) }))).status;

describe("blocking an application", () => {
  it.each([true, false])(
    "a blocked application stops working immediately, and works again after an administrator unblocks it (confidential: %s)",
    async (confidential) => {
      const client = await freshClient(confidential);
      const { access, refresh } = await grantedTokens(deps, ann, client, { scope: SCOPE });
      const all = async () => [
        await bearerStatus(access),
        await userinfoStatus(access),
        (await tokenInfo(bearer(access))).status,
      ];
      expect(await all()).toEqual([200, 200, 200]);

      await setBlocked(deps, admin.user, client.application.id, true);
      expect(await all()).toEqual([401, 401, 401]);
      const refused = await requestToken(refreshOf(client, refresh));
      expect(refused).toMatchObject({ status: 401, body: { error: "invalid_client" } });
      const page = await expectErrorPage(await authorize(authorizationQuery(client, { scope: SCOPE }), ann));
      expect(page).toContain("This application is blocked");
      await expectErrorPage(await authorize(authorizationQuery(client, { scope: SCOPE })));

      await setBlocked(deps, admin.user, client.application.id, false);
      expect(await all()).toEqual([200, 200, 200]);
      expect((await requestToken(refreshOf(client, refresh))).status).toBe(200);
    },
  );
});

describe("a blocked application", () => {
  it("a blocked application cannot introspect tokens, neither with its secret nor with its access token", async () => {
    const client = await freshClient();
    const own = await grantedTokens(deps, ann, client, { scope: SCOPE });
    const other = await grantedTokens(deps, ann, client, { scope: SCOPE });
    const request = { ...credentialsOf(client), token: own.access };
    expect((await introspect(request)).body).toMatchObject({ active: true });
    await setBlocked(deps, admin.user, client.application.id, true);
    expect(await introspect(request)).toMatchObject({ status: 401 });
    expect(await introspect({ token: own.access }, bearer(other.access))).toMatchObject({ status: 401 });
  });

  it("a user code that a device shows is refused after the application of the device is blocked", async () => {
    await switchDeviceGrant(deps, true);
    const client = await freshClient(false);
    const { userCode } = await codesFor(client, { scope: "read_user" });
    await setBlocked(deps, admin.user, client.application.id, true);
    expect(await enterUserCode(ann, userCode)).toMatchObject({ status: 422 });
  });

  it("a user cannot allow a device whose application was blocked after the consent page was opened", async () => {
    await switchDeviceGrant(deps, true);
    const client = await freshClient(false);
    const { userCode } = await codesFor(client, { scope: "read_user" });
    const card = await enterUserCode(ann, userCode);
    await setBlocked(deps, admin.user, client.application.id, true);
    expect((await submitDecision(ann, card, "allow")).status).toBe(410);
    expect(await deps.db.deviceAuthorization.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      status: "waiting",
    });
  });
});

describe("an administrator's decision to block or unblock an application", () => {
  it("each audit event for blocking, unblocking or trusting an application identifies the administrator", async () => {
    const { application } = await freshClient();
    const { id: applicationId } = application;
    await setBlocked(deps, admin.user, applicationId, true);
    await setBlocked(deps, admin.user, applicationId, false);
    await setTrusted(deps, admin.user, applicationId, true);
    const where = { applicationId, actorId: admin.user.id };
    const events = await deps.db.auditEvent.findMany({ where, orderBy: { id: "asc" } });
    expect(events.map(({ name, details }) => [name, JSON.parse(details)])).toEqual([
      ["application.blocked", {}],
      ["application.unblocked", {}],
      ["application.trust_changed", { trusted: true }],
    ]);
    expect(await deps.db.application.findUnique({ where: { id: applicationId } })).toMatchObject({
      trusted: true,
    });
  });

  it("blocking or trusting an application that does not exist has no effect and creates no audit event", async () => {
    const before = await deps.db.auditEvent.count();
    await setBlocked(deps, admin.user, 2_000_000_000, true);
    await setTrusted(deps, admin.user, 2_000_000_000, true);
    expect(await deps.db.auditEvent.count()).toBe(before);
  });
});
