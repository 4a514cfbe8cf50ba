import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { conformance } from "@/testing/conformance.ts";

/** The passwords that were passed to the hashing library. */
const hashedFor = vi.hoisted((): string[] => []);
vi.mock("@node-rs/argon2", async (original) => {
  const argon2 = await original<typeof import("@node-rs/argon2")>();
  const verify = (digest: string, password: string) => {
    hashedFor.push(digest);
    return argon2.verify(digest, password);
  };
  return { ...argon2, verify };
});
beforeEach(() => void hashedFor.splice(0));

// The test files of one worker share modules. An earlier file may have loaded the module with the original
// library, and a later file must not load the module with the mock.
vi.resetModules();
afterAll(() => void vi.resetModules());
const {
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_COST,
  PASSWORDS_WAITING_MAX,
  PasswordsBusy,
  passwordDigest,
  passwordMatches,
  withPasswordSlot,
} = await import("./password.ts");

const stored = await passwordDigest(PASSWORD_COST, "correct horse é");

describe("password digests", () => {
  it(conformance("XC-16", "each password is hashed by argon2id with a separate salt"), async () => {
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwordDigest(PASSWORD_COST, "correct horse é")).not.toBe(stored);
  });

  it(
    conformance(
      "AT-32",
      "a password matches its digest even if the accented letters have a different Unicode form",
    ),
    async () => {
      expect(await passwordMatches(PASSWORD_COST, "correct horse \u00e9", stored)).toBe(true);
      expect(await passwordMatches(PASSWORD_COST, "correct horse e\u0301", stored)).toBe(true);
    },
  );

  it.each(["", "correct horse e", "Correct horse é", "correct horse é ", stored])(
    "the password %j does not match the digest of another password",
    async (password) => {
      expect(await passwordMatches(PASSWORD_COST, password, stored)).toBe(false);
    },
  );

  it("no password matches when the user is unknown", async () => {
    expect(await passwordMatches(PASSWORD_COST, "", null)).toBe(false);
    expect(await passwordMatches(PASSWORD_COST, "correct horse é", null)).toBe(false);
  });

  it(
    conformance("AT-25", "a password that exceeds the maximum length is refused, and is not truncated"),
    async () => {
      const longest = "x".repeat(PASSWORD_CHARACTERS_MAX);
      const digest = await passwordDigest(PASSWORD_COST, longest);
      expect(await passwordMatches(PASSWORD_COST, longest, digest)).toBe(true);
      expect(await passwordMatches(PASSWORD_COST, `${longest}x`, digest)).toBe(false);
      expect(await passwordMatches(PASSWORD_COST, "x".repeat(1_000_000), digest)).toBe(false);
    },
  );

  it("a password is verified correctly while many other passwords are verified", async () => {
    const checks = Array.from({ length: 8 }, (_, index) =>
      withPasswordSlot(() => passwordMatches(PASSWORD_COST, index === 5 ? "correct horse é" : "x", stored)),
    );
    expect(await Promise.all(checks)).toEqual([false, false, false, false, false, true, false, false]);
  });
});

describe("many simultaneous passwords", () => {
  it(
    conformance(
      "AT-25",
      "a password is refused while the queue for hashing is full, and verified when the queue has room again",
    ),
    async () => {
      let finish = (): void => {};
      const hashing = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const flood = Array.from({ length: PASSWORDS_WAITING_MAX + 40 }, () => withPasswordSlot(() => hashing));
      finish();
      const outcomes = await Promise.allSettled(flood);
      const turnedAway = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(turnedAway.length).toBeGreaterThanOrEqual(38);
      expect(turnedAway.length).toBeLessThan(40);
      for (const { reason } of turnedAway) expect(reason).toBeInstanceOf(PasswordsBusy);
      expect(await withPasswordSlot(() => passwordMatches(PASSWORD_COST, "correct horse é", stored))).toBe(
        true,
      );
    },
  );

  it(conformance("AT-25", "a password of a million characters is refused without hashing"), async () => {
    const flood = Array.from({ length: 200 }, () =>
      passwordMatches(PASSWORD_COST, "x".repeat(1_000_000), stored),
    );
    expect(await Promise.all(flood)).not.toContain(true);
    expect(hashedFor).toEqual([]);
  });
});

describe("unknown users", () => {
  it(
    conformance(
      "AT-22",
      "AT-23",
      "the password check for an unknown user has the same hashing cost as the check of a wrong password",
    ),
    async () => {
      await passwordMatches(PASSWORD_COST, "wrong", stored);
      await passwordMatches(PASSWORD_COST, "wrong", null);
      const costs = hashedFor.map((digest) => digest.split("$").slice(1, 4));
      expect(costs).toHaveLength(2);
      expect(costs[1]).toEqual(costs[0]);
    },
  );
});
