import { describe, expect, it } from "vitest";
import { configuredProviders, issuerProblem } from "./identity-providers.ts";

const CORP = {
  OIDC_CORP_ISSUER: "https://id.example.com",
  OIDC_CORP_CLIENT_ID: "gatehouse",
  OIDC_CORP_CLIENT_SECRET: "the secret",
};
const TENANT = "11111111-2222-3333-4444-555555555555";

describe("providers in environment variables", () => {
  it("by default, an external identity provider does not create accounts, link accounts or count as a source of verified e-mail addresses", () => {
    expect(configuredProviders(CORP, false)).toEqual([
      {
        name: "corp",
        label: "corp",
        kind: "openid_connect",
        issuer: "https://id.example.com",
        clientId: "gatehouse",
        clientSecret: "the secret",
        createsAccounts: false,
        linksByEmail: false,
        trustsEmails: false,
        allowedDomains: [],
        enforcedDomains: [],
        groupsClaim: "",
        groupRules: [],
      },
    ]);
  });

  it("environment variables define several OpenID Connect providers, and the providers GitHub, GitLab, Google and Microsoft", () => {
    const env = {
      ...CORP,
      OIDC_MY_TEAM_ISSUER: "https://team.example.com/realms/main",
      OIDC_MY_TEAM_CLIENT_ID: "id",
      OIDC_MY_TEAM_CLIENT_SECRET: "secret",
      OIDC_MY_TEAM_LINK_BY_EMAIL: "true",
      OIDC_MY_TEAM_ENFORCED_DOMAINS: "Example.com, example.org",
      OIDC_MY_TEAM_GROUPS_CLAIM: "groups",
      OIDC_MY_TEAM_GROUP_RULES: "staff = team/dev : developer; cn=ops,dc=x = ops:owner",
      ...Object.fromEntries(
        ["GITHUB", "GITLAB", "GOOGLE", "MICROSOFT"].flatMap((name) => [
          [`${name}_CLIENT_ID`, "id"],
          [`${name}_CLIENT_SECRET`, "secret"],
        ]),
      ),
      MICROSOFT_TENANT_ID: TENANT,
      GITLAB_ISSUER: "https://gitlab.example.com",
    };
    const providers = configuredProviders(env, false);
    expect(providers.map(({ name, kind, issuer }) => [name, kind, issuer])).toEqual([
      ["corp", "openid_connect", "https://id.example.com"],
      ["my-team", "openid_connect", "https://team.example.com/realms/main"],
      ["github", "github", "https://github.com"],
      ["gitlab", "gitlab", "https://gitlab.example.com"],
      ["google", "google", "https://accounts.google.com"],
      ["microsoft", "microsoft", `https://login.microsoftonline.com/${TENANT}/v2.0`],
    ]);
    expect(providers[1]).toMatchObject({
      enforcedDomains: ["example.com", "example.org"],
      groupRules: ["staff = team/dev : developer", "cn=ops,dc=x = ops:owner"],
    });
  });

  it("environment variables of other programs define no provider", () => {
    const others = { GITHUB_TOKEN: "x", GITLAB_ISSUER: "x", OIDC_X: "x", GITHUB_LABEL: "x" };
    expect(configuredProviders(others, false)).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ["OIDC_CORP_CLIENT_SECRET is missing", { OIDC_CORP_CLIENT_SECRET: "" }],
    ["OIDC_CORP_ISSUER is missing", { OIDC_CORP_ISSUER: "" }],
    ["OIDC_CORP_ISSUER must begin with https", { OIDC_CORP_ISSUER: "http://id.example.com" }],
    ["OIDC_CORP_LINK_BY_EMAIL must be true or false", { OIDC_CORP_LINK_BY_EMAIL: "yes" }],
    ["OIDC_CORP_ALLOWED_DOMAINS must be domains", { OIDC_CORP_ALLOWED_DOMAINS: "@example.com" }],
    ["OIDC_CORP_ENFORCED_DOMAINS requires", { OIDC_CORP_ENFORCED_DOMAINS: "example.com" }],
    ["OIDC_CORP_GROUP_RULES must be rules", { OIDC_CORP_GROUP_RULES: "staff = team : king" }],
    ["GITHUB_CLIENT_SECRET is missing", { GITHUB_CLIENT_ID: "x" }],
    ["MICROSOFT_TENANT_ID is missing", { MICROSOFT_CLIENT_ID: "x", MICROSOFT_CLIENT_SECRET: "y" }],
    [
      "MICROSOFT_TENANT_ID must be the ID",
      { MICROSOFT_CLIENT_ID: "x", MICROSOFT_CLIENT_SECRET: "y", MICROSOFT_TENANT_ID: "common" },
    ],
  ])("invalid environment variables are refused: %s", (message, changes) => {
    const read = () => configuredProviders({ ...CORP, ...changes }, false);
    expect(read).toThrow(message);
    expect(read).not.toThrow("the secret");
  });
});

describe("an issuer", () => {
  it.each([
    ["https://id.example.com/realms/a", false, null],
    ["http://localhost:8080", false, null],
    ["http://127.0.0.1:8080/x", false, null],
    ["http://keycloak:8080", true, null],
    ["http://keycloak:8080", false, "must begin with https://"],
    ["http://127.0.0.1.evil.example", false, "must begin with https://"],
    ["ftp://id.example.com", true, "must begin with https://"],
    ["https://login.microsoftonline.com/common/v2.0", false, "must contain the ID of one tenant"],
    ["https://user:password@id.example.com", false, "must not contain credentials, a query or a fragment"],
    ["https://id.example.com/?a=b", false, "must not contain credentials, a query or a fragment"],
    ["id.example.com", false, "must be a URL such as https://id.example.com"],
  ])("the check of the issuer %s (http allowed: %s) returns the problem: %s", (url, allowsHttp, expected) => {
    expect(issuerProblem(url, allowsHttp)).toBe(expected);
  });
});
