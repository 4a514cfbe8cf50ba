import { POST as postUnsubscribe, GET as showUnsubscribe } from "@app/-/mail/unsubscribe/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { setWantedMails } from "@/instance/mail/opt-outs.ts";
import { contentOf, listMessages } from "@/instance/mail/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import { remindOfExpiry } from "@/oauth/personal-access-tokens/expiry-reminder.ts";
import { createPersonalToken, revokePersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { prune } from "@/operations/pruning/service.ts";
import {
  authorizationQuery,
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
import { addedPasskey, cookieIn, enrolledApp, postForm } from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import { resetTwoFactor } from "../two-factor/service.ts";
import { changeAccount } from "../users/account-changes.ts";
import { blockUserAsAdministrator } from "../users/administration.ts";
import { requestEmailChange } from "../users/email-change.ts";
import { changePassword } from "../users/profile.ts";

const deps = await openTestDeps();
const admin = (await signedInUser(deps, "mia")).user;
await deps.db.user.update({ where: { id: admin.id }, data: { admin: true } });
const root = { ...admin, admin: true };

let users = 0;
let ann: SignedInUser;
let client: Client;
beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  client = await registeredClient(deps, admin);
  await deps.db.mailMessage.deleteMany();
});

const notices = async () =>
  (await listMessages(deps))
    .filter(({ userId }) => userId === ann.user.id)
    .map(({ kind }) => kind)
    .reverse();

async function changeOwnPassword() {
  const session = await sessionOf(deps, ann.cookie);
  if (session === null) throw new Error("The session is not live.");
  const password = "seven green lamps at noon";
  const change = { password, again: password, revokesAccess: false, currentPassword: PASSWORD };
  expect(await changePassword(deps, session, { ...change, ipAddress: "192.0.2.1" })).toEqual({});
}

async function requestOtherEmail() {
  const session = await sessionOf(deps, ann.cookie);
  if (session === null) throw new Error("The session is not live.");
  const change = { email: `next${users}@example.com`, currentPassword: PASSWORD, ipAddress: "192.0.2.1" };
  expect(await requestEmailChange(deps, session, change)).toEqual({});
}

async function reuseCode() {
  const form = exchangeOf(client, await codeFor(deps, ann, authorizationQuery(client)));
  await requestToken(form);
  deps.advance(60);
  await requestToken(form);
}

describe("a notice is sent to a user", () => {
  it.each<[string, () => Promise<unknown>, readonly string[]]>([
    ["who changes the password", changeOwnPassword, ["password_changed"]],
    [
      "whose password an administrator changes",
      () => changeAccount(deps, root, ann.user.id, { password: "seven green lamps at noon" }),
      ["password_changed"],
    ],
    [
      "whose e-mail address an administrator changes, at the previous e-mail address",
      () => changeAccount(deps, root, ann.user.id, { email: `next${users}@example.com` }),
      ["email_changed"],
    ],
    ["who requests another e-mail address", requestOtherEmail, ["email_change_requested"]],
    ["who sets up an authenticator app", () => enrolledApp(deps, ann.user), ["second_factor_added"]],
    ["who adds a passkey", () => addedPasskey(deps, ann.user), ["second_factor_added"]],
    [
      "whose second factor an administrator removes",
      async () => {
        await enrolledApp(deps, ann.user);
        await resetTwoFactor(deps, ann.user.id);
      },
      ["second_factor_added", "second_factor_removed"],
    ],
    [
      "who creates a personal access token",
      () => createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt: null }),
      ["personal_token_created"],
    ],
    [
      "who authorizes an application, once",
      async () => {
        await codeFor(deps, ann, authorizationQuery(client));
        await codeFor(deps, ann, authorizationQuery(client));
      },
      ["application_authorized"],
    ],
    ["whose code is exchanged twice", reuseCode, ["application_authorized", "grant_revoked"]],
    [
      "whom an administrator blocks",
      () => blockUserAsAdministrator(deps, root, ann.user.id),
      ["account_blocked"],
    ],
  ])("a notice is sent to a user %s", async (_event, act, expected) => {
    await act();
    expect(await notices()).toEqual(expected);
    for (const { recipient, userId } of await listMessages(deps))
      if (userId === ann.user.id) expect(recipient).toBe(ann.user.email);
  });

  it("a notice advises the user to choose a new password, unless only other people can cause the event", async () => {
    const closingOfNotice = async () => {
      const [message] = await listMessages(deps);
      return message && contentOf(deps, message)?.closing;
    };
    await changeOwnPassword();
    expect(await closingOfNotice()).toEqual([expect.stringContaining("choose a new password")]);
    await blockUserAsAdministrator(deps, root, ann.user.id);
    expect(await notices()).toEqual(["password_changed", "account_blocked"]);
    expect(await closingOfNotice()).toEqual([]);
  });

  it("an event causes no notice to a user without a confirmed e-mail address", async () => {
    await deps.db.user.update({ where: { id: ann.user.id }, data: { emailVerified: false } });
    await changeOwnPassword();
    expect(await notices()).toEqual([]);
  });
});

describe("a sign-in", () => {
  const signIn = (ipAddress: string, cookie = "") =>
    postForm({ login: ann.user.username, password: PASSWORD }, cookie, { [CLIENT_IP_HEADER]: ipAddress });

  it("a sign-in with a known browser from a known network causes no notice, and every other sign-in causes a notice", async () => {
    await deps.db.auditEvent.deleteMany({ where: { userId: ann.user.id } });
    const device = cookieIn(await signIn("192.0.2.1"), "gatehouse_device");
    expect(await notices(), "the first sign-in").toEqual([]);
    await signIn("192.0.2.250", device);
    expect(await notices(), "the same /24 network").toEqual([]);
    await signIn("198.51.100.1", device);
    expect(await notices(), "another network").toHaveLength(1);
    await signIn("198.51.100.2", device);
    expect(await notices(), "a network that is known by now").toHaveLength(1);
    await signIn("192.0.2.1");
    expect(await notices(), "another browser").toHaveLength(2);
    await signIn("2001:db8:1:2::1", device);
    await signIn("2001:db8:1:ffff::1", device);
    expect(await notices(), "a new /48 network, twice").toHaveLength(3);
    const [message] = await listMessages(deps);
    expect(message && contentOf(deps, message)?.facts).toContainEqual(["IP address", "2001:db8:1:2::1"]);
  });

  it("a sign-in after 90 days without a sign-in causes a notice", async () => {
    deps.advance(91 * 86_400);
    await signIn("192.0.2.1");
    expect(await notices()).toEqual(["new_sign_in"]);
  });

  it("a sign-in causes a notice if the earlier sign-ins of the account are no longer in the audit log", async () => {
    await changeSettings(deps, { audit_event_retention_days: "30" });
    deps.advance(31 * 86_400);
    await prune(deps);
    await signIn("192.0.2.1");
    await changeSettings(deps, { audit_event_retention_days: "0" });
    expect(await notices()).toEqual(["new_sign_in"]);
  });
});

describe("a personal access token", () => {
  const dateIn = (days: number) =>
    new Date(deps.clock().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const create = (days: number | null) =>
    createPersonalToken(deps, ann.user, {
      name: `for ${days} days`,
      scopes: ["api"],
      expiresAt: days === null ? null : dateIn(days),
    });

  it("a personal access token causes one reminder seven days before the token expires", async () => {
    await create(30);
    await create(60);
    deps.advance(22 * 86_400);
    await remindOfExpiry(deps);
    expect(await notices()).not.toContain("personal_token_expiring");
    deps.advance(2 * 86_400);
    await Promise.all([remindOfExpiry(deps), remindOfExpiry(deps)]);
    await remindOfExpiry(deps);
    expect((await notices()).filter((kind) => kind === "personal_token_expiring")).toHaveLength(1);
    const [message] = await listMessages(deps);
    expect(message && contentOf(deps, message)?.facts).toContainEqual(["Token", "for 30 days"]);
  });

  it("a personal access token causes no reminder if the token was revoked, or has a lifetime of at most seven days", async () => {
    const created = await create(20);
    if ("problems" in created) throw new Error("The token was not created.");
    await revokePersonalToken(deps, created.token);
    await create(3);
    deps.advance(15 * 86_400);
    await remindOfExpiry(deps);
    expect(await notices()).not.toContain("personal_token_expiring");
  });
});

describe("an optional e-mail", () => {
  const authorize = async () => {
    await codeFor(deps, ann, authorizationQuery(await registeredClient(deps, admin)));
    const [message] = await listMessages(deps);
    return (message && contentOf(deps, message)?.unsubscribeUrl) ?? "";
  };

  it("an optional e-mail is not sent after the user switched it off, but a security e-mail is still sent", async () => {
    await setWantedMails(deps, ann.user.id, []);
    await authorize();
    await changeOwnPassword();
    expect(await notices()).toEqual(["password_changed"]);
    await setWantedMails(deps, ann.user.id, ["application_authorized"]);
    await authorize();
    expect(await notices()).toEqual(["password_changed", "application_authorized"]);
  });

  it("a POST request without cookies to the unsubscribe URL switches off an optional e-mail, but a GET request does not", async () => {
    const url = await authorize();
    expect(await (await showUnsubscribe(new Request(url))).text()).toContain("Unsubscribe");
    await authorize();
    expect(await notices()).toHaveLength(2);
    const body = "List-Unsubscribe=One-Click";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (let count = 0; count < 2; count++)
      expect((await postUnsubscribe(new Request(url, { method: "POST", body, headers }))).status).toBe(200);
    await authorize();
    expect(await notices()).toHaveLength(2);
  });

  it("a changed unsubscribe URL cannot switch off an e-mail for another user", async () => {
    const url = await authorize();
    const changed = new Request(`${url.slice(0, -4)}AAAA`, { method: "POST" });
    expect((await postUnsubscribe(changed)).status).toBe(404);
    expect(await deps.db.mailOptOut.count({ where: { userId: ann.user.id } })).toBe(0);
  });
});
