import { GET as getUser } from "@app/api/v4/user/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { openSessionFor, sessionOf } from "@/identity/sessions/service.ts";
import { changeAccount } from "@/identity/users/account-changes.ts";
import { blockUserAsAdministrator, unblockUserAsAdministrator } from "@/identity/users/administration.ts";
import { changePassword } from "@/identity/users/profile.ts";
import { findById, findWithStamp, resetPassword, withCheckedPassword } from "@/identity/users/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  codeFor,
  exchangeOf,
  ORIGIN,
  PASSWORD,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { grantedTokens, refreshOf, type Tokens } from "@/testing/tokens.ts";

const deps = await openTestDeps();
const boss = await signedInUser(deps, "boss");
await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
const client: Client = await registeredClient(deps, boss.user, { scopes: ["read_user", "api"] });
const NEW = "another long passphrase";

let users = 0;
let ann: SignedInUser;
let bob: SignedInUser;
let held: Readonly<{ tokens: Tokens; personal: string; code: string }>;

async function accessOf(user: SignedInUser) {
  const tokens = await grantedTokens(deps, user, client, { scope: "read_user" });
  const personal = await createPersonalToken(deps, user.user, {
    name: "laptop",
    scopes: ["read_api"],
    expiresAt: null,
  });
  if ("problems" in personal) throw new Error(JSON.stringify(personal.problems));
  const code = await codeFor(deps, user, authorizationQuery(client, { scope: "read_user" }));
  return { tokens, personal: personal.value, code };
}

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  bob = await signedInUser(deps, `bob${users}`);
  held = await accessOf(ann);
});

const status = async (token: string): Promise<number> =>
  (await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })))
    .status;

const statuses = async ({ tokens, personal }: typeof held) => [
  await status(tokens.access),
  await status(personal),
];

async function expectNothingLeft(): Promise<void> {
  expect(await statuses(held)).toEqual([401, 401]);
  expect(await requestToken(refreshOf(client, held.tokens.refresh))).toMatchObject(refusal("invalid_grant"));
  expect(await requestToken(exchangeOf(client, held.code))).toMatchObject(refusal("invalid_grant"));
  expect(await deps.db.consent.count({ where: { userId: ann.user.id } })).toBe(0);
}

const events = async (): Promise<readonly string[]> =>
  (
    await deps.db.auditEvent.findMany({
      where: { name: "access.revoked", userId: ann.user.id },
      orderBy: { id: "asc" },
    })
  ).map(({ details }) => JSON.parse(details).because);

async function change(revokesAccess: boolean): Promise<void> {
  const session = await sessionOf(deps, ann.cookie);
  if (session === null) throw new Error("The session has ended.");
  const wanted = {
    password: NEW,
    again: NEW,
    currentPassword: PASSWORD,
    ipAddress: "192.0.2.1",
    revokesAccess,
  };
  expect(await changePassword(deps, session, wanted)).toEqual({});
}

describe(conformance("SC-06", "all tokens and grants of a user are revoked"), () => {
  it("a password change revokes all tokens and grants if the user leaves the checkbox for the revocation selected", async () => {
    await change(true);
    await expectNothingLeft();
    expect(
      await sessionOf(deps, ann.cookie),
      "the session that changed the password stays valid",
    ).not.toBeNull();
    expect(await events()).toEqual(["password_changed"]);
  });

  it("a password reset by an operator revokes all tokens and grants of the user", async () => {
    expect(await resetPassword(deps, ann.user, NEW)).toBeNull();
    await expectNothingLeft();
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await events()).toEqual(["password_reset"]);
  });

  it("a password that an administrator sets revokes all tokens and grants of the user", async () => {
    const admin = (await findById(deps, boss.user.id)) ?? boss.user;
    expect(await changeAccount(deps, admin, ann.user.id, { password: NEW })).toHaveProperty("user");
    await expectNothingLeft();
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await events()).toEqual(["password_reset"]);
  });

  it("blocking a user revokes all tokens and grants, and unblocking does not restore them", async () => {
    expect(await blockUserAsAdministrator(deps, boss.user, ann.user.id)).toBeNull();
    await expectNothingLeft();
    expect(await unblockUserAsAdministrator(deps, boss.user, ann.user.id)).toBeNull();
    await expectNothingLeft();
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
  });

  it("unblocking a user revokes tokens that an earlier version did not revoke when it blocked the user", async () => {
    await deps.db.user.update({ where: { id: ann.user.id }, data: { state: "blocked" } });
    expect(await unblockUserAsAdministrator(deps, boss.user, ann.user.id)).toBeNull();
    await expectNothingLeft();
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
  });

  it("after a password reset, a concurrent request that has already checked the old password cannot open a session", async () => {
    const checked = await findWithStamp(deps, ann.user.id);
    if (checked === null) throw new Error("The user does not exist.");
    const write = (within: Deps) =>
      openSessionFor(within, ann.user, { ipAddress: "192.0.2.1", userAgent: null }, ["password"]);
    await resetPassword(deps, ann.user, NEW);
    const sessions = await deps.db.session.count();
    expect(await withCheckedPassword(deps, checked, write)).toBeNull();
    expect(await deps.db.session.count()).toBe(sessions);
    const current = await findWithStamp(deps, ann.user.id);
    expect(current && (await withCheckedPassword(deps, current, write))).toHaveProperty("cookie");
  });

  it("a password reset also revokes consents, so that applications require consent again", async () => {
    await resetPassword(deps, ann.user, PASSWORD);
    const again = { ...ann, cookie: await signedInCookie(ann.user.username) };
    const response = await authorize(authorizationQuery(client, { scope: "read_user" }), again);
    expect(response.headers.get("location")).toContain("/oauth/consent");
  });
});

describe(conformance("SC-06", "a password change"), () => {
  it("a password change revokes no tokens if the user clears the checkbox for the revocation", async () => {
    await change(false);
    expect(await statuses(held)).toEqual([200, 200]);
    expect((await requestToken(refreshOf(client, held.tokens.refresh))).status).toBe(200);
    expect(await events()).toEqual([]);
  });

  it("a password change revokes no tokens of other users", async () => {
    const others = await accessOf(bob);
    await change(true);
    expect(await statuses(others)).toEqual([200, 200]);
  });
});
