import { beforeEach, describe, expect, it } from "vitest";
import { passwordMatches } from "@/kernel/crypto/password.ts";
import { PASSWORD, type SignedInUser, signedInCookie, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";
import { endSessionsOf, sessionOf } from "../sessions/service.ts";
import { noPassword } from "./no-password.ts";
import { changePassword, changeProfile } from "./profile.ts";
import { findById, resetPassword } from "./service.ts";

const deps = await openTestDeps();
const ADDRESS = "203.0.113.7";

let users = 0;
let ann: SignedInUser;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
});

const row = () => deps.db.user.findUniqueOrThrow({ where: { id: ann.user.id } });

const changes = async () =>
  (
    await deps.db.auditEvent.findMany({
      where: { name: "profile.changed", userId: ann.user.id },
      orderBy: { id: "asc" },
    })
  ).map(({ details }) => details);

async function session(cookie = ann.cookie) {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("The session is not live.");
  return session;
}

describe("the name and the visibility of a profile", () => {
  it("the name and the visibility of a profile are changed together, and the change is recorded", async () => {
    expect(await changeProfile(deps, ann.user, { name: "  ملك הגברת 李 ", privateProfile: true })).toEqual(
      {},
    );
    expect(await row()).toMatchObject({ name: "ملك הגברת 李", privateProfile: true });
    expect((await findById(deps, ann.user.id))?.privateProfile).toBe(true);
    expect(await changes()).toEqual(['{"fields":["name","private_profile"]}']);
  });

  it("a submitted profile form causes an audit event only if a value has changed", async () => {
    expect(await changeProfile(deps, ann.user, { name: ann.user.name, privateProfile: false })).toEqual({});
    expect(await changes()).toEqual([]);
  });

  it.each(["", "  ", "a\u0000b", "turned \u202e around", "x".repeat(256)])(
    "the name of a profile cannot be %j",
    async (name) => {
      expect(await changeProfile(deps, ann.user, { name, privateProfile: true })).toEqual({
        name: expect.stringMatching(/^The name must/),
      });
      expect(await row()).toMatchObject({ name: ann.user.name, privateProfile: false });
    },
  );
});

describe("the password of a profile", () => {
  const NEW = "another long password";
  const change = async (wanted: Readonly<Record<string, string | boolean>> = {}) =>
    changePassword(deps, await session(), {
      currentPassword: PASSWORD,
      password: NEW,
      again: NEW,
      revokesAccess: true,
      ipAddress: ADDRESS,
      ...wanted,
    });

  it("a change of the password ends all other sessions, and the audit event does not contain the password", async () => {
    const other = await signedInCookie(ann.user.username);
    expect(await change()).toEqual({});
    expect(await sessionOf(deps, other)).toBeNull();
    expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
    await expect(signedInCookie(ann.user.username)).rejects.toThrow("could not sign in");
    expect(await change({ currentPassword: NEW })).toEqual({});
    expect(await changes()).toEqual(['{"fields":["password"]}', '{"fields":["password"]}']);
    expect(JSON.stringify([await deps.db.auditEvent.findMany(), deps.logged])).not.toContain(NEW);
  });

  it.each<[Record<string, string>, string]>([
    [{ currentPassword: "wrong" }, "currentPassword"],
    [{ password: "short", again: "short" }, "password"],
    [{ password: "x".repeat(129), again: "x".repeat(129) }, "password"],
    [{ again: "something else" }, "again"],
  ])("the password does not change if the form has the values %j", async (wanted, field) => {
    const other = await signedInCookie(ann.user.username);
    expect(Object.keys(await change(wanted))).toEqual([field]);
    expect(await sessionOf(deps, other)).not.toBeNull();
    expect(await changes()).toEqual([]);
  });
});

describe("a password change during which the password is reset", () => {
  const RESET = "the password of the reset";
  const changed = {
    currentPassword: PASSWORD,
    password: "another long password",
    again: "another long password",
    revokesAccess: false,
    ipAddress: ADDRESS,
  };
  const change = async () => {
    const during = beforeFirstTransaction(deps, () => resetPassword(deps, ann.user, RESET));
    return changePassword(during, await session(), changed);
  };

  it("is refused, and the password of the reset stays", async () => {
    expect(await change()).toEqual({ currentPassword: expect.stringContaining("not your current password") });
    expect(await changes()).toEqual([]);
    const { passwordDigest } = await row();
    expect(await passwordMatches(deps.passwordCost, RESET, passwordDigest)).toBe(true);
  });

  it("is refused for a user who had no password", async () => {
    const passwordDigest = noPassword(deps.randomBytes);
    await deps.db.user.update({ where: { id: ann.user.id }, data: { passwordDigest } });
    expect(await change()).toHaveProperty("currentPassword");
    expect(await changes()).toEqual([]);
  });

  it("is refused for a user without a password whose session ends", async () => {
    const passwordDigest = noPassword(deps.randomBytes);
    await deps.db.user.update({ where: { id: ann.user.id }, data: { passwordDigest } });
    const current = await session();
    const during = beforeFirstTransaction(deps, () => endSessionsOf(deps, ann.user));
    expect(await changePassword(during, current, changed)).toHaveProperty("currentPassword");
    expect(await row()).toMatchObject({ passwordDigest });
  });
});
