import { POST as postAuthorizeDevice } from "@app/oauth/authorize_device/route.ts";
import { GET as getDevice, POST as postDevice } from "@app/oauth/device/route.ts";
import { GET as getEndSession } from "@app/oauth/end_session/route.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import {
  authorizationQuery,
  basicOf,
  CHALLENGE,
  type Client,
  codeFor,
  csrfTokenFor,
  encoded,
  exchangeOf,
  formPost,
  ORIGIN,
  PASSWORD,
  REDIRECT_URI,
  requestToken,
  type SignedInUser,
  signedInCookie,
  VERIFIER,
} from "../authorization.ts";
import type { LiveValues } from "./send.ts";

/** A user and two applications with all scopes that the valid requests contain. */
export type Parties = Readonly<{ user: SignedInUser; confidential: Client; publicClient: Client }>;

/** Creates a valid value for each name in braces that the fuzzed requests contain. */
export async function liveValues(deps: Deps, parties: Parties): Promise<LiveValues> {
  const { confidential, publicClient } = parties;
  const user = { ...parties.user, cookie: await signedInCookie(parties.user.user.username) };
  const query = authorizationQuery(confidential, { scope: "openid read_user" });
  const { body } = await requestToken(exchangeOf(confidential, await codeFor(deps, user, query)));
  const leavingCookie = await signedInCookie(user.user.username);
  return {
    ...(await deviceValues(publicClient, user.cookie)),
    leaving_cookie: leavingCookie,
    leaving_form_token: await hidden(getEndSession(visit("/oauth/end_session", leavingCookie)), "form_token"),
    access_token: String(body["access_token"]),
    refresh_token: String(body["refresh_token"]),
    id_token: String(body["id_token"]),
    code: await codeFor(deps, user, query),
    public_code: await codeFor(deps, user, authorizationQuery(publicClient)),
    client_id: confidential.id,
    client_secret: confidential.secret ?? "",
    public_id: publicClient.id,
    basic: basicOf(confidential.id, confidential.secret).slice("Basic ".length),
    cookie: user.cookie,
    // The CSRF token of the consent form in the valid POST request to the authorization endpoint.
    form_token: await csrfTokenFor(deps, user, authorizationQuery(confidential, { state: "xyz" })),
    redirect_uri: REDIRECT_URI,
    password: PASSWORD,
    verifier: VERIFIER,
    challenge: CHALLENGE,
  };
}

/**
 * Starts two device authorizations: one that a device polls, and one whose user code the user has entered.
 */
async function deviceValues(client: Client, cookie: string): Promise<LiveValues> {
  const polling = await newDevice(client);
  const entering = await newDevice(client);
  const deviceCsrfToken = await hidden(getDevice(visit("/oauth/device", cookie)), "form_token");
  const entered = encoded({ user_code: entering.user_code, form_token: deviceCsrfToken });
  const page = await (await postDevice(formPost("/oauth/device", entered, { cookie }))).text();
  return {
    ...polling,
    device_form_token: deviceCsrfToken,
    decision_request: fieldOf(page, "request"),
    decision_code: fieldOf(page, "user_code"),
    decision_form_token: fieldOf(page, "form_token"),
  };
}

async function newDevice(client: Client): Promise<{ device_code: string; user_code: string }> {
  const form = encoded({ client_id: client.id, scope: "openid" });
  const codes = await (await postAuthorizeDevice(formPost("/oauth/authorize_device", form))).json();
  return { device_code: String(codes.device_code), user_code: String(codes.user_code) };
}

const visit = (path: string, cookie: string): Request => new Request(ORIGIN + path, { headers: { cookie } });

const hidden = async (page: Promise<Response>, name: string): Promise<string> =>
  fieldOf(await (await page).text(), name);

/** Returns the value of a hidden field. */
function fieldOf(html: string, name: string): string {
  const field = new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1];
  if (field === undefined) throw new Error(`The page has no field ${name}: ${html}`);
  return field;
}
