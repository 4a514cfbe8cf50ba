import { POST as postInvitation, GET as showInvitation } from "@app/users/invitation/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { blockUserAsAdministrator, createUserAsAdministrator } from "@/identity/users/administration.ts";
import { find } from "@/identity/users/service.ts";
import { contentOf, listMessages } from "@/instance/mail/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import {
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  PASSWORD,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf } from "@/testing/projects.ts";
import { cookieIn, sessionIn } from "@/testing/second-factor.ts";
import { duringTransaction } from "@/testing/transactions.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { resourceOf } from "../groups/service.ts";
import { addMember, findMember } from "../members/service.ts";
import { acceptAsNewUser, acceptAsUser } from "./acceptance.ts";
import type { Invitation, InvitationTarget } from "./rules.ts";
import { invite, listInvitations, resendInvitation, revokeInvitation } from "./service.ts";

const deps = await openTestDeps();
let root: SignedInUser;
let owner: SignedInUser;
let group: AuthorizedGroup;
let names = 0;
let email = "";

beforeAll(async () => {
  root = await signedInUser(deps, "mia");
  await deps.db.user.update({ where: { id: root.user.id }, data: { admin: true } });
  root = { ...root, user: { ...root.user, admin: true } };
});

beforeEach(async () => {
  names += 1;
  email = `guest${names}@example.com`;
  owner = await signedInUser(deps, `ann${names}`);
  group = await groupOf(deps, owner.user, `group${names}`);
  await deps.db.mailMessage.deleteMany();
  await deps.db.rateCounter.deleteMany();
  await changeSettings(deps, { signup_enabled: "false", owners_can_invite: "true" });
});

const inviter = (): { target: InvitationTarget; by: SignedInUser["user"]; held: "owner" } => ({
  target: resourceOf(group),
  by: owner.user,
  held: "owner",
});

async function invited(): Promise<Invitation> {
  const outcome = await invite(deps, inviter(), { email, role: "developer", expiresAt: null });
  if (typeof outcome === "string") throw new Error(outcome);
  return outcome;
}

/** Requests the invitation link in the newest e-mail. @returns the cookie that the response sets. */
async function openedLink(): Promise<string> {
  const [message] = await listMessages(deps);
  const url = (message && contentOf(deps, message)?.action?.url) ?? "";
  return cookieIn(await showInvitation(new Request(url)), "gatehouse_invitation");
}

const show = (cookie: string) =>
  showInvitation(new Request(`${ORIGIN}/users/invitation`, { headers: { cookie } }));
const post = (fields: Fields, cookie: string) =>
  postInvitation(formPost("/users/invitation", encoded(fields), { cookie }));
const account = () => ({ username: `guest${names}`, name: "Guest", password: PASSWORD });
const membership = async () => {
  const user = await find(deps, email);
  return user && (await findMember(deps, resourceOf(group), user.id));
};

/** Runs `before` immediately before each transaction. */
const racing = (before: () => Promise<void>): Deps => ({
  ...deps,
  transaction: async (run) => {
    await before();
    return deps.transaction(run);
  },
});

/** Simulates another request that deletes the invitation after the acceptance has read the invitation. */
const revokedDuring = (id: number): Deps => ({
  ...deps,
  transaction: (run) =>
    deps.transaction((within) => {
      const deleteMany: typeof within.db.invitation.deleteMany = (args) =>
        within.db.invitation.deleteMany({ where: { AND: [args?.where ?? {}, { id: { not: id } }] } });
      const invitation = new Proxy(within.db.invitation, {
        get: (rows, name) => (name === "deleteMany" ? deleteMany : Reflect.get(rows, name)),
      });
      const db = new Proxy(within.db, {
        get: (all, name) => (name === "invitation" ? invitation : Reflect.get(all, name)),
      });
      return run({ ...within, db });
    }),
});

describe("an invitation to a group", () => {
  it("an invitation to a group creates the account, confirms its e-mail address, adds the membership and signs the user in, but only once", async () => {
    await invited();
    const cookie = await openedLink();
    expect(await (await show(cookie)).text()).toContain(group.fullPath);
    const response = await post(account(), cookie);
    expect(response.headers.get("location")).toBe(`${ORIGIN}/groups/${group.id}`);
    expect(sessionIn(response)).not.toBe("");
    expect(await membership()).toMatchObject({ role: "developer" });
    expect(await find(deps, email)).toMatchObject({ emailVerified: true });
    expect((await post({ ...account(), username: "another" }, cookie)).status).toBe(404);
  });

  it("only one of several simultaneous requests can accept an invitation", async () => {
    await invited();
    const cookie = await openedLink();
    const requests = ["one", "two"].map((suffix) =>
      post({ ...account(), username: `guest${names}${suffix}` }, cookie),
    );
    const accepted = (await Promise.all(requests)).filter((response) => sessionIn(response) !== "");
    expect(accepted).toHaveLength(1);
  });

  it("an invited person can create an account with a passkey instead of a password", async () => {
    await invited();
    const response = await post({ ...account(), password: "", way: "passkey" }, await openedLink());
    expect(response.headers.get("location")).toBe(`${ORIGIN}/user_settings/two_factor/passkey`);
    expect(await membership()).not.toBeNull();
  });

  it("the invitation page refuses a weak password and a reserved username, and the invitation remains valid", async () => {
    await invited();
    const cookie = await openedLink();
    for (const wrong of [{ password: "short" }, { username: "root" }, { username: owner.user.username }])
      expect((await post({ ...account(), ...wrong }, cookie)).status).toBe(422);
    expect(sessionIn(await post(account(), cookie))).not.toBe("");
  });

  it("an invitation adds the membership of an existing user only after this user accepts the invitation", async () => {
    const created = await createUserAsAdministrator(deps, root.user, {
      ...{ username: `guest${names}`, email, password: PASSWORD },
    });
    if (!("user" in created)) throw new Error(JSON.stringify(created));
    await invited();
    const cookie = await openedLink();
    expect((await show(cookie)).headers.get("location")).toContain("/users/sign_in?");
    expect((await show(`${cookie}; ${owner.cookie}`)).status).toBe(403);
    expect((await post({}, `${cookie}; ${owner.cookie}`)).status).toBe(404);
    expect(await membership()).toBeNull();

    const session = await signedInCookie(`guest${names}`);
    const accepted = await post({}, `${cookie}; ${session}`);
    expect(accepted.headers.get("location")).toBe(`${ORIGIN}/groups/${group.id}`);
    expect(await membership()).toMatchObject({ role: "developer" });
  });

  it("an invitation can be accepted while another request adds the user as a member", async () => {
    const created = await createUserAsAdministrator(deps, root.user, {
      ...{ username: `guest${names}`, email, password: PASSWORD },
    });
    if (!("user" in created)) throw new Error(JSON.stringify(created));
    const user = { ...created.user, emailVerified: true };
    const { id } = await invited();
    const token = (await openedLink()).replace(/^[^=]*=/, "");
    const change = { resource: resourceOf(group), by: owner.user, held: "owner" } as const;
    const path = await duringTransaction(
      deps,
      (within) => addMember(within, change, user, { role: "reporter", expiresAt: null }),
      () => acceptAsUser(deps, token, user),
    );
    expect(path).toBe(`/groups/${group.id}`);
    expect(await membership()).toMatchObject({ role: "reporter" });
    expect((await listInvitations(deps, resourceOf(group))).map((row) => row.id)).not.toContain(id);
  });

  it.each<[string, (invitation: Invitation) => Promise<unknown>]>([
    ["after seven days", async () => deps.advance(7 * 86_400 + 1)],
    ["after it is revoked", ({ id }) => revokeInvitation(deps, inviter(), id)],
    [
      "after a newer link was sent",
      async ({ id }) => {
        deps.advance(1);
        await resendInvitation(deps, inviter(), id);
      },
    ],
    ["when the inviter is blocked", () => blockUserAsAdministrator(deps, root.user, owner.user.id)],
    ["when owners may no longer invite", () => changeSettings(deps, { owners_can_invite: "false" })],
  ])("an invitation is not valid %s", async (_case, end) => {
    const invitation = await invited();
    const cookie = await openedLink();
    await end(invitation);
    expect((await post(account(), cookie)).status).toBe(404);
    expect(await find(deps, email)).toBeNull();
  });

  it("an invitation creates no account if another request revokes the invitation simultaneously, or if the username is already taken", async () => {
    const { id } = await invited();
    const token = (await openedLink()).replace(/^[^=]*=/, "");
    const form = { username: `seat${names}`, name: "", password: PASSWORD, ipAddress: "::1" };
    const taken = racing(async () => void (await signedInUser(deps, form.username)));
    expect(await acceptAsNewUser(taken, token, form)).toMatchObject({
      problems: { username: expect.any(String) },
    });
    const another = { ...form, username: `${form.username}b` };
    expect(await acceptAsNewUser(revokedDuring(id), token, another)).toBe("invalid");
    expect([await find(deps, another.username), await find(deps, email)]).toEqual([null, null]);
  });

  it("an invited person whose e-mail domain requires a sign-in provider is redirected to the provider, and cannot create an account with a password", async () => {
    await invited();
    const cookie = await openedLink();
    const enforced = {
      ...{ name: "corp", label: "Corp", kind: "openid_connect", issuer: "https://corp.example" },
      ...{ enforcedDomains: ["example.com"], allowedDomains: [], groupRules: [], groupsClaim: "" },
    };
    const { config } = deps;
    Object.assign(deps, { config: { ...config, identityProviders: [enforced] } });
    const responses = [await show(cookie), await post(account(), cookie)];
    Object.assign(deps, { config });
    for (const response of responses)
      expect(response.headers.get("location")).toMatch(/sign_in\?problem=enforced&provider=corp&return_to=/);
    expect(await find(deps, email)).toBeNull();
  });

  it("the server moves the token of an invitation link to a cookie, and refuses an invitation form that another site posted", async () => {
    await invited();
    const [message] = await listMessages(deps);
    const url = (message && contentOf(deps, message)?.action?.url) ?? "";
    expect(url).toMatch(/\/users\/invitation\?invitation_token=ghml_[\w-]+$/);
    const cookie = await openedLink();
    expect(await (await show(cookie)).text()).not.toContain("ghml_");
    const foreign = { cookie, "sec-fetch-site": "cross-site" };
    const response = await postInvitation(formPost("/users/invitation", encoded(account()), foreign));
    expect(response.status).toBe(403);
  });
});

describe("the creation of an invitation", () => {
  it("an owner cannot send an invitation while the setting owners_can_invite is off, but an administrator can", async () => {
    await changeSettings(deps, { owners_can_invite: "false" });
    const terms = { email, role: "developer", expiresAt: null } as const;
    expect(await invite(deps, inviter(), terms)).toBe("owners_may_not");
    expect(await invite(deps, { ...inviter(), by: root.user }, terms)).toHaveProperty("id");
  });

  it("an invitation is not sent if its role is too high, if the e-mail address is malformed or already invited, or after too many invitations", async () => {
    const terms = { email, role: "owner", expiresAt: null } as const;
    expect(await invite(deps, { ...inviter(), held: "maintainer" }, terms)).toBe("not_allowed");
    expect(await invite(deps, inviter(), { ...terms, email: "no address" })).toBe("invalid_email");
    await invited();
    expect(await invite(deps, inviter(), { ...terms, email: email.toUpperCase() })).toBe("is_invited");
    for (let count = 0; count < 5; count++) await invite(deps, inviter(), terms);
    expect(await invite(deps, inviter(), terms)).toBe("limited");
  });
});

describe("an invitation to the instance", () => {
  const instance = () => ({ target: { kind: "instance" }, by: root.user, held: null }) as const;

  it("an invitation to the instance creates an account, and only administrators can send the invitation", async () => {
    const terms = { email, role: null, expiresAt: null };
    expect(await invite(deps, { ...instance(), by: owner.user }, terms)).toBe("not_allowed");
    expect(await invite(deps, instance(), terms)).toHaveProperty("id");
    expect(await listInvitations(deps, { kind: "instance" })).toMatchObject([{ email }]);
    const response = await post(account(), await openedLink());
    expect(response.headers.get("location")).toBe(`${ORIGIN}/`);
    expect(await find(deps, email)).not.toBeNull();
    expect(await listInvitations(deps, { kind: "instance" })).toEqual([]);
  });
});
