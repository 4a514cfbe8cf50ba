import { join } from "node:path";
import { newPassword, startInstance } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort, startProgram, untilItAnswers } from "../scripts/program.mjs";
import { basic } from "./rows.mjs";

/** Nobody listens there: the code is read from the redirect itself. */
const REDIRECT_URI = "http://127.0.0.1:9/callback";

/**
 * Our server, as `npm start` runs it, with an access token that it issued through the authorization code flow.
 * @param {string} folder
 * @param {(undo: () => unknown) => void} later
 * @returns {Promise<import("./rows.mjs").Side>}
 */
export async function startOurs(folder, later) {
  const instance = await startInstance({ port: await freePort(), folder, later });
  const { baseUrl, rootPassword } = instance;
  const { client_id: clientId, client_secret: clientSecret } = await instance.command(
    "application",
    "create",
    "--name=Benchmark",
    `--redirect-uri=${REDIRECT_URI}`,
    "--scopes=read_user",
    "--owner=root",
  );
  const cookie = await signIn(baseUrl, "root", rootPassword);
  const code = await allow(baseUrl, cookie, clientId);
  const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
  const accessToken = await tokenFor(`${baseUrl}/oauth/token`, form, clientId, clientSecret);
  return { baseUrl, clientId, clientSecret, accessToken };
}

/**
 * The peer, with an access token of the client credentials grant.
 * @param {string} folder
 * @param {(undo: () => unknown) => void} later
 * @returns {Promise<import("./rows.mjs").Side>}
 */
export async function startPeer(folder, later) {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const [clientId, clientSecret] = ["benchmark", newPassword()];
  const program = startProgram(["bench/oidc-provider.mjs"], {
    env: {
      NODE_ENV: "production",
      DEBUG: undefined,
      ISSUER: baseUrl,
      PORT: String(port),
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    },
    logFile: join(folder, "peer.log"),
  });
  later(program.stop);
  await untilItAnswers(`${baseUrl}/.well-known/openid-configuration`, program);
  const accessToken = await tokenFor(
    `${baseUrl}/token`,
    { grant_type: "client_credentials" },
    clientId,
    clientSecret,
  );
  return { baseUrl, clientId, clientSecret, accessToken };
}

/** What a browser does with the sign-in form. @returns the session cookie. */
async function signIn(baseUrl, login, password) {
  const answer = await post(`${baseUrl}/users/session`, { intent: "sign_in", login, password }, baseUrl);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  if (answer.status !== 303 || cookies.length === 0) throw unexpected("The sign-in", answer);
  return cookies.join("; ");
}

/** What a browser does with the approval screen. @returns the authorization code. */
async function allow(baseUrl, cookie, clientId) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "read_user",
    state: "bench",
  });
  const page = await fetch(`${baseUrl}/oauth/authorize?${query}`, { headers: { cookie } });
  if (page.status !== 200) throw unexpected("The approval screen", page);
  const fields = hiddenFields(await page.text());
  const answer = await post(`${baseUrl}/oauth/authorize`, { ...fields, decision: "allow" }, baseUrl, cookie);
  const code = new URL(answer.headers.get("location") ?? baseUrl).searchParams.get("code");
  if (code === null) throw unexpected("The approval", answer);
  return code;
}

/** The names and values of the hidden fields of a page. */
function hiddenFields(html) {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name, value.replaceAll("&amp;", "&")]));
}

const post = (url, form, origin, cookie = "") =>
  fetch(url, {
    method: "POST",
    headers: { origin, cookie },
    body: new URLSearchParams(form),
    redirect: "manual",
  });

async function tokenFor(url, form, clientId, clientSecret) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: basic(clientId, clientSecret) },
    body: new URLSearchParams(form),
  });
  if (answer.status !== 200) throw unexpected("The token request", answer);
  return (await answer.json()).access_token;
}

const unexpected = (what, { status, url }) => new StepFailed(`${what} was answered ${status} by ${url}.`);
