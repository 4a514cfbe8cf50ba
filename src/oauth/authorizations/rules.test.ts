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
  redirectUris: ["https://app.example/cb"],
  scopes: ["read_user", "profile"],
  confidential: true,
  trusted: false,
  requiresPkce: false,
  allowsPassword: true,
  owner: { id: 1, username: "ann", name: "Ann" },
  createdAt: new Date(0),
  lastUsedAt: null,
  blockedAt: null,
  ownerBlocked: false,
};

const GOOD =
  "client_id=client&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&response_type=code&scope=read_user";
const SESSION: SessionContext = { secondsSinceSignIn: 60, signedInForRequest: false, hint: "none" };
const KNOWN: AuthorizationContext = { application, session: SESSION, consented: [], plainHttp: false };

const decide = (query: string, context: Partial<AuthorizationContext> = {}) =>
  decideAuthorization(readAuthorizationRequest(query), { ...KNOWN, ...context });

const verdictOf = (query: string, context: Partial<AuthorizationContext> = {}): string => {
  const verdict = decide(query, context);
  if (verdict.kind === "show_error") return verdict.problem;
  return verdict.kind === "redirect_error" ? verdict.code : verdict.kind;
};

describe("decideAuthorization", () => {
  /** Each has all that the ones before it got right and everything after it wrong: the first failure decides. */
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
      "checks in the order of the specification: %s",
    ),
    (expected, query, context) => {
      expect(verdictOf(query, context)).toBe(expected);
    },
  );

  it(conformance("AZ-16", "names response_mode before scope"), () => {
    const verdict = decide(`${GOOD.replace("read_user", "x")}&response_mode=x`);
    expect(verdict).toMatchObject({
      code: "invalid_request",
      description: expect.stringMatching(/response_mode/),
    });
  });

  it.each<[string, Partial<Application>, readonly string[], string]>([
    ["a first request", {}, [], "ask_consent"],
    ["the same scopes again", {}, ["read_user"], "issue_code"],
    ["fewer scopes than before", {}, ["profile", "read_user"], "issue_code"],
    ["other scopes than before", {}, ["profile"], "ask_consent"],
    ["a public application, always", { confidential: false }, ["read_user"], "ask_consent"],
    ["a trusted application", { trusted: true }, [], "issue_code"],
    ["a trusted public application", { trusted: true, confidential: false }, [], "ask_consent"],
  ])(
    conformance("AZ-30", "AZ-31", "AZ-32", "AZ-33", "asks for consent or not: %s"),
    (_what, changes, consented, expected) => {
      const query = `${GOOD}&code_challenge=${CHALLENGE}&code_challenge_method=S256`;
      expect(verdictOf(query, { application: { ...application, ...changes }, consented })).toBe(expected);
    },
  );

  it.each<[string, string, Partial<SessionContext> | null, string]>([
    ["nothing asked", "", {}, "ask_consent"],
    ["nothing asked, signed out", "", null, "sign_in"],
    ["silently, signed out", "prompt=none", null, "login_required"],
    ["silently, not allowed yet", "prompt=none", {}, "consent_required"],
    ["silently and not, signed out", "prompt=none+login", null, "sign_in"],
    ["silently and not", "prompt=none+login", {}, "invalid_request"],
    ["again", "prompt=login", {}, "sign_in"],
    ["again, done", "prompt=login", { signedInForRequest: true }, "ask_consent"],
    ["immediately after sign-in, max_age 0", "max_age=0", { secondsSinceSignIn: 0 }, "sign_in"],
    ["max_age 0, done", "max_age=0", { secondsSinceSignIn: 0, signedInForRequest: true }, "ask_consent"],
    ["within max_age", "max_age=60", { secondsSinceSignIn: 60 }, "ask_consent"],
    ["past max_age", "max_age=59", { secondsSinceSignIn: 60 }, "sign_in"],
    [
      "past max_age, done late",
      "max_age=1",
      { secondsSinceSignIn: 9, signedInForRequest: true },
      "ask_consent",
    ],
    ["silently past max_age", "max_age=1&prompt=none", { secondsSinceSignIn: 60 }, "login_required"],
    ["a hint of the same person", "", { hint: "same" }, "ask_consent"],
    ["a hint of another person", "", { hint: "other" }, "sign_in"],
    ["a hint of another person, done", "", { hint: "other", signedInForRequest: true }, "login_required"],
    ["a hint of another person, silently", "prompt=none", { hint: "other" }, "login_required"],
    ["a hint that is not ours", "", { hint: "invalid" }, "ask_consent"],
    ["a hint that is not ours, silently", "prompt=none", { hint: "invalid" }, "login_required"],
  ])(
    conformance("AZ-24", "AZ-25", "AZ-26", "AZ-29", "asks for the person: %s"),
    (_what, more, changes, expected) => {
      const session = changes === null ? null : { ...SESSION, ...changes };
      expect(verdictOf(`${GOOD}&${more}`, { session })).toBe(expected);
    },
  );

  it.each<[string, string]>([
    ["prompt=consent", "ask_consent"],
    ["prompt=select_account", "ask_consent"],
    ["prompt=none", "issue_code"],
    ["prompt=foo", "issue_code"],
    ["max_age=3600", "issue_code"],
  ])(
    conformance("AZ-25", "AZ-27", "AZ-30", "with %s and everything allowed before: %s"),
    (more, expected) => {
      expect(verdictOf(`${GOOD}&${more}`, { consented: ["read_user"] })).toBe(expected);
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
    conformance("SC-32", "answers at the registered %s with http allowed %s: %s"),
    (uri, plainHttp, expected) => {
      const query = GOOD.replace(/redirect_uri=[^&]*/, `redirect_uri=${encodeURIComponent(uri)}`);
      const registered = { ...application, redirectUris: [uri] };
      expect(verdictOf(query, { application: registered, plainHttp })).toBe(expected);
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
    [conformance("SC-25", "a method alone"), "&code_challenge_method=S256", true, "ask_consent"],
    [conformance("SC-25", "a method alone, public"), "&code_challenge_method=S256", false, "invalid_request"],
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
    conformance("PK-03", "PK-04", "PK-05", "PK-11", "judges the challenge: %s"),
    (_what, more, confidential, expected) => {
      expect(verdictOf(GOOD + more, { application: { ...application, confidential } })).toBe(expected);
    },
  );

  it.each<[string, readonly Scope[], string, readonly string[] | null]>([
    ["the default", ["api", "read_user"], "", ["api"]],
    ["no default where the application has no api", ["read_user"], "", null],
    ["spaces alone are no scope", ["read_user"], "scope=+++", null],
    [
      "the order sent, each once",
      ["read_user", "profile"],
      "scope=+profile++read_user+profile",
      ["profile", "read_user"],
    ],
    ["one foreign scope spoils all", ["read_user"], "scope=read_user+profile", null],
    ["what a wider scope covers is still not the application's", ["api"], "scope=read_user", null],
    ["case matters", ["api"], "scope=API", null],
  ])(
    conformance("AZ-18", "AZ-19", "AZ-21", "AZ-22", "AT-27", "takes scopes: %s"),
    (_what, scopes, scope, expected) => {
      const query = `${GOOD.replace("scope=read_user", "")}${scope}`;
      const verdict = decide(query, { application: { ...application, scopes } });
      expect("scopes" in verdict ? verdict.scopes : null).toEqual(expected);
      if (expected === null) expect(verdict).toMatchObject({ code: "invalid_scope" });
    },
  );
});
