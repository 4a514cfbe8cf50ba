import { spawnSync } from "node:child_process";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { connectGuide } from "../connect/connect.ts";
import type { Application } from "./rules.ts";
import { environmentOf, snippetsFor, withSecret } from "./snippets.ts";

const ISSUER = "https://id.example.com";

const application = (changes: Partial<Application> = {}): Application => ({
  id: 7,
  uid: "0123456789abcdef",
  name: "Client",
  registered: true,
  redirectUris: ["urn:ietf:wg:oauth:2.0:oob", "https://app.example/cb?x='1'&y=$(2)"],
  scopes: ["openid", "read_user", "read_repository"],
  confidential: true,
  trusted: false,
  requiresPkce: false,
  allowsPassword: false,
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
  ...changes,
});

/** Expected lines of the snippets in languages for which this test has no parser. */
const OTHER_LANGUAGES: Readonly<Record<string, string>> = {
  python: "OAuth2Session(",
  authlib: "OAuth2Session(",
  go: "oauth2.Config{",
  ruby: "provider :gitlab",
  php: "new League\\OAuth2\\Client\\Provider\\GenericProvider([",
};

const titles = (confidential: boolean, deviceGrant: boolean) =>
  snippetsFor(ISSUER, application({ confidential }), deviceGrant).map(({ id }) => id);

describe("the code snippets of an application", () => {
  it("the list of code snippets depends on the type of the application, and on whether the device grant is enabled", () => {
    expect(titles(true, false)).toEqual([
      "curl",
      "openid-client",
      "next-auth",
      "auth-js",
      "simple-oauth2",
      "passport",
      "passport-gitlab2",
      "python",
      "authlib",
      "go",
      "ruby",
      "php",
      "git",
    ]);
    const script = application({ scopes: ["read_api"] });
    expect(snippetsFor(ISSUER, script, false).map(({ id }) => id)).not.toContain("next-auth");
    expect(titles(false, false)).toEqual(["curl", "openid-client", "authlib", "go", "git"]);
    expect(titles(false, true)).toEqual(["curl", "openid-client", "authlib", "go", "git", "device"]);
    const reader = application({ confidential: false, scopes: ["read_user"] });
    expect(snippetsFor(ISSUER, reader, false).map(({ id }) => id)).not.toContain("git");
  });

  it.each([
    { confidential: true, requiresPkce: false },
    { confidential: true, requiresPkce: true },
    { confidential: false, requiresPkce: false },
  ])(
    "the code snippets are valid source code (confidential application: $confidential, requires PKCE: $requiresPkce)",
    (options) => {
      for (const issuer of [ISSUER, "http://localhost:3000"])
        for (const { id, code } of snippetsFor(issuer, application(options), true)) {
          expect(code).toContain(issuer);
          expect(code).toContain("0123456789abcdef");
          if (["curl", "git", "device"].includes(id))
            expect(spawnSync("sh", ["-n"], { input: code }).stderr.toString(), id).toBe("");
          else if (id in OTHER_LANGUAGES) expect(code).toContain(OTHER_LANGUAGES[id]);
          else expect(transformSync(code, { format: "esm" }).warnings, id).toEqual([]);
        }
    },
  );

  it.each(["curl", "simple-oauth2", "python"])(
    "the snippet %s of a confidential application uses PKCE if the application requires PKCE",
    (name) => {
      const codeOf = (requiresPkce: boolean) =>
        snippetsFor(ISSUER, application({ requiresPkce }), false).find(({ id }) => id === name)?.code;
      for (const parameter of ["code_challenge", "code_challenge_method", "code_verifier"])
        expect(codeOf(true)?.toLowerCase()).toContain(parameter);
      expect(codeOf(true)).toContain("CLIENT_SECRET");
      expect(codeOf(false)).not.toMatch(/code_(?:challenge|verifier)/i);
    },
  );

  it.each<Partial<Application>>([
    { authMethod: "private_key_jwt" },
    { authMethod: "client_secret_jwt" },
    { requiresPushedRequests: true },
    { requiresDpop: true },
  ])(
    "an application with the option %o has no code snippets, because no snippet supports the option",
    (option) => {
      expect(snippetsFor(ISSUER, application(option), true)).toEqual([]);
    },
  );

  it("the code snippets quote a redirect URI for the shell", () => {
    const [curl] = snippetsFor(ISSUER, application(), false);
    const quotedUri = /redirect_uri=('.*) \\$/m.exec(curl?.code ?? "")?.[1];
    const { stdout } = spawnSync("sh", ["-c", `printf %s ${quotedUri}`]);
    expect(stdout.toString()).toBe("https://app.example/cb?x='1'&y=$(2)");
  });
});

describe("every git-credential-oauth configuration", () => {
  it(
    conformance("SC-31", "each Git configuration names the oldest supported version of git-credential-oauth"),
    () => {
      const own = snippetsFor(ISSUER, application({ confidential: false }), false).find(
        ({ id }) => id === "git",
      );
      expect(own?.about).toContain("Version 0.10 or newer.");
      const helpers = connectGuide({ issuer: ISSUER, clientId: "0123456789abcdef" }).find(({ snippets }) =>
        snippets.some(({ code }) => code.includes("credential.helper oauth")),
      );
      expect(helpers?.about).toContain("git-credential-oauth must be version 0.10 or newer");
    },
  );
});

describe("the snippets of a new secret", () => {
  it("snippets of shell commands contain the new secret, and snippets of program code do not", () => {
    const snippets = snippetsFor(ISSUER, application(), true);
    const changed = withSecret(snippets, "ghcs_secret");
    for (const [at, { id, about, code }] of changed.entries()) {
      expect(about).not.toContain("CLIENT_SECRET");
      if (["curl", "device", "git"].includes(id)) expect(code).toMatch(/^CLIENT_SECRET='ghcs_secret'\n/);
      else expect(code).toBe(snippets[at]?.code);
    }
  });

  it("environmentOf returns an environment file with the new secret", () => {
    expect(environmentOf(ISSUER, application(), "ghcs_secret").split("\n")).toEqual([
      "ISSUER=https://id.example.com",
      "CLIENT_ID=0123456789abcdef",
      "CLIENT_SECRET=ghcs_secret",
      "REDIRECT_URI=https://app.example/cb?x='1'&y=$(2)",
    ]);
  });
});
