import { expect, it } from "vitest";
import { type TokenState, tokenState } from "./rules.ts";

const at = (seconds: number) => new Date(seconds * 1000);
const live = { expiresAt: at(7200), revokedAt: null, user: { state: "active" } };

it.each<[string, Partial<Parameters<typeof tokenState>[0]>, number, TokenState]>([
  ["from the start", {}, 0, "live"],
  ["in its last second", {}, 7199, "live"],
  ["at its end", {}, 7200, "expired"],
  ["that never expires", { expiresAt: null }, 1e9, "live"],
  ["before it was issued, by a clock that was set back", {}, -3600, "live"],
  ["that was revoked", { revokedAt: at(1) }, 2, "revoked"],
  ["that was revoked and has expired: the client may refresh", { revokedAt: at(1) }, 7200, "expired"],
  ["of a blocked person", { user: { state: "blocked" } }, 0, "user_blocked"],
  ["that was revoked, of a blocked person", { revokedAt: at(1), user: { state: "blocked" } }, 2, "revoked"],
  ["of a person in a state that nobody knows", { user: { state: "new" } }, 0, "user_blocked"],
])("judges a token %s [US-03, AT-47, AT-48]", (_when, changes, now, expected) => {
  expect(tokenState({ ...live, ...changes }, at(now))).toBe(expected);
});
