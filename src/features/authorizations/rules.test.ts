import { describe, expect, it } from "vitest";
import type { Scope } from "@/access/scopes.ts";
import type { Application } from "../applications/rules.ts";
import { readAsk } from "./authorization-request.ts";
import { proofOf } from "./pkce.ts";
import { decideAuthorization, decideExchange, type IssuedCode, type Known } from "./rules.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

const application: Application = {
  id: 7,
  uid: "client",
  name: "Client",
  redirectUris: ["https://app.example/cb"],
  scopes: ["read_user", "profile"],
  confidential: true,
  trusted: false,
  owner: { id: 1, username: "ann", name: "Ann" },
  createdAt: new Date(0),
};

const GOOD =
  "client_id=client&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&response_type=code&scope=read_user";
const KNOWN: Known = { application, signedIn: true, consented: [] };

const decide = (query: string, known: Partial<Known> = {}) =>
  decideAuthorization(readAsk(query), { ...KNOWN, ...known });

const verdictOf = (query: string, known: Partial<Known> = {}): string => {
  const verdict = decide(query, known);
  if (verdict.kind === "show_error") return verdict.problem;
  return verdict.kind === "redirect_error" ? verdict.code : verdict.kind;
};

describe("decideAuthorization", () => {
  /** Each has all that the ones before it got right and everything after it wrong: the first failure decides. */
  it.each<[string, string, Partial<Known>]>([
    ["client_missing", "redirect_uri=https://evil.example/&response_type=x", { application: null }],
    [
      "client_unknown",
      "client_id=x&redirect_uri=https://evil.example/&response_type=x",
      { application: null },
    ],
    ["redirect_uri_missing", "client_id=client&response_type=x", {}],
    ["redirect_uri_unknown", "client_id=client&redirect_uri=https://evil.example/&response_type=x", {}],
    ["sign_in", GOOD.replace("=code", "=x"), { signedIn: false }],
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
  ])("checks in the order of the specification: %s [AZ-09 to AZ-19]", (expected, query, known) => {
    expect(verdictOf(query, known)).toBe(expected);
  });

  it("names response_mode before scope [AZ-16]", () => {
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
  ])("asks for consent or not: %s [AZ-30, AZ-31, AZ-32, AZ-33]", (_what, changes, consented, expected) => {
    const query = `${GOOD}&code_challenge=${CHALLENGE}&code_challenge_method=S256`;
    expect(verdictOf(query, { application: { ...application, ...changes }, consented })).toBe(expected);
  });

  it.each<[string, string, boolean, string]>([
    ["no challenge, confidential", "", true, "ask_consent"],
    ["no challenge, public", "", false, "invalid_request"],
    ["an empty challenge, public", "&code_challenge=&code_challenge_method=", false, "invalid_request"],
    ["S256", `&code_challenge=${CHALLENGE}&code_challenge_method=S256`, false, "ask_consent"],
    ["s256", `&code_challenge=${CHALLENGE}&code_challenge_method=s256`, false, "invalid_request"],
    ["S512", `&code_challenge=${CHALLENGE}&code_challenge_method=S512`, false, "invalid_request"],
    ["plain", `&code_challenge=${CHALLENGE}&code_challenge_method=plain`, true, "invalid_request"],
    ["no method", `&code_challenge=${CHALLENGE}`, true, "invalid_request"],
    ["a method alone", "&code_challenge_method=S256", true, "invalid_request"],
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
  ])("judges the challenge: %s [PK-03, PK-04, PK-05, PK-11]", (_what, more, confidential, expected) => {
    expect(verdictOf(GOOD + more, { application: { ...application, confidential } })).toBe(expected);
  });

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
  ])("takes scopes: %s [AZ-18, AZ-19, AZ-21, AZ-22, AT-27]", (_what, scopes, scope, expected) => {
    const query = `${GOOD.replace("scope=read_user", "")}${scope}`;
    const verdict = decide(query, { application: { ...application, scopes } });
    expect("scopes" in verdict ? verdict.scopes : null).toEqual(expected);
    if (expected === null) expect(verdict).toMatchObject({ code: "invalid_scope" });
  });
});

describe("decideExchange", () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const code: IssuedCode = {
    applicationId: 7,
    redirectUri: "https://app.example/cb",
    expiresAt: at(600),
    usedAt: null,
    userActive: true,
    proof: "right",
  };

  it.each<[string, Partial<IssuedCode>, number, string]>([
    ["in its last second", {}, 599, "claim"],
    ["at its end", {}, 600, "expired"],
    ["for a code without challenge and no verifier", { proof: "none" }, 0, "claim"],
    [
      "of another client before all else",
      { applicationId: 8, usedAt: at(0), redirectUri: "x" },
      700,
      "foreign",
    ],
    ["with another redirect URI", { redirectUri: "https://app.example/" }, 0, "redirect_uri_differs"],
    ["without its verifier", { proof: "missing" }, 0, "verifier_missing"],
    ["with a wrong verifier", { proof: "wrong" }, 0, "verifier_wrong"],
    ["with a verifier that nothing asked for", { proof: "unasked" }, 0, "verifier_wrong"],
    ["for a blocked person", { userActive: false }, 0, "user_blocked"],
    ["again at once", { usedAt: at(0) }, 0, "replayed"],
    ["again at the end of the leeway", { usedAt: at(0) }, 10, "replayed"],
    ["again later", { usedAt: at(0) }, 11, "replayed_late"],
    ["again long after it expired", { usedAt: at(0) }, 100_000, "replayed_late"],
  ])(
    "of a code %s [AC-04, AC-05, AC-06, AC-07, AZ-40, AZ-41, PK-06, PK-08, PK-10]",
    (_when, changes, now, expected) => {
      const exchange = {
        application,
        redirectUri: "https://app.example/cb",
        now: at(now),
        reuseLeewaySeconds: 10,
      };
      expect(decideExchange({ ...code, ...changes }, exchange)).toBe(expected);
    },
  );

  it.each<[IssuedCode["proof"], string]>([
    ["right", "replayed_late"],
    ["wrong", "replayed"],
    ["missing", "replayed"],
    ["none", "replayed"],
  ])("by a public client ends its tokens only with the verifier: %s [AC-07, AC-08]", (proof, expected) => {
    const exchange = {
      application: { ...application, confidential: false },
      redirectUri: "https://app.example/cb",
      now: at(60),
      reuseLeewaySeconds: 10,
    };
    expect(decideExchange({ ...code, usedAt: at(0), proof }, exchange)).toBe(expected);
  });
});

describe("proofOf", () => {
  it.each<[string | null, string | undefined, IssuedCode["proof"]]>([
    [CHALLENGE, VERIFIER, "right"],
    ["2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U", "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf", "right"],
    [CHALLENGE, "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf", "wrong"],
    [CHALLENGE, CHALLENGE, "wrong"],
    [CHALLENGE, `${VERIFIER} `, "wrong"],
    [CHALLENGE, undefined, "missing"],
    [null, VERIFIER, "unasked"],
    [null, undefined, "none"],
  ])("of challenge %s with verifier %s [PK-01, PK-06, PK-08, PK-10]", (challenge, verifier, expected) => {
    expect(proofOf(challenge, verifier)).toBe(expected);
  });
});
