import { join } from "node:path";
import { newPassword } from "../scripts/instance.mjs";
import { freePort, startProgram, untilItAnswers } from "../scripts/program.mjs";
import { authorizationQuery, openBrowser, REDIRECT_URI } from "./browser.mjs";
import { newClient, several } from "./client.mjs";
import { boundTokens, newPrivateJwk, publicPart } from "./credentials.mjs";
import { CODES } from "./gatehouse.mjs";
import { CONNECTIONS } from "./rows.mjs";

/** The form fields of the sign-in page and the consent page of oidc-provider, which accepts any username. */
const SIGN_IN = { prompt: "login", login: "root", password: "any" };
const CONSENT = { prompt: "consent" };

/**
 * Starts oidc-provider. The access token that the benchmark validates comes from the client credentials
 * grant. An access token of this grant is the cheapest to validate, because it has neither a user nor a
 * stored grant. The refresh tokens of the benchmark come from the authorization code flow.
 * @param {string} folder
 * @param {import("../scripts/temporarily.mjs").Later} later
 */
export async function startPeer(folder, later) {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const facts = {
    baseUrl,
    clientId: "benchmark",
    clientSecret: newPassword(),
    publicClientId: "benchmark-device",
    assertingClientId: "benchmark-signed",
    privateJwk: newPrivateJwk(),
  };
  const program = startProgram(["bench/oidc-provider.mjs"], {
    env: {
      NODE_ENV: "production",
      DEBUG: undefined,
      ISSUER: baseUrl,
      PORT: String(port),
      CLIENT_ID: facts.clientId,
      CLIENT_SECRET: facts.clientSecret,
      PUBLIC_CLIENT_ID: facts.publicClientId,
      ASSERTING_CLIENT_ID: facts.assertingClientId,
      PUBLIC_JWK: JSON.stringify(publicPart(facts.privateJwk)),
      REDIRECT_URI,
    },
    logFile: join(folder, "peer.log"),
  });
  later(program.stop);
  await untilItAnswers(`${baseUrl}/.well-known/openid-configuration`, program);
  const client = newClient(facts, { token: "/token", deviceAuthorization: "/device/auth" });
  const browser = openBrowser(baseUrl);
  const authorizeUrl = `${baseUrl}/auth?${authorizationQuery(facts.clientId)}`;
  await browser.authorize(authorizeUrl, [SIGN_IN, CONSENT]);
  const code = () => browser.authorize(authorizeUrl);
  // The benchmark row that reads user data calls an endpoint that requires the scope openid. The user
  // consents to the scope openid in the first authorization request.
  const openIdUrl = authorizeUrl.replace("scope=read_user", "scope=openid");
  const openIdCode = () => browser.authorize(openIdUrl, [CONSENT]);
  const tokens = async () => client.exchange(await code());
  const { access_token: accessToken } = await client.token({ grant_type: "client_credentials" });
  return {
    pid: program.pid,
    facts,
    sources: {
      codes: () => several(CODES, code),
      noTokens: async () => [""],
      boundTokens: boundTokens(facts, "/token", openIdCode),
      accessTokens: async () => [accessToken],
      refreshTokens: async () =>
        (await several(CONNECTIONS, tokens)).map((response) => response.refresh_token),
      deviceCodes: () => several(CONNECTIONS, client.deviceCode),
    },
  };
}
