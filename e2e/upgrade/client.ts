import { createHash, randomBytes } from "node:crypto";
import { hiddenFields } from "../../scripts/hidden-fields.mjs";
import {
  authorize,
  type Confidential,
  consent,
  type Pair,
  REDIRECT_URI,
  requestTokens,
  type Target,
  urlOf,
} from "../outages/client.ts";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const formOf = (form: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  redirect: "manual",
  body: new URLSearchParams(form),
});

/** A PKCE code verifier, with the code challenge of the verifier. */
export function newChallenge(): Readonly<{ verifier: string; parameters: Readonly<Record<string, string>> }> {
  const verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, parameters: { code_challenge, code_challenge_method: "S256" } };
}

/** Sends an authorization request to `first`. If the user has to consent, sends the consent to `second`. */
export async function codeFrom(
  [first, second]: readonly [Target, Target],
  clientId: string,
  cookie: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, fields } = await authorize(first, clientId, cookie, more);
  if (code !== null) return code;
  if (fields === null) throw new Error("There is neither a code nor a consent page.");
  return consent(second, fields, cookie);
}

export const exchangeWithVerifier = (
  target: Target,
  client: Confidential,
  code: string,
  code_verifier: string,
): Promise<Pair> =>
  requestTokens(target, {
    ...{ grant_type: "authorization_code", redirect_uri: REDIRECT_URI },
    ...{ code, code_verifier, ...client },
  });

export const refresh = (target: Target, client: Confidential, refresh_token: string): Promise<Pair> =>
  requestTokens(target, { grant_type: "refresh_token", refresh_token, ...client });

/** Returns the status of an API request with the token. */
export async function apiStatus(target: Target, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(urlOf(target, "/api/v4/user"), { headers });
  await response.arrayBuffer();
  return response.status;
}

export async function introspect(
  target: Target,
  client: Confidential,
  token: string,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(urlOf(target, "/oauth/introspect"), formOf({ token, ...client }));
  return response.json();
}

export async function revoke(target: Target, client: Confidential, token: string): Promise<void> {
  const { status } = await fetch(urlOf(target, "/oauth/revoke"), formOf({ token, ...client }));
  if (status !== 200) throw new Error(`The revocation returned ${status}.`);
}

/** Returns whether the session is valid: an authorization request without a session is redirected to the sign-in page. */
export async function isSignedIn(target: Target, cookie: string): Promise<boolean> {
  const response = await fetch(urlOf(target, "/oauth/device"), { headers: { cookie }, redirect: "manual" });
  await response.arrayBuffer();
  return response.status === 200;
}

export async function signOut(target: Target, cookie: string): Promise<void> {
  const page = await fetch(urlOf(target, "/oauth/end_session"), { headers: { cookie } });
  const response = await fetch(urlOf(target, "/oauth/end_session"), {
    ...formOf(hiddenFields(await page.text())),
    headers: { cookie, origin: target.baseUrl },
  });
  if (response.status >= 400) throw new Error(`The sign-out returned ${response.status}.`);
}

type DeviceCodes = Readonly<{ device_code: string; user_code: string }>;

export async function requestDevice(target: Target, client: Confidential): Promise<DeviceCodes> {
  const response = await fetch(
    urlOf(target, "/oauth/authorize_device"),
    formOf({ scope: "read_user", ...client }),
  );
  if (response.status !== 200) throw new Error(`The device request returned ${response.status}.`);
  return response.json();
}

/** Enters the user code on the device page of `first`, and allows the request on `second`. */
export async function approveDevice(
  [first, second]: readonly [Target, Target],
  user_code: string,
  cookie: string,
): Promise<void> {
  const headers = { cookie, origin: first.baseUrl };
  const entry = await fetch(urlOf(first, "/oauth/device"), { headers });
  const card = await fetch(urlOf(first, "/oauth/device"), {
    ...formOf({ ...hiddenFields(await entry.text()), user_code }),
    headers,
  });
  const decision = { ...hiddenFields(await card.text()), decision: "allow" };
  const response = await fetch(urlOf(second, "/oauth/device/decision"), { ...formOf(decision), headers });
  if (response.status !== 200) throw new Error(`The decision returned ${response.status}.`);
}

export const pollDevice = (target: Target, client: Confidential, device_code: string): Promise<Pair> =>
  requestTokens(target, { grant_type: DEVICE_GRANT, device_code, ...client });

/**
 * Sends a request with a JSON body to the API.
 * @returns the body of the response.
 * @throws an Error with the status of the response.
 */
export async function callApi<Body>(
  target: Target,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const response = await fetch(urlOf(target, `/api/v4/${path}`), {
    method,
    headers: { "private-token": token, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return (text === "" ? null : JSON.parse(text)) as Body;
}
