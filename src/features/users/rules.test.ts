import { describe, expect, it } from "vitest";
import { emailProblem, passwordProblem, usernameProblem } from "./rules.ts";

describe("a username", () => {
  it.each(["ann", "Ann.B", "a-b_c.d", "0x", "a".repeat(64)])("may be %s", (username) => {
    expect(usernameProblem(username)).toBeNull();
  });

  it.each([
    "",
    "a",
    "a".repeat(65),
    ".ann",
    "-ann",
    "_ann",
    "a b",
    "a/b",
    "a@b",
    "ánn",
    "a\n",
    "a\0b",
    "x.git",
    "x.ATOM",
    "..",
  ])("may not be %j", (username) => {
    expect(usernameProblem(username)).toEqual(expect.any(String));
  });
});

describe("an e-mail address", () => {
  it.each(["ann@example.com", "a.b+c@sub.example.com", "root@localhost"])("may be %s", (email) => {
    expect(emailProblem(email)).toBeNull();
  });

  it.each([
    "",
    "ann",
    "@example.com",
    "ann@",
    "a@b@c",
    "ann@example..com",
    "ann@.com",
    "a b@c.d",
    "a@b\n",
    `${"a".repeat(250)}@b.cd`,
  ])("may not be %j", (email) => {
    expect(emailProblem(email)).toEqual(expect.any(String));
  });
});

describe("a new password", () => {
  it.each<[number, boolean]>([
    [7, false],
    [8, true],
    [128, true],
    [129, false],
  ])("of %i characters is good: %s [AT-25]", (length, good) => {
    expect(passwordProblem("x".repeat(length), 128) === null).toBe(good);
  });
});
