import { describe, expect, it } from "vitest";
import { enrollmentOf, enrollmentPath } from "./two-factor-enrollment.ts";

const HOUR_MS = 3_600_000;
const now = new Date("2026-11-21T12:00:00.000Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const required = { require_two_factor_authentication: true, two_factor_grace_period: 48 };

describe("the two-factor requirement of an instance", () => {
  it.each<[string, Partial<typeof required>, { twoFactor: boolean; askedAt: Date | null }, string]>([
    [
      "on an instance that does not require a second factor",
      { require_two_factor_authentication: false },
      { twoFactor: false, askedAt: null },
      "none",
    ],
    ["who has a second factor", {}, { twoFactor: true, askedAt: hoursAgo(1_000) }, "none"],
    ["who has not been notified", {}, { twoFactor: false, askedAt: null }, "tell"],
    ["who has just been notified", {}, { twoFactor: false, askedAt: now }, "grace"],
    ["in the last hour of the grace period", {}, { twoFactor: false, askedAt: hoursAgo(47.9) }, "grace"],
    ["after the grace period", {}, { twoFactor: false, askedAt: hoursAgo(48) }, "due"],
    [
      "on an instance without a grace period",
      { two_factor_grace_period: 0 },
      { twoFactor: false, askedAt: null },
      "due",
    ],
  ])("enrollmentOf returns the expected state for a user %s", (_who, changes, user, kind) => {
    expect(enrollmentOf({ ...required, ...changes }, user, now).kind).toBe(kind);
  });

  it("the grace period for setting up a second factor begins with the first notice", () => {
    const user = { twoFactor: false, askedAt: hoursAgo(40) };
    expect(enrollmentOf(required, user, now)).toEqual({ kind: "grace", until: hoursAgo(-8) });
  });
});

describe("the two-factor page", () => {
  it("the URL of the two-factor page contains the return URL in its query", () => {
    expect(enrollmentPath("/oauth/authorize?a=b&c=%26")).toBe(
      "/user_settings/two_factor?return_to=%2Foauth%2Fauthorize%3Fa%3Db%26c%3D%2526",
    );
  });
});
