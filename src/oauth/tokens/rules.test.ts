import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import {
  decideRefresh,
  type RefreshAttempt,
  type RefreshDecision,
  type RefreshToken,
  refreshedScopes,
  type TokenState,
  tokenState,
} from "./rules.ts";

const at = (seconds: number) => new Date(seconds * 1000);
const live = { expiresAt: at(7200), revokedAt: null, user: { state: "active" } };

it.each<[string, Partial<Parameters<typeof tokenState>[0]>, number, TokenState]>([
  ["at the time of issue", {}, 0, "live"],
  ["in its last second", {}, 7199, "live"],
  ["at the time of its expiry", {}, 7200, "expired"],
  ["that never expires", { expiresAt: null }, 1e9, "live"],
  ["before it was issued, by a clock that was set back", {}, -3600, "live"],
  ["that was revoked", { revokedAt: at(1) }, 2, "revoked"],
  ["that was revoked and has expired: the client may refresh", { revokedAt: at(1) }, 7200, "expired"],
  ["of a blocked user", { user: { state: "blocked" } }, 0, "user_blocked"],
  ["that was revoked, of a blocked user", { revokedAt: at(1), user: { state: "blocked" } }, 2, "revoked"],
  ["of a client that the settings refuse", { clientNotAdmitted: true }, 0, "client_not_admitted"],
  ["of a user in an unknown state", { user: { state: "new" } }, 0, "user_blocked"],
])(
  conformance("US-03", "AT-47", "AT-48", "tokenState returns the state of an access token %s"),
  (_when, changes, now, expected) => {
    expect(tokenState({ ...live, ...changes }, at(now))).toBe(expected);
  },
);

const token: RefreshToken = {
  applicationId: 7,
  refreshExpiresAt: null,
  revokedAt: null,
  rotatedAt: null,
  dpopJkt: null,
  user: { state: "active" },
  family: { revokedAt: null, redirectUri: "https://app.example/cb", resource: null },
};
const attempt: RefreshAttempt = {
  applicationId: 7,
  redirectUri: undefined,
  resource: undefined,
  scopeGone: false,
  dpopJkt: null,
  isConfidential: true,
  verifierWrong: false,
  scopes: ["read_user"],
  storedResponse: null,
  now: at(100),
  reuseLeewaySeconds: 10,
  requiresRedirectUri: false,
};

describe("decideRefresh", () => {
  const rotated = (seconds: number) => ({ rotatedAt: at(seconds), revokedAt: at(seconds) });
  const storedResponse = { access_token: "a" };
  const elsewhere = "https://evil.example/";

  it.each<[string, Partial<RefreshToken>, Partial<RefreshAttempt>, RefreshDecision]>([
    ["that is active, in a request of its own client", {}, {}, { rotate: ["read_user"] }],
    ["with its redirect URI", {}, { redirectUri: "https://app.example/cb" }, { rotate: ["read_user"] }],
    [
      "of a grant without redirect URI",
      { family: { revokedAt: null, redirectUri: null, resource: null } },
      { redirectUri: elsewhere, requiresRedirectUri: true },
      { rotate: ["read_user"] },
    ],
    ["in its last millisecond", { refreshExpiresAt: at(100.001) }, {}, { rotate: ["read_user"] }],
    ["at the time of its expiry", { refreshExpiresAt: at(100) }, {}, { refused: "expired" }],
    ["in a request without a client", {}, { applicationId: null }, { refused: "client_missing" }],
    ["in a request of another client", {}, { applicationId: 8 }, { refused: "foreign" }],
    [
      "without a client, in a request without a client",
      { applicationId: null },
      { applicationId: null },
      { rotate: ["read_user"] },
    ],
    ["without a client, in a request of a client", { applicationId: null }, {}, { refused: "foreign" }],
    ["that was revoked", { revokedAt: at(1) }, {}, { refused: "revoked" }],
    [
      "that was used and whose family was revoked",
      { ...rotated(1), family: { revokedAt: at(2), redirectUri: null, resource: null } },
      { storedResponse },
      { refused: "revoked" },
    ],
    ["that was used just now", rotated(100), {}, { refused: "reused" }],
    ["that was used before the clock was set back", rotated(200), {}, { refused: "reused" }],
    ["that was used ten seconds ago", rotated(90), {}, { refused: "reused" }],
    ["that was used more than ten seconds ago", rotated(89.999), {}, { refused: "reused_late" }],
    [
      "that was used long ago, in a request of another client",
      rotated(1),
      { applicationId: 8 },
      { refused: "foreign" },
    ],
    [
      "that was used long ago, in a request with other errors",
      rotated(1),
      { redirectUri: elsewhere, scopes: null },
      { refused: "reused_late" },
    ],
    [
      "that was used, and whose response is stored",
      rotated(1),
      { storedResponse },
      { repeat: storedResponse },
    ],
    [
      "with a stored response, in a request for more scopes",
      rotated(1),
      { storedResponse, scopes: null },
      { refused: "scope_exceeds" },
    ],
    [
      "with a stored response, in a request with another redirect URI",
      rotated(1),
      { storedResponse, redirectUri: elsewhere },
      { refused: "redirect_uri_differs" },
    ],
    ["of a blocked user", { user: { state: "blocked" } }, {}, { refused: "user_blocked" }],
    ["with another redirect URI", {}, { redirectUri: elsewhere }, { refused: "redirect_uri_differs" }],
    [
      "without the redirect URI that the settings require",
      {},
      { requiresRedirectUri: true },
      { refused: "redirect_uri_missing" },
    ],
    ["with a wrong verifier", {}, { verifierWrong: true }, { refused: "verifier_wrong" }],
    ["with more scopes", {}, { scopes: null }, { refused: "scope_exceeds" }],
  ])(
    conformance(
      "RT-07",
      "RT-09",
      "RT-10",
      "RT-11",
      "RT-12",
      "RT-15",
      "RT-16",
      "RT-17",
      "RT-19",
      "decideRefresh returns the expected decision about a refresh token %s",
    ),
    (_state, tokenChanges, attemptChanges, expected) => {
      expect(decideRefresh({ ...token, ...tokenChanges }, { ...attempt, ...attemptChanges })).toEqual(
        expected,
      );
    },
  );
});

describe("refreshedScopes", () => {
  const granted = ["read_user", "api"];

  it.each<[readonly string[] | null, readonly string[] | null]>([
    [[], granted],
    [["api"], ["api"]],
    [["api", "read_user"], granted],
    [["api", "profile"], null],
    [["API"], null],
    [null, null],
  ])(
    conformance("RT-13", "RT-14", "AT-27", "a refresh request with the scopes %j gets the scopes %j"),
    (words, expected) => {
      expect(refreshedScopes(granted, words)).toEqual(expected);
    },
  );
});
