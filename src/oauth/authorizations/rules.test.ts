import { describe, expect, it } from "vitest";
import type { Scope } from "@/access/scopes.ts";
import { conformance } from "@/testing/conformance.ts";
import type { Application } from "../applications/rules.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import { type AuthorizationContext, decideAuthorization, type SessionContext } from "./rules.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const application: Application = {
  id: 7,
  uid: "client",
  name: "Client",
  registered: true,
  redirectUris: ["https://app.example/cb"],
  scopes: ["read_user", "profile"],
  confidential: true,
  trusted: false,
  requiresPkce: false,
  allowsPassword: true,
  authMethod: null,
  requiresPushedRequests: false,
  requiresDpop: false,
  backchannelLogout: { uri: null, sessionRequired: false },
  tokens: { idTokenAlgorithm: "RS256", accessTokenFormat: "opaque" },
  clientCredentialsScopes: [],
  resourceServer: false,
  createdAt: new Date(0),
  lastUsedAt: null,
  blockedAt: null,
  ownerBlocked: false,
};

const GOOD =
  "client_id=client&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&response_type=code&scope=read_user";
const SESSION: SessionContext = {
  ...{ secondsSinceAuthentication: 60, signedInForRequest: false },
  ...{ hint: "none", missing: "nothing" },
};
const KNOWN: AuthorizationContext = {
  application,
  session: SESSION,
  consented: [],
  plainHttp: false,
  resourceUnknown: false,
  namesResourceServer: false,
};

const decide = (query: string, context: Partial<AuthorizationContext> = {}) =>
  decideAuthorization(readAuthorizationRequest(query), { ...KNOWN, ...context });

const decisionOf = (query: string, context: Partial<AuthorizationContext> = {}): string => {
  const decision = decide(query, context);
  if (decision.kind === "show_error") return decision.problem;
  return decision.kind === "redirect_error" ? decision.code : decision.kind;
};

describe("decideAuthorization", () => {
  /**
   * Each request in the table passes all checks before the check in its row, and fails this check and all
   * later checks. The expected error is therefore the error of the first failed check.
   */
  it.each<[string, string, Partial<AuthorizationContext>]>([
    ["client_missing", "redirect_uri=https://evil.example/&response_type=x", { application: null }],
    [
      "client_unknown",
      "client_id=x&redirect_uri=https://evil.example/&response_type=x",
      { application: null },
    ],
    ["redirect_uri_missing", "client_id=client&response_type=x", {}],
    ["redirect_uri_unknown", "client_id=client&redirect_uri=https://evil.example/&response_type=x", {}],
    ["sign_in", GOOD.replace("=code", "=x"), { session: null }],
    [
      "unsupported_response_type",
      `${GOOD.replace("=code", "=x").replace("read_user", "x")}&response_mode=x&code_challenge=x`,
      {},
    ],
    ["invalid_request", `${GOOD.replace("read_user", "x")}&response_mode=x&code_challenge=x`, {}],
    ["invalid_scope", `${GOOD.replace("read_user", "x")}&code_challenge=x`, {}],
    ["invalid_scope", `${GOOD.replace("read_user", "x")}&code_challenge_method=plain`, {}],
    ["invalid_request", `${GOOD}&code_challenge=x`, {}],
    ["ask_consent", GOOD, {}],
  ])(
    conformance(
      "AZ-09",
      "AZ-11",
      "AZ-12",
      "AZ-15",
      "AZ-16",
      "AZ-18",
      "decideAuthorization checks a request in the order of the specification, and returns %s",
    ),
    (expected, query, context) => {
      expect(decisionOf(query, context)).toBe(expected);
    },
  );

  it(
    conformance("AZ-16", "decideAuthorization reports an unsupported response_mode before an invalid scope"),
    () => {
      const decision = decide(`${GOOD.replace("read_user", "x")}&response_mode=x`);
      expect(decision).toMatchObject({
        code: "invalid_request",
        description: expect.stringMatching(/response_mode/),
      });
    },
  );

  it.each<[string, Partial<Application>, readonly string[], string]>([
    ["a first request", {}, [], "ask_consent"],
    ["the same scopes again", {}, ["read_user"], "issue_code"],
    ["fewer scopes than before", {}, ["profile", "read_user"], "issue_code"],
    ["other scopes than before", {}, ["profile"], "ask_consent"],
    ["a public application, always", { confidential: false }, ["read_user"], "ask_consent"],
    ["a trusted application", { trusted: true }, [], "issue_code"],
    ["a trusted public application", { trusted: true, confidential: false }, [], "ask_consent"],
  ])(
    conformance(
      "AZ-30",
      "AZ-31",
      "AZ-32",
      "AZ-33",
      "decideAuthorization decides whether consent is required: %s",
    ),
    (_what, changes, consented, expected) => {
      const query = `${GOOD}&code_challenge=${CHALLENGE}&code_challenge_method=S256`;
      expect(decisionOf(query, { application: { ...application, ...changes }, consented })).toBe(expected);
    },
  );

  it.each<[string, string, readonly string[], string]>([
    ["https, allowed before", "https://app.example/cb", ["read_user"], "issue_code"],
    ["https, not allowed before", "https://app.example/cb", [], "consent_required"],
    ["https, other scopes allowed before", "https://app.example/cb", ["profile"], "consent_required"],
    ["loopback, allowed before", "http://127.0.0.1:7777/cb", ["read_user"], "issue_code"],
    ["a private-use scheme", "com.example.app:/cb", ["read_user"], "consent_required"],
    ["http on another host", "http://app.example/cb", ["read_user"], "consent_required"],
  ])(
    conformance(
      "AZ-46",
      "decideAuthorization decides about a request of a public application with prompt=none: %s",
    ),
    (_what, uri, consented, expected) => {
      const query = `${GOOD}&code_challenge=${CHALLENGE}&code_challenge_method=S256&prompt=none`.replace(
        /redirect_uri=[^&]*/,
        `redirect_uri=${encodeURIComponent(uri)}`,
      );
      const publicClient = { ...application, confidential: false, trusted: true, redirectUris: [uri] };
      expect(decisionOf(query, { application: publicClient, consented, plainHttp: true })).toBe(expected);
    },
  );

  it.each<[string, string, Partial<SessionContext> | null, string]>([
    ["no parameter, signed in", "", {}, "ask_consent"],
    ["no parameter, signed out", "", null, "sign_in"],
    ["prompt=none, signed out", "prompt=none", null, "login_required"],
    ["prompt=none, without consent", "prompt=none", {}, "consent_required"],
    ["prompt=none login, signed out", "prompt=none+login", null, "sign_in"],
    ["prompt=none login, signed in", "prompt=none+login", {}, "invalid_request"],
    ["prompt=login, before the sign-in", "prompt=login", {}, "sign_in"],
    ["prompt=login, after the sign-in", "prompt=login", { signedInForRequest: true }, "ask_consent"],
    [
      "max_age=0, immediately after another sign-in",
      "max_age=0",
      { secondsSinceAuthentication: 0 },
      "sign_in",
    ],
    [
      "max_age=0, after the sign-in for this request",
      "max_age=0",
      { secondsSinceAuthentication: 0, signedInForRequest: true },
      "ask_consent",
    ],
    ["max_age, not exceeded", "max_age=60", { secondsSinceAuthentication: 60 }, "ask_consent"],
    ["max_age, exceeded", "max_age=59", { secondsSinceAuthentication: 60 }, "sign_in"],
    [
      "max_age, exceeded after the sign-in for this request",
      "max_age=1",
      { secondsSinceAuthentication: 9, signedInForRequest: true },
      "ask_consent",
    ],
    [
      "max_age, exceeded, with prompt=none",
      "max_age=1&prompt=none",
      { secondsSinceAuthentication: 60 },
      "login_required",
    ],
    ["max_age, with an unknown age", "max_age=99999", { secondsSinceAuthentication: null }, "sign_in"],
    [
      "prompt=login, after a sign-in without a time",
      "prompt=login",
      { signedInForRequest: "undated" },
      "sign_in",
    ],
    ["a hint of the same user", "", { hint: "same" }, "ask_consent"],
    ["a hint of another user", "", { hint: "other" }, "sign_in"],
    [
      "a hint of another user, after the sign-in for this request",
      "",
      { hint: "other", signedInForRequest: true },
      "login_required",
    ],
    ["a hint of another user, with prompt=none", "prompt=none", { hint: "other" }, "login_required"],
    ["a hint that this instance did not issue", "", { hint: "invalid" }, "ask_consent"],
    [
      "a hint that this instance did not issue, with prompt=none",
      "prompt=none",
      { hint: "invalid" },
      "login_required",
    ],
  ])(
    conformance(
      "AZ-24",
      "AZ-25",
      "AZ-26",
      "AZ-29",
      "decideAuthorization decides whether the user must sign in: %s",
    ),
    (_what, more, changes, expected) => {
      const session = changes === null ? null : { ...SESSION, ...changes };
      expect(decisionOf(`${GOOD}&${more}`, { session })).toBe(expected);
    },
  );

  it.each<[string, string]>([
    ["prompt=consent", "ask_consent"],
    ["prompt=select_account", "ask_consent"],
    ["prompt=none", "issue_code"],
    ["prompt=foo", "issue_code"],
    ["max_age=3600", "issue_code"],
  ])(
    conformance(
      "AZ-25",
      "AZ-27",
      "AZ-30",
      "decideAuthorization decides about a request with %s after the user has given consent: %s",
    ),
    (more, expected) => {
      expect(decisionOf(`${GOOD}&${more}`, { consented: ["read_user"] })).toBe(expected);
    },
  );

  it.each<[string, boolean, string]>([
    ["http://app.example/cb", false, "redirect_uri_insecure"],
    ["http://app.example/cb", true, "ask_consent"],
    ["HTTP://app.example/cb", false, "redirect_uri_insecure"],
    ["http://localhost.app.example/cb", false, "redirect_uri_insecure"],
    ["http://127.0.0.1/cb", false, "ask_consent"],
    ["http://[::1]:8080/cb", false, "ask_consent"],
    ["http://localhost/cb", false, "ask_consent"],
    ["com.example.app:/cb", false, "ask_consent"],
  ])(
    conformance(
      "SC-32",
      "decideAuthorization decides about the redirect URI %s (http allowed on any host: %s): %s",
    ),
    (uri, plainHttp, expected) => {
      const query = GOOD.replace(/redirect_uri=[^&]*/, `redirect_uri=${encodeURIComponent(uri)}`);
      const registered = { ...application, redirectUris: [uri] };
      expect(decisionOf(query, { application: registered, plainHttp })).toBe(expected);
    },
  );

  it.each<[string, string, boolean, string]>([
    ["no challenge, confidential", "", true, "ask_consent"],
    ["no challenge, public", "", false, "invalid_request"],
    ["an empty challenge, public", "&code_challenge=&code_challenge_method=", false, "invalid_request"],
    ["S256", `&code_challenge=${CHALLENGE}&code_challenge_method=S256`, false, "ask_consent"],
    ["s256", `&code_challenge=${CHALLENGE}&code_challenge_method=s256`, false, "invalid_request"],
    ["S512", `&code_challenge=${CHALLENGE}&code_challenge_method=S512`, false, "invalid_request"],
    ["plain", `&code_challenge=${CHALLENGE}&code_challenge_method=plain`, true, "invalid_request"],
    ["no method", `&code_challenge=${CHALLENGE}`, true, "invalid_request"],
    [
      conformance("SC-25", "a method without a challenge, confidential application"),
      "&code_challenge_method=S256",
      true,
      "ask_consent",
    ],
    [
      conformance("SC-25", "a method without a challenge, public application"),
      "&code_challenge_method=S256",
      false,
      "invalid_request",
    ],
    ...["a".repeat(42), "a".repeat(44), "a".repeat(128), "a".repeat(129)].map(
      (challenge): [string, string, boolean, string] => [
        `${challenge.length} characters`,
        `&code_challenge=${challenge}&code_challenge_method=S256`,
        true,
        "invalid_request",
      ],
    ),
    ...["=", "%2B", "/", ".", "~", "%0A"].map((character): [string, string, boolean, string] => [
      `the character ${character}`,
      `&code_challenge=${"a".repeat(42)}${character}&code_challenge_method=S256`,
      true,
      "invalid_request",
    ]),
  ])(
    conformance("PK-03", "PK-04", "PK-05", "PK-11", "decideAuthorization validates the code challenge: %s"),
    (_what, more, confidential, expected) => {
      expect(decisionOf(GOOD + more, { application: { ...application, confidential } })).toBe(expected);
    },
  );

  it.each<[string, readonly Scope[], string, readonly string[] | null]>([
    ["the default scope", ["api", "read_user"], "", ["api"]],
    ["no default scope for an application without api", ["read_user"], "", null],
    ["a scope parameter that contains only spaces", ["read_user"], "scope=+++", null],
    [
      "the order of the request, without duplicates",
      ["read_user", "profile"],
      "scope=+profile++read_user+profile",
      ["profile", "read_user"],
    ],
    ["one scope that is not registered", ["read_user"], "scope=read_user+profile", null],
    ["a scope that only a registered scope includes", ["api"], "scope=read_user", null],
    ["a scope in capitals", ["api"], "scope=API", null],
  ])(
    conformance(
      "AZ-18",
      "AZ-19",
      "AZ-21",
      "AZ-22",
      "AT-27",
      "decideAuthorization determines the granted scopes: %s",
    ),
    (_what, scopes, scope, expected) => {
      const query = `${GOOD.replace("scope=read_user", "")}${scope}`;
      const decision = decide(query, { application: { ...application, scopes } });
      expect("scopes" in decision ? decision.scopes : null).toEqual(expected);
      if (expected === null) expect(decision).toMatchObject({ code: "invalid_scope" });
    },
  );
});
