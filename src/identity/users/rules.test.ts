import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { commonPasswordVariants, passwordProblem } from "./password-rules.ts";
import { emailProblem, usernameProblem } from "./rules.ts";

describe("a username", () => {
  it.each(["ann", "Ann.B", "a-b_c.d", "0x", "a".repeat(64)])("the username %s is valid", (username) => {
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
  ])("the username %j is invalid", (username) => {
    expect(usernameProblem(username)).toEqual(expect.any(String));
  });
});

describe("an e-mail address", () => {
  it.each(["ann@example.com", "a.b+c@sub.example.com", "root@localhost"])(
    "the e-mail address %s is valid",
    (email) => {
      expect(emailProblem(email)).toBeNull();
    },
  );

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
  ])("the e-mail address %j is invalid", (email) => {
    expect(emailProblem(email)).toEqual(expect.any(String));
  });
});

const LIMITS = {
  least: 8,
  most: 128,
  username: "maryann2",
  email: "m.smith@example.com",
  instanceNames: ["Gatehouse", "id.example.com"],
};

describe("a new password", () => {
  it.each<[number, boolean]>([
    [7, false],
    [8, true],
    [128, true],
    [129, false],
  ])(conformance("AT-25", "a new password of %i characters is accepted: %s"), (length, good) => {
    expect(passwordProblem("x".repeat(length), LIMITS) === null).toBe(good);
  });

  it.each([
    ["my maryann2 here", "must not contain the username"],
    ["MARYANN2-and-more", "must not contain the username"],
    ["xx m.smith@example.com", "must not contain the e-mail address"],
    ["here comes M.Smith", "must not contain the e-mail address"],
    ["a gatehouse to guard", "must not contain the name of this server"],
    ["ID.example.com 1998", "must not contain the name of this server"],
    // Fullwidth letters, which East Asian input methods produce, count as the corresponding ASCII letters.
    ["ｍａｒｙａｎｎ２ and more", "must not contain the username"],
  ])(
    conformance("SC-10", "a new password that contains a name of the user or the instance is refused: %s"),
    (password, problem) => {
      expect(passwordProblem(password, LIMITS)).toBe(problem);
    },
  );

  it(
    conformance(
      "SC-10",
      "a new password may contain a short username within other words, but must not be the username followed by digits",
    ),
    () => {
      const limits = { ...LIMITS, username: "ann", email: "a@b.example" };
      expect(passwordProblem("planning a long tour", limits)).toBeNull();
      expect(passwordProblem("ann-19980517", limits)).toBe("must not contain the username");
    },
  );

  it(
    conformance(
      "SC-10",
      "a new password is compared with common passwords regardless of case and appended characters",
    ),
    () => {
      expect(commonPasswordVariants("Password2024!")).toEqual(["password2024!", "password"]);
      expect(commonPasswordVariants("correct horse")).toEqual(["correct horse"]);
    },
  );
});
