import { OUT_OF_BAND } from "./redirect-uri";
import type { Application } from "./rules";

/** Lines to paste into a common client. Never with a secret: that is a place to fill in. */
export type Snippet = Readonly<{ id: string; title: string; about: string; code: string }>;

type Facts = Readonly<{
  issuer: string;
  uid: string;
  redirectUri: string;
  scope: string;
  application: Application;
}>;

/**
 * What the developer of an application can paste, with its real addresses and its Application ID.
 * @param deviceGrant whether devices can be connected on this server.
 */
export function snippetsFor(
  issuer: string,
  application: Application,
  deviceGrant: boolean,
): readonly Snippet[] {
  const redirectUri = application.redirectUris.find((uri) => uri !== OUT_OF_BAND) ?? OUT_OF_BAND;
  const { uid, scopes } = application;
  const facts: Facts = { issuer, uid, redirectUri, scope: scopes.join(" "), application };
  return application.confidential
    ? [
        curl(facts),
        openidClient(facts),
        nextAuth(facts),
        simpleOauth2(facts),
        passport(facts),
        ...device(facts, deviceGrant),
      ]
    : [curl(facts), openidClient(facts), ...git(facts), ...device(facts, deviceGrant)];
}

const authorizeUrl = ({ issuer, uid, redirectUri, scope }: Facts): string =>
  `${issuer}/oauth/authorize?${[
    `client_id=${uid}`,
    `redirect_uri=${encodeURIComponent(redirectUri)}`,
    "response_type=code",
    `scope=${encodeURIComponent(scope)}`,
  ].join("&")}`;

/** Where the secret is looked up: never in the lines themselves. */
const IMPORT_ENV = `import { env } from "node:process";
`;

/** In single quotes, as a shell takes it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** As a string of JavaScript. */
const literal = (text: string): string => JSON.stringify(text);

function curl(facts: Facts): Snippet {
  const { issuer, uid, redirectUri, application } = facts;
  const url = authorizeUrl(facts);
  const proof = application.confidential
    ? `  --data-urlencode client_secret="$CLIENT_SECRET"`
    : `  --data-urlencode code_verifier="$CODE_VERIFIER"`;
  const begin = application.confidential
    ? [`# 1. Open this in a browser, and take the code from the address you return to:`, `#    ${url}`]
    : [
        `# 1. Make a verifier and its challenge, open the address that is printed in a browser,`,
        `#    and take the code from the address you return to:`,
        `CODE_VERIFIER=$(openssl rand -hex 32)`,
        `CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')`,
        `echo ${quoted(`${url}&code_challenge_method=S256&code_challenge=`)}"$CODE_CHALLENGE"`,
      ];
  const code = [
    ...begin,
    `# 2. Exchange it:`,
    `curl ${quoted(`${issuer}/oauth/token`)} \\`,
    `  --data-urlencode grant_type=authorization_code \\`,
    `  --data-urlencode client_id=${uid} \\`,
    `${proof} \\`,
    `  --data-urlencode redirect_uri=${quoted(redirectUri)} \\`,
    `  --data-urlencode code="$CODE"`,
  ].join("\n");
  const about = application.confidential
    ? "Set CLIENT_SECRET and CODE first."
    : "Set CODE before the second step.";
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
const address = client.buildAuthorizationUrl(config, {
  redirect_uri: ${literal(redirectUri)},
  scope: ${literal(scope)},
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: "S256",
  state,
});
// Send the browser to address; when it comes back at currentUrl:
const tokens = await client.authorizationCodeGrant(config, currentUrl, {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
});`;
  return { id: "openid-client", title: "openid-client (Node.js)", about: "Version 6.", code };
}

function nextAuth({ issuer, uid, scope }: Facts): Snippet {
  const code = `import GitLabProvider from "next-auth/providers/gitlab";
${IMPORT_ENV}
GitLabProvider({
  clientId: ${literal(uid)},
  clientSecret: env.CLIENT_SECRET,
  issuer: ${literal(issuer)},
  authorization: {
    url: ${literal(`${issuer}/oauth/authorize`)},
    params: { scope: ${literal(scope)} },
  },
  token: ${literal(`${issuer}/oauth/token`)},
  userinfo: ${literal(`${issuer}/api/v4/user`)},
});`;
  const about =
    "Register https://your.site/api/auth/callback/gitlab as a redirect URI. It needs the scope read_user.";
  return { id: "next-auth", title: "next-auth (GitLab provider)", about, code };
}

function simpleOauth2({ issuer, uid, redirectUri, scope }: Facts): Snippet {
  const code = `import { AuthorizationCode } from "simple-oauth2";
${IMPORT_ENV}
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
const address = client.authorizeURL({ redirect_uri, scope: ${literal(scope)}, state });
// Send the browser to address; when it comes back with code:
const { token } = await client.getToken({ code, redirect_uri });`;
  return { id: "simple-oauth2", title: "simple-oauth2", about: "Version 5.", code };
}

function passport({ issuer, uid, redirectUri, scope }: Facts): Snippet {
  const code = `import OAuth2Strategy from "passport-oauth2";
${IMPORT_ENV}
passport.use(
  new OAuth2Strategy(
    {
      authorizationURL: ${literal(`${issuer}/oauth/authorize`)},
      tokenURL: ${literal(`${issuer}/oauth/token`)},
      clientID: ${literal(uid)},
      clientSecret: env.CLIENT_SECRET,
      callbackURL: ${literal(redirectUri)},
      scope: ${literal(scope)},
      state: true,
      pkce: true,
    },
    (accessToken, refreshToken, profile, done) => done(null, { accessToken, refreshToken }),
  ),
);`;
  return {
    id: "passport",
    title: "Passport (passport-oauth2)",
    about: "Needs a session for state and PKCE.",
    code,
  };
}

/** Only an application that may touch repositories is of use to Git. */
function git({ issuer, uid, application }: Facts): readonly Snippet[] {
  const scopes = application.scopes.filter(
    (scope) => scope === "read_repository" || scope === "write_repository",
  );
  if (scopes.length === 0) return [];
  const set = (key: string, value: string) => `git config --global credential.${issuer}.${key} ${value}`;
  const code = [
    "git config --global --add credential.helper oauth",
    set("oauthClientId", uid),
    set("oauthScopes", quoted(scopes.join(" "))),
    set("oauthAuthURL", "/oauth/authorize"),
    set("oauthTokenURL", "/oauth/token"),
    set("oauthDeviceAuthURL", "/oauth/authorize_device"),
  ].join("\n");
  const about = "Register http://127.0.0.1 as a redirect URI: that is where it listens, on any port.";
  return [{ id: "git", title: "git-credential-oauth", about, code }];
}

function device({ issuer, uid, scope, application }: Facts, on: boolean): readonly Snippet[] {
  if (!on) return [];
  const secret = application.confidential ? [`  --data-urlencode client_secret="$CLIENT_SECRET" \\`] : [];
  const code = [
    `# 1. Ask for a code, and show the person user_code and verification_uri:`,
    `curl ${quoted(`${issuer}/oauth/authorize_device`)} \\`,
    `  --data-urlencode client_id=${uid} \\`,
    ...secret,
    `  --data-urlencode scope=${quoted(scope)}`,
    `# 2. Repeat this every interval seconds until tokens come:`,
    `curl ${quoted(`${issuer}/oauth/token`)} \\`,
    `  --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:device_code \\`,
    `  --data-urlencode client_id=${uid} \\`,
    ...secret,
    `  --data-urlencode device_code="$DEVICE_CODE"`,
  ].join("\n");
  return [
    { id: "device", title: "Device, with curl", about: "Set DEVICE_CODE from the first answer.", code },
  ];
}
