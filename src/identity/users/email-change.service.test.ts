import { GET as getUser } from "@app/api/v4/user/route.ts";
import { PUT as putUser } from "@app/api/v4/users/[id]/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { claimsOf } from "@/oauth-endpoints/user-claims.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { PASSWORD, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { postForm } from "@/testing/second-factor.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";
import { sessionOf } from "../sessions/service.ts";
import { listPendingEmails } from "./administration.ts";
import { cancelEmailChange, confirmEmailChange, pendingEmailOf, requestEmailChange } from "./email-change.ts";
import { find, findById, resetPassword } from "./service.ts";

const deps = await openTestDeps();
const boss = await apiUser(deps, "boss", { admin: true });

let users = 0;
let ann: SignedInUser;
let old: string;
let wanted: string;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  old = `ann${users}@example.com`;
  wanted = `New.Ann${users}@Example.com`;
  await changeSettings(deps, { user_email_changes: "true" });
});

async function request(email: string, currentPassword = PASSWORD, by: Deps = deps) {
  const session = await sessionOf(deps, ann.cookie);
  if (session === null) throw new Error("The session is not live.");
  return requestEmailChange(by, session, { email, currentPassword, ipAddress: "203.0.113.7" });
}

const row = () => deps.db.user.findUniqueOrThrow({ where: { id: ann.user.id } });
const stored = async (): Promise<User> => {
  const user = await findById(deps, ann.user.id);
  if (user === null) throw new Error("The user is gone.");
  return user;
};
const signsIn = async (login: string): Promise<boolean> => {
  const response = await postForm({ login, password: PASSWORD, return_to: "/in" });
  return response.headers.get("location")?.endsWith("/in") ?? false;
};
const events = async () =>
  (await deps.db.auditEvent.findMany({ where: { userId: ann.user.id }, orderBy: { id: "asc" } }))
    .map(({ name }) => name)
    .filter((name) => name.startsWith("email_change.") || name === "user.changed");

describe("a user's own change of the e-mail address", () => {
  it(
    conformance(
      "SC-11",
      "a new e-mail address stays pending, while claims, the API and sign-in still use the confirmed e-mail address",
    ),
    async () => {
      expect(await request(` ${wanted} `)).toEqual({});
      expect(await pendingEmailOf(deps, ann.user)).toEqual({ email: wanted, at: deps.clock() });
      expect(await row()).toMatchObject({ email: old, emailLower: old, emailVerified: true });
      expect(claimsOf(deps, await stored(), ["openid", "email"])).toMatchObject({
        email: old,
        email_verified: true,
      });
      expect(await find(deps, wanted)).toBeNull();
      expect(await signsIn(wanted)).toBe(false);
      expect(await signsIn(old)).toBe(true);
      expect(await events()).toEqual(["email_change.requested"]);
    },
  );

  it(
    conformance(
      "SC-11",
      "SC-16",
      "the change of an e-mail address has the same response for an unused e-mail address and for the e-mail address of another user",
    ),
    async () => {
      await signedInUser(deps, `bob${users}`);
      expect(await request(`BOB${users}@example.com`)).toEqual(await request(wanted));
    },
  );

  it(
    conformance(
      "SC-11",
      "the change of an e-mail address requires the current password and a valid e-mail address",
    ),
    async () => {
      expect(await request(wanted, "wrong")).toEqual({
        currentPassword: "This is not your current password. Your changes were not saved.",
      });
      expect(await request("nothing")).toEqual({
        email: expect.stringContaining("must have a form such as"),
      });
      expect(await request(old)).toEqual({ email: "This is already your e-mail address." });
      expect(await pendingEmailOf(deps, ann.user)).toBeNull();
      expect(await events()).toEqual([]);
    },
  );

  it("wrong passwords in the form for a new e-mail address count as failed sign-ins", async () => {
    for (let tries = 0; tries < 10; tries++) await request(wanted, "wrong");
    expect((await request(wanted)).currentPassword).toMatch(/^Too many wrong passwords\. Try again/);
    const failed = { where: { name: "sign_in.failed", userId: ann.user.id } };
    expect(await deps.db.auditEvent.count(failed)).toBe(10);
  });

  it(
    conformance(
      "SC-11",
      "the change of an e-mail address is refused when the instance forbids e-mail changes",
    ),
    async () => {
      await changeSettings(deps, { user_email_changes: "false" });
      expect(await request(wanted)).toEqual({
        email: "Only an administrator can change your e-mail address.",
      });
      expect(await pendingEmailOf(deps, ann.user)).toBeNull();
    },
  );

  it(conformance("SC-11", "a user can cancel the change of the e-mail address"), async () => {
    await request(wanted);
    expect(await cancelEmailChange(deps, ann.user)).toBe(true);
    expect(await cancelEmailChange(deps, ann.user)).toBe(false);
    expect(await pendingEmailOf(deps, ann.user)).toBeNull();
    expect(await events()).toEqual(["email_change.requested", "email_change.canceled"]);
  });
});

describe("a reset of the password", () => {
  it(
    conformance(
      "SC-11",
      "a password reset cancels the pending change of a confirmed e-mail address, and keeps the only e-mail address of a new user",
    ),
    async () => {
      await request(wanted);
      expect(await resetPassword(deps, ann.user, "seven green lamps at noon")).toBeNull();
      expect(await row()).toMatchObject({ email: old, pendingEmail: null, pendingEmailAt: null });
      expect(await events()).toContain("email_change.canceled");
      const pending = { emailVerified: false, pendingEmail: wanted, pendingEmailAt: deps.clock() };
      await deps.db.user.update({ where: { id: ann.user.id }, data: pending });
      await resetPassword(deps, ann.user, PASSWORD);
      expect(await pendingEmailOf(deps, ann.user)).toEqual({ email: wanted, at: deps.clock() });
      expect(await cancelEmailChange(deps, ann.user)).toBe(false);
    },
  );
});

describe("an administrator who manages a user's e-mail address", () => {
  it(
    conformance(
      "SC-11",
      "an administrator confirms the pending e-mail address of a user, which is then used everywhere",
    ),
    async () => {
      await request(wanted);
      expect(await listPendingEmails(deps)).toContainEqual({ id: ann.user.id, username: ann.user.username });
      expect(await confirmEmailChange(deps, boss.user, ann.user.id, wanted)).toBeNull();
      expect(await row()).toMatchObject({
        email: wanted,
        emailLower: wanted.toLowerCase(),
        emailVerified: true,
        pendingEmail: null,
        pendingEmailAt: null,
      });
      expect(await signsIn(wanted)).toBe(true);
      expect(await signsIn(old)).toBe(false);
      expect(await events()).toEqual(["email_change.requested", "user.changed"]);
    },
  );

  it(
    conformance("SC-11", "an administrator confirms only the e-mail address that the page showed"),
    async () => {
      await request(wanted);
      await request(`other${users}@example.com`);
      expect(await confirmEmailChange(deps, boss.user, ann.user.id, wanted)).toBe("changed");
      expect(await row()).toMatchObject({ email: old });
      expect(await confirmEmailChange(deps, boss.user, 999_999, wanted)).toBe("unknown");
    },
  );

  it(
    conformance(
      "SC-11",
      "an administrator cannot confirm the pending e-mail address of a user if another user already has it, and sees an error",
    ),
    async () => {
      const bob = await signedInUser(deps, `bob${users}`);
      await request(bob.user.email);
      expect(await confirmEmailChange(deps, boss.user, ann.user.id, bob.user.email)).toBe("taken");
      expect(await row()).toMatchObject({ email: old, pendingEmail: bob.user.email });
    },
  );

  it(
    conformance(
      "SC-11",
      "a confirmed e-mail address that an administrator sets through the API replaces the pending e-mail address",
    ),
    async () => {
      await request(wanted);
      const email = `set${users}@example.com`;
      const path = { id: String(ann.user.id) };
      const response = await callApi(putUser, "PUT", { token: boss.token, path, json: { email } });
      expect(response).toMatchObject({ status: 200, body: { email, confirmed_at: expect.any(String) } });
      expect(await pendingEmailOf(deps, ann.user)).toBeNull();
    },
  );
});

describe("a user without a confirmed e-mail address", () => {
  it(
    conformance(
      "SC-11",
      "a user without a confirmed e-mail address has no e-mail address in the API and in claims, and cannot sign in with the stored placeholder e-mail address",
    ),
    async () => {
      const eve = await apiUser(deps, `eve${users}`);
      const placeholder = `unconfirmed-${users}@users.noreply.invalid`;
      const data = { email: placeholder, emailLower: placeholder, emailVerified: false };
      await deps.db.user.update({ where: { id: eve.user.id }, data });
      const { body } = await callApi(getUser, "GET", { token: eve.token });
      expect(body).toMatchObject({ email: null, commit_email: null, confirmed_at: null });
      const claims = claimsOf(deps, { ...eve.user, ...data }, ["openid", "email"]);
      expect(Object.keys(claims).filter((claim) => claim.startsWith("email"))).toEqual([]);
      expect(await signsIn(placeholder)).toBe(false);
      expect(await signsIn(`eve${users}`)).toBe(true);
    },
  );
});

it("a request for another e-mail address is refused if the password is reset after the check of the password", async () => {
  const during = beforeFirstTransaction(deps, () => resetPassword(deps, ann.user, "another long passphrase"));
  expect(await request(wanted, PASSWORD, during)).toHaveProperty("currentPassword");
  expect(await pendingEmailOf(deps, ann.user)).toBeNull();
});
