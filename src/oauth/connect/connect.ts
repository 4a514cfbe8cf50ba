/** The configuration of a client: the URL of this instance and the ID of a registered application. */
export type Connection = Readonly<{ issuer: string; clientId: string }>;

type Snippet = Readonly<{ label: string; code: string }>;

const lines = (...text: readonly string[]): string => text.join("\n");

/** Returns the commands that set up git-credential-oauth on a computer with a browser. */
const gitCredentialOauth = ({ issuer, clientId }: Connection): string =>
  lines(
    "git config --global --unset-all credential.helper",
    'git config --global --add credential.helper "cache --timeout 7200"',
    "git config --global --add credential.helper oauth",
    `git config --global credential.${issuer}.oauthClientId ${clientId}`,
    `git config --global credential.${issuer}.oauthScopes "read_repository write_repository"`,
    `git config --global credential.${issuer}.oauthAuthURL /oauth/authorize`,
    `git config --global credential.${issuer}.oauthTokenURL /oauth/token`,
    `git config --global credential.${issuer}.oauthDeviceAuthURL /oauth/authorize_device`,
  );

/** Returns the commands that set up git-credential-oauth on a computer without a browser (RFC 8628). */
const gitCredentialOauthDevice = (): string =>
  lines(
    "git config --global --unset-all credential.helper",
    'git config --global --add credential.helper "cache --timeout 7200"',
    'git config --global --add credential.helper "oauth -device"',
  );

const gitCredentialManager = ({ issuer, clientId }: Connection): string =>
  lines(
    `git config --global credential.${issuer}.provider generic`,
    `git config --global credential.${issuer}.oauthClientId ${clientId}`,
    `git config --global credential.${issuer}.oauthRedirectUri http://127.0.0.1/`,
    `git config --global credential.${issuer}.oauthScopes "read_repository write_repository"`,
    `git config --global credential.${issuer}.oauthAuthorizeEndpoint /oauth/authorize`,
    `git config --global credential.${issuer}.oauthTokenEndpoint /oauth/token`,
    `git config --global credential.${issuer}.oauthDeviceEndpoint /oauth/authorize_device`,
    `git config --global credential.${issuer}.oauthDefaultUserName oauth2`,
  );

const deviceFlow = ({ issuer, clientId }: Connection): string =>
  lines(
    "# 1. Request a device code, and open the verification_uri of the response in a browser.",
    `curl -d client_id=${clientId} -d scope=read_user ${issuer}/oauth/authorize_device`,
    "# 2. Set DEVICE_CODE to the device_code of the response, and wait <interval> seconds before you repeat this command.",
    `curl -d client_id=${clientId} -d device_code="$DEVICE_CODE" \\`,
    "  -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\",
    `  ${issuer}/oauth/token`,
  );

const callTheApi = ({ issuer }: Connection): string =>
  `curl -H "Authorization: Bearer $TOKEN" ${issuer}/api/v4/user`;

const openidClient = ({ issuer, clientId }: Connection): string =>
  lines(
    'import { env } from "node:process";',
    'import * as client from "openid-client";',
    "",
    "const config = await client.discovery(",
    `  new URL("${issuer}"),`,
    `  "${clientId}",`,
    "  env.CLIENT_SECRET,",
    // openid-client refuses http without the option allowInsecureRequests.
    ...(issuer.startsWith("http:") ? ["  undefined,", "  { execute: [client.allowInsecureRequests] },"] : []),
    ");",
  );

const nextAuth = ({ issuer, clientId }: Connection): string =>
  lines(
    'import { env } from "node:process";',
    'import GitLabProvider from "next-auth/providers/gitlab";',
    "",
    "export const authOptions = {",
    "  providers: [",
    "    GitLabProvider({",
    `      clientId: "${clientId}",`,
    "      clientSecret: env.CLIENT_SECRET,",
    `      issuer: "${issuer}",`,
    `      authorization: { url: "${issuer}/oauth/authorize", params: { scope: "read_user" } },`,
    `      token: "${issuer}/oauth/token",`,
    `      userinfo: "${issuer}/api/v4/user",`,
    "    }),",
    "  ],",
    "};",
  );

const authJs = ({ issuer, clientId }: Connection): string =>
  lines(
    'import { env } from "node:process";',
    'import GitLab from "@auth/core/providers/gitlab";',
    "",
    "export const providers = [",
    "  GitLab({",
    `    clientId: "${clientId}",`,
    "    clientSecret: env.CLIENT_SECRET,",
    `    baseUrl: "${issuer}",`,
    "  }),",
    "];",
  );

/** Returns the guide for connecting clients: groups of clients, with code snippets for each group. */
export const connectGuide = (
  to: Connection,
): readonly Readonly<{ id: string; title: string; about: string; snippets: readonly Snippet[] }>[] => [
  {
    id: "section-git",
    title: "Git credential helpers",
    about:
      "Register a public application with the redirect URIs http://127.0.0.1 and http://127.0.0.1/ and the scopes read_repository and write_repository. Git then requests access in your browser and needs no password. git-credential-oauth must be version 0.10 or newer. Older versions send a PKCE verifier that RFC 7636 does not allow.",
    snippets: [
      { label: "git-credential-oauth, version 0.10 or newer", code: gitCredentialOauth(to) },
      {
        label: "git-credential-oauth on a computer without a browser",
        code: gitCredentialOauthDevice(),
      },
      { label: "Git Credential Manager", code: gitCredentialManager(to) },
    ],
  },
  {
    id: "section-devices",
    title: "Command lines and devices",
    about: "A device without a browser shows a short code, which you enter in a browser on another device.",
    snippets: [
      { label: "Device authorization with curl", code: deviceFlow(to) },
      { label: "Call the API with an access token", code: callTheApi(to) },
    ],
  },
  {
    id: "section-libraries",
    title: "Libraries",
    about:
      "OpenID Connect libraries discover every endpoint. The GitLab providers of next-auth and Auth.js also work, with the scope read_user and the redirect URI https://your.site/api/auth/callback/gitlab. Set CLIENT_SECRET to a secret of your application.",
    snippets: [
      { label: "openid-client", code: openidClient(to) },
      { label: "next-auth 4, with its GitLab provider", code: nextAuth(to) },
      { label: "Auth.js (@auth/core), with its GitLab provider", code: authJs(to) },
    ],
  },
];
