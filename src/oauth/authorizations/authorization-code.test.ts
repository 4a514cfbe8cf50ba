import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import type { Application } from "../applications/rules.ts";
import { verifyCodeChallenge } from "../tokens/pkce.ts";
import { decideExchange, type IssuedCode } from "./authorization-code.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

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

describe("decideExchange", () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const code: IssuedCode = {
    applicationId: 7,
    redirectUri: "https://app.example/cb",
    expiresAt: at(600),
    usedAt: null,
    scopes: ["read_user"],
    resource: null,
    dpopJkt: null,
    userActive: true,
    verification: "right",
  };

  it.each<[string, Partial<IssuedCode>, number, string]>([
    ["a code in its last second", {}, 599, "claim"],
    ["a code at the time of its expiry", {}, 600, "expired"],
    ["a code without a challenge, in a request without a verifier", { verification: "none" }, 0, "claim"],
    [
      "a code of another client, although the code is also invalid for other reasons",
      { applicationId: 8, usedAt: at(0), redirectUri: "x" },
      700,
      "foreign",
    ],
    ["a code with another redirect URI", { redirectUri: "https://app.example/" }, 0, "redirect_uri_differs"],
    [
      conformance("SC-32", "a code that was issued to an http redirect URI"),
      { redirectUri: "http://app.example/cb" },
      0,
      "redirect_uri_insecure",
    ],
    [
      conformance("SC-32", "a code that was issued to a loopback redirect URI"),
      { redirectUri: "http://127.0.0.1/cb" },
      0,
      "claim",
    ],
    [
      conformance("SC-33", "a code with a scope that the application has lost"),
      { scopes: ["read_user", "api"] },
      0,
      "scope_gone",
    ],
    ["a code without its verifier", { verification: "missing" }, 0, "verifier_missing"],
    ["a code with a wrong verifier", { verification: "wrong" }, 0, "verifier_wrong"],
    [
      "a code without a challenge, in a request with a verifier",
      { verification: "unexpected" },
      0,
      "verifier_wrong",
    ],
    ["a code of a blocked user", { userActive: false }, 0, "user_blocked"],
    ["a code that is used again immediately", { usedAt: at(0) }, 0, "replayed"],
    ["a code that is used again at the end of the reuse leeway", { usedAt: at(0) }, 10, "replayed"],
    ["a code that is used again after the reuse leeway", { usedAt: at(0) }, 11, "replayed_late"],
    ["a code that is used again long after it expired", { usedAt: at(0) }, 100_000, "replayed_late"],
  ])(
    conformance(
      "AC-04",
      "AC-05",
      "AC-06",
      "AC-07",
      "AZ-40",
      "AZ-41",
      "PK-06",
      "PK-08",
      "PK-10",
      "decideExchange returns the expected decision about %s",
    ),
    (_when, changes, now, expected) => {
      const exchange = {
        application,
        redirectUri: changes.redirectUri?.startsWith("http:")
          ? changes.redirectUri
          : "https://app.example/cb",
        plainHttp: false,
        resource: undefined,
        dpopJkt: null,
        now: at(now),
        reuseLeewaySeconds: 10,
      };
      expect(decideExchange({ ...code, ...changes }, exchange)).toBe(expected);
    },
  );

  it.each<[IssuedCode["verification"], string]>([
    ["right", "replayed_late"],
    ["wrong", "replayed"],
    ["missing", "replayed"],
    ["none", "replayed"],
  ])(
    conformance(
      "AC-07",
      "AC-08",
      "a second use of a code by a public client revokes tokens only with the correct verifier (verifier: %s)",
    ),
    (verification, expected) => {
      const exchange = {
        application: { ...application, confidential: false },
        redirectUri: "https://app.example/cb",
        plainHttp: false,
        resource: undefined,
        dpopJkt: null,
        now: at(60),
        reuseLeewaySeconds: 10,
      };
      expect(decideExchange({ ...code, usedAt: at(0), verification }, exchange)).toBe(expected);
    },
  );
});

describe("verifyCodeChallenge", () => {
  it.each<[string | null, string | undefined, IssuedCode["verification"]]>([
    [CHALLENGE, VERIFIER, "right"],
    ["2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U", "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf", "right"],
    [CHALLENGE, "ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf", "wrong"],
    [CHALLENGE, CHALLENGE, "wrong"],
    [CHALLENGE, `${VERIFIER} `, "wrong"],
    [CHALLENGE, undefined, "missing"],
    [null, VERIFIER, "unexpected"],
    [null, undefined, "none"],
  ])(
    conformance(
      "PK-01",
      "PK-06",
      "PK-08",
      "PK-10",
      "verifyCodeChallenge compares the code challenge %s with the code verifier %s",
    ),
    (challenge, verifier, expected) => {
      expect(verifyCodeChallenge(challenge, verifier)).toBe(expected);
    },
  );
});
