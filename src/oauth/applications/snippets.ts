import { OUT_OF_BAND } from "./redirect-uri";
import { type Application, mustUsePkce } from "./rules";
import { authlib, go, passport, passportGitlab, php, python, ruby } from "./server-snippets";
import { type Facts, IMPORT_ENV, literal, type Snippet } from "./snippet";

/**
 * Returns code snippets for common clients, with the URLs of this instance and the Application ID. The result
 * is empty for an application that must authenticate with signed assertions, push its authorization requests
 * or use DPoP, because the snippets support none of these options.
 * @param deviceGrant whether the device grant is enabled.
 */
export function snippetsFor(
  issuer: string,
  application: Application,
  deviceGrant: boolean,
): readonly Snippet[] {
  const { uid, scopes, authMethod, requiresPushedRequests, requiresDpop } = application;
  if (authMethod !== null || requiresPushedRequests || requiresDpop) return [];
  const redirectUri = redirectUriOf(application);
  const facts: Facts = { issuer, uid, redirectUri, scope: scopes.join(" "), application };
  return application.confidential
    ? [
        curl(facts),
        openidClient(facts),
        ...nextAuth(facts),
        ...authJs(facts),
        simpleOauth2(facts),
        passport(facts),
        ...passportGitlab(facts),
        python(facts),
        authlib(facts),
        go(facts),
        ...ruby(facts),
        php(facts),
        ...git(facts),
        ...device(facts, deviceGrant),
      ]
    : [
        curl(facts),
        openidClient(facts),
        authlib(facts),
        go(facts),
        ...git(facts),
        ...device(facts, deviceGrant),
      ];
}

/** Returns the content of an environment file (`.env`) with the values that an application needs. */
export const environmentOf = (issuer: string, application: Application, secret: string): string =>
  [
    `ISSUER=${issuer}`,
    `CLIENT_ID=${application.uid}`,
    `CLIENT_SECRET=${secret}`,
    `REDIRECT_URI=${redirectUriOf(application)}`,
  ].join("\n");

/**
 * Returns the snippets with a client secret. Snippets of shell commands set the secret as a shell variable.
 * Snippets of program code are unchanged, because the programs read the secret from the environment.
 */
export const withSecret = (snippets: readonly Snippet[], secret: string): readonly Snippet[] =>
  snippets.map((snippet) =>
    snippet.code.includes('"$CLIENT_SECRET"')
      ? {
          ...snippet,
          about: snippet.about.replace("variables CLIENT_SECRET and CODE", "variable CODE"),
          code: `CLIENT_SECRET=${quoted(secret)}\n${snippet.code}`,
        }
      : snippet,
  );

const redirectUriOf = ({ redirectUris }: Application): string =>
  redirectUris.find((uri) => uri !== OUT_OF_BAND) ?? OUT_OF_BAND;

const authorizeUrl = ({ issuer, uid, redirectUri, scope }: Facts): string =>
  `${issuer}/oauth/authorize?${[
    `client_id=${uid}`,
    `redirect_uri=${encodeURIComponent(redirectUri)}`,
    "response_type=code",
    `scope=${encodeURIComponent(scope)}`,
  ].join("&")}`;

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(facts: Facts): Snippet {
  const { issuer, uid, redirectUri, application } = facts;
  const url = authorizeUrl(facts);
  const { confidential } = application;
  const pkce = mustUsePkce(application);
  const begin = pkce
    ? [
        `# 1. Create a PKCE code verifier and its code challenge, open the printed URL in a browser,`,
        `# and copy the authorization code from the URL of the redirect:`,
        `CODE_VERIFIER=$(openssl rand -hex 32)`,
        `CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')`,
        `echo ${quoted(`${url}&code_challenge_method=S256&code_challenge=`)}"$CODE_CHALLENGE"`,
      ]
    : [
        `# 1. Open this URL in a browser, and copy the authorization code from the URL of the redirect:`,
        `#    ${url}`,
      ];
  const code = [
    ...begin,
    `# 2. Exchange the authorization code:`,
    `curl ${quoted(`${issuer}/oauth/token`)} \\`,
    `  --data-urlencode grant_type=authorization_code \\`,
    `  --data-urlencode client_id=${uid} \\`,
    ...(confidential ? [`  --data-urlencode client_secret="$CLIENT_SECRET" \\`] : []),
    ...(pkce ? [`  --data-urlencode code_verifier="$CODE_VERIFIER" \\`] : []),
    `  --data-urlencode redirect_uri=${quoted(redirectUri)} \\`,
    `  --data-urlencode code="$CODE"`,
  ].join("\n");
  const variables = confidential ? "variables CLIENT_SECRET and CODE" : "variable CODE";
  const about = `Set the ${variables} before you run the ${pkce ? "last " : ""}command.`;
  return { id: "curl", title: "curl", about, code };
}

function openidClient({ issuer, uid, redirectUri, scope, application }: Facts): Snippet {
  const insecure = issuer.startsWith("http:");
  const args = [
    `new URL(${literal(issuer)})`,
    literal(uid),
    application.confidential ? "env.CLIENT_SECRET" : "undefined",
    ...(application.confidential && !insecure
      ? []
      : [application.confidential ? "undefined" : "client.None()"]),
    ...(insecure ? ["{ execute: [client.allowInsecureRequests] }"] : []),
  ];
  const code = `import * as client from "openid-client";
${application.confidential ? IMPORT_ENV : ""}
const config = await client.discovery(
  ${args.join(",\n  ")},
);
const codeVerifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${literal(redirectUri)},
  scope: ${literal(scope)},
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: "S256",
  state,
});
// Redirect the browser to url. When the browser returns at currentUrl, exchange the authorization code:
const tokens = await client.authorizationCodeGrant(config, currentUrl, {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
});`;
  return { id: "openid-client", title: "openid-client (Node.js)", about: "Version 6.", code };
}

/** The scope that the GitLab providers of next-auth and Auth.js request to identify the user. */
const GITLAB_SCOPE = "read_user";

/** The OpenID Connect scopes that identify the user. */
const OPENID_SCOPES: readonly string[] = ["openid", "profile", "email"];

const openidScope = ({ application }: Facts): string =>
  application.scopes.filter((scope) => OPENID_SCOPES.includes(scope)).join(" ");

/**
 * Returns source code that signs users in with next-auth. The source code uses the GitLab provider for an
 * application with the scope `read_user`, and OpenID Connect for an application with the scope `openid` but
 * without `read_user`. The result is empty for an application that has neither `read_user` nor `openid`.
 */
function nextAuth(facts: Facts): readonly Snippet[] {
  const { issuer, uid, application } = facts;
  const title = "next-auth";
  if (application.scopes.includes(GITLAB_SCOPE)) {
    // The scope openid is omitted, because next-auth rejects a response with an ID token if the GitLab
    // provider is used.
    const code = `import GitLabProvider from "next-auth/providers/gitlab";
${IMPORT_ENV}
export const authOptions = {
  providers: [
    GitLabProvider({
      clientId: ${literal(uid)},
      clientSecret: env.CLIENT_SECRET,
      issuer: ${literal(issuer)},
      authorization: {
        url: ${literal(`${issuer}/oauth/authorize`)},
        params: { scope: ${literal(GITLAB_SCOPE)} },
      },
      token: ${literal(`${issuer}/oauth/token`)},
      userinfo: ${literal(`${issuer}/api/v4/user`)},
    }),
  ],
};`;
    return [{ id: "next-auth", title, about: `Version 4. ${registerHint("gitlab")}`, code }];
  }
  if (!application.scopes.includes("openid")) return [];
  const code = `${IMPORT_ENV}
export const authOptions = {
  providers: [
    {
      id: "gatehouse",
      name: "Gatehouse",
      type: "oauth",
      clientId: ${literal(uid)},
      clientSecret: env.CLIENT_SECRET,
      wellKnown: ${literal(`${issuer}/.well-known/openid-configuration`)},
      authorization: { params: { scope: ${literal(openidScope(facts))} } },
      idToken: true,
      checks: ["pkce", "state"],
      profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture }),
    },
  ],
};`;
  return [{ id: "next-auth", title, about: `Version 4. ${registerHint("gatehouse")}`, code }];
}

const registerHint = (provider: string): string =>
  `Register https://your.site/api/auth/callback/${provider} as a redirect URI.`;

/**
 * Returns source code that signs users in with Auth.js. The framework packages of Auth.js export the same
 * providers.
 */
function authJs(facts: Facts): readonly Snippet[] {
  const { issuer, uid, application } = facts;
  const title = "Auth.js";
  if (application.scopes.includes(GITLAB_SCOPE)) {
    const code = `import GitLab from "@auth/core/providers/gitlab";
${IMPORT_ENV}
export const providers = [
  GitLab({
    clientId: ${literal(uid)},
    clientSecret: env.CLIENT_SECRET,
    baseUrl: ${literal(issuer)},
  }),
];`;
    return [{ id: "auth-js", title, about: `@auth/core. ${registerHint("gitlab")}`, code }];
  }
  if (!application.scopes.includes("openid")) return [];
  const code = `${IMPORT_ENV}
export const providers = [
  {
    id: "gatehouse",
    name: "Gatehouse",
    type: "oidc",
    clientId: ${literal(uid)},
    clientSecret: env.CLIENT_SECRET,
    issuer: ${literal(issuer)},
    authorization: { params: { scope: ${literal(openidScope(facts))} } },
  },
];`;
  return [{ id: "auth-js", title, about: `@auth/core. ${registerHint("gatehouse")}`, code }];
}

function simpleOauth2({ issuer, uid, redirectUri, scope, application }: Facts): Snippet {
  const pkce = mustUsePkce(application);
  const verifier = `const code_verifier = randomBytes(32).toString("base64url");
const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
`;
  const [challenge, proof] = pkce
    ? [`, code_challenge, code_challenge_method: "S256"`, ", code_verifier"]
    : ["", ""];
  const code = `import { ${pkce ? "createHash, randomBytes, " : ""}randomUUID } from "node:crypto";
${IMPORT_ENV}import { AuthorizationCode } from "simple-oauth2";

const client = new AuthorizationCode({
  client: { id: ${literal(uid)}, secret: env.CLIENT_SECRET },
  auth: {
    tokenHost: ${literal(issuer)},
    tokenPath: "/oauth/token",
    authorizePath: "/oauth/authorize",
    revokePath: "/oauth/revoke",
  },
});
const redirect_uri = ${literal(redirectUri)};
const state = randomUUID();
${pkce ? verifier : ""}const url = client.authorizeURL({ redirect_uri, scope: ${literal(scope)}, state${challenge} });
// Redirect the browser to url. When the browser returns with this state and a code, exchange the
// authorization code:
const { token } = await client.getToken({ code, redirect_uri${proof} });`;
  return { id: "simple-oauth2", title: "simple-oauth2", about: "Version 5.", code };
}

/** Returns the configuration of Git; empty for an application without a scope for repositories. */
function git({ issuer, uid, application }: Facts): readonly Snippet[] {
  const scopes = application.scopes.filter(
    (scope) => scope === "read_repository" || scope === "write_repository",
  );
  if (scopes.length === 0) return [];
  const set = (key: string, value: string) => `git config --global credential.${issuer}.${key} ${value}`;
  const code = [
    "git config --global --add credential.helper oauth",
    set("oauthClientId", uid),
    ...(application.confidential ? [set("oauthClientSecret", '"$CLIENT_SECRET"')] : []),
    set("oauthScopes", quoted(scopes.join(" "))),
    set("oauthAuthURL", "/oauth/authorize"),
    set("oauthTokenURL", "/oauth/token"),
    set("oauthDeviceAuthURL", "/oauth/authorize_device"),
  ].join("\n");
  const about =
    "Version 0.10 or newer. Register http://127.0.0.1 as a redirect URI. git-credential-oauth may use any port of 127.0.0.1.";
  return [{ id: "git", title: "Git credential helper (git-credential-oauth)", about, code }];
}

function device({ issuer, uid, scope, application }: Facts, on: boolean): readonly Snippet[] {
  if (!on) return [];
  const secret = application.confidential ? [`  --data-urlencode client_secret="$CLIENT_SECRET" \\`] : [];
  const code = [
    `# 1. Request a device code, and show user_code and verification_uri to the user:`,
    `curl ${quoted(`${issuer}/oauth/authorize_device`)} \\`,
    `  --data-urlencode client_id=${uid} \\`,
    ...secret,
    `  --data-urlencode scope=${quoted(scope)}`,
    `# 2. Repeat this command every <interval> seconds until the response contains tokens:`,
    `curl ${quoted(`${issuer}/oauth/token`)} \\`,
    `  --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:device_code \\`,
    `  --data-urlencode client_id=${uid} \\`,
    ...secret,
    `  --data-urlencode device_code="$DEVICE_CODE"`,
  ].join("\n");
  return [
    {
      id: "device",
      title: "Device, with curl",
      about: "Set the variable DEVICE_CODE to the device_code in the first response.",
      code,
    },
  ];
}
