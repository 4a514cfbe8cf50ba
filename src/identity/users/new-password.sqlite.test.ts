import { beforeEach, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { passwordDigest } from "@/kernel/crypto/password.ts";
import { PASSWORD, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { enrolledApp, postForm } from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import { turnOff } from "../two-factor/service.ts";
import { changeAccount } from "./account-changes.ts";
import { createUserAsAdministrator } from "./administration.ts";
import { newPasswordProblem } from "./new-password.ts";
import { changePassword } from "./profile.ts";
import { create, resetPassword } from "./service.ts";
import { signUp } from "./sign-up.ts";

const deps = await openTestDeps();
const COMMON = "must not be one of the most common passwords";

let users = 0;
let ann: SignedInUser;
let username: string;
let boss: User;

beforeEach(async () => {
  users += 1;
  username = `annabel${users}`;
  ann = await signedInUser(deps, username);
  const admin = await create(deps, {
    username: `boss${users}`,
    email: `boss${users}@example.com`,
    password: PASSWORD,
    admin: true,
  });
  if ("problems" in admin) throw new Error(JSON.stringify(admin));
  boss = admin.user;
  await changeSettings(deps, { signup_enabled: "true", password_minimum_length_without_two_factor: "8" });
});

const OWNER = { username: "somebody", email: "some@example.com", twoFactor: false };

describe("the filter for common passwords", () => {
  it.each([
    "password",
    "PASSWORD",
    "12345678",
    "qwertyuiop",
    "iloveyou",
    "Passw0rd",
    "trustno1",
    "1q2w3e4r",
    "letmein123",
    "Password2024!",
    "sunshine99",
    "welcome123",
  ])(
    conformance("SC-10", "the filter for common passwords matches the common password %s"),
    async (password) => {
      expect(await newPasswordProblem(deps, password, OWNER)).toBe(COMMON);
    },
  );

  it.each(["correct horse battery", "kT7#qvLw", "überzeugend grün", "日本語のパスワード", "long enough"])(
    conformance("SC-10", "the filter for common passwords does not match the uncommon password %s"),
    async (password) => {
      expect(await newPasswordProblem(deps, password, OWNER)).toBeNull();
    },
  );
});

describe("a common password", () => {
  const session = async () => {
    const session = await sessionOf(deps, ann.cookie);
    if (session === null) throw new Error("The session is not live.");
    return session;
  };
  const problemOf = (outcome: unknown): unknown =>
    (outcome as { problems?: Record<string, string> }).problems?.["password"] ?? outcome;

  it.each([
    ["iloveyou1", COMMON],
    ["my annabelle", "must not contain the username"],
  ])(
    conformance(
      "SC-10",
      "a common password is refused in every form and API request that sets a password: %s",
    ),
    async (password, problem) => {
      const user = { username: "annabelle", email: "someone@example.com", name: "" };
      expect(problemOf(await create(deps, { ...user, password }))).toBe(problem);
      expect(problemOf(await createUserAsAdministrator(deps, boss, { ...user, password }))).toBe(problem);
      expect(problemOf(await signUp(deps, { ...user, password }, "192.0.2.1"))).toBe(`${problem}.`);
      const wish = { username: "annabelle", password };
      expect(problemOf(await changeAccount(deps, boss, ann.user.id, wish))).toBe(problem);
      expect(await resetPassword(deps, { ...ann.user, username: "annabelle" }, password)).toBe(problem);
    },
  );

  it(conformance("SC-10", "a common password is refused on the profile page"), async () => {
    const wanted = (password: string) => ({
      password,
      again: password,
      currentPassword: PASSWORD,
      revokesAccess: true,
    });
    const change = async (password: string) =>
      changePassword(deps, await session(), { ...wanted(password), ipAddress: "::1" });
    expect(await change("iloveyou1")).toEqual({ password: `The new password ${COMMON}.` });
    expect(await change(`x ${username} y`)).toEqual({
      password: "The new password must not contain the username.",
    });
    expect(await change("quite another one")).toEqual({});
  });

  it(
    conformance(
      "SC-10",
      "a common password is refused as a new password, but still works for a user who already has it",
    ),
    async () => {
      const data = { passwordDigest: await passwordDigest(deps.passwordCost, "password") };
      await deps.db.user.update({ where: { id: ann.user.id }, data });
      const response = await postForm({ login: username, password: "password", return_to: "/in" });
      expect(response.headers.get("location")).toContain("/in");
    },
  );
});

describe("the minimum length of a password", () => {
  it(
    conformance("SC-10", "an instance can require longer passwords from users without a second factor"),
    async () => {
      await changeSettings(deps, { password_minimum_length_without_two_factor: "15" });
      const short = "kT7#qvLw9+";
      expect(await newPasswordProblem(deps, short, OWNER)).toBe("must have at least 15 characters");
      expect(await newPasswordProblem(deps, `${short}12345`, OWNER)).toBeNull();
      expect(await newPasswordProblem(deps, short, { ...OWNER, twoFactor: true })).toBeNull();
    },
  );

  it(
    conformance(
      "SC-10",
      "two-factor authentication cannot be disabled if the password would then be too short",
    ),
    async () => {
      await enrolledApp(deps, ann.user);
      await changeSettings(deps, { password_minimum_length_without_two_factor: "30" });
      const given = { password: PASSWORD, ipAddress: "::1" };
      expect(await turnOff(deps, ann.user, given)).toEqual({ charactersMin: 30 });
      await changeSettings(deps, { password_minimum_length_without_two_factor: "15" });
      expect(await turnOff(deps, ann.user, given)).toBe("off");
    },
  );
});
