import type { Page } from "@playwright/test";
import * as oauth from "oauth4webapi";
import { test as base, expect, type Registered } from "../fixtures.ts";
import type { Instance } from "../instance.ts";

export { expect, type Registered, register } from "../fixtures.ts";

export const test = base.extend<{ nothingReceived: undefined }>({
  // Discards the requests that earlier tests did not read, because all tests share the site of the client.
  nothingReceived: [
    async ({ clients }, use) => {
      clients.site.received();
      await use(undefined);
    },
    { auto: true },
  ],
});

export async function signIn(page: Page, instance: Instance): Promise<void> {
  await page.getByLabel("Username or e-mail").fill("root");
  await page.getByLabel("Password").fill(instance.rootPassword);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Posts the form of the sign-in page, and stores the session in the browser context of the page. */
export async function startSession(
  page: Page,
  baseUrl: string,
  login: string,
  password: string,
): Promise<void> {
  const response = await page.request.post(`${baseUrl}/users/session`, {
    form: { intent: "sign_in", login, password },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(303);
}

/** Opens a URL of the instance as the user `root`, and signs in if necessary. */
export async function open(page: Page, instance: Instance, url: string): Promise<void> {
  const cookies = await page.context().cookies(instance.baseUrl);
  if (!cookies.some(({ name }) => name.endsWith("gatehouse_session")))
    await startSession(page, instance.baseUrl, "root", instance.rootPassword);
  await page.goto(url);
  if (page.url().includes("/users/sign_in")) await signIn(page, instance);
}

/** Completes an authorization request as a user who allows the request. */
export async function allow(page: Page, instance: Instance, run: Run): Promise<void> {
  await open(page, instance, run.url);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveTitle("The client");
}

/** The server metadata with which a client is configured. */
export const serverOf = (instance: Instance): oauth.AuthorizationServer => ({
  issuer: instance.baseUrl,
  authorization_endpoint: `${instance.baseUrl}/oauth/authorize`,
  token_endpoint: `${instance.baseUrl}/oauth/token`,
});

/** One run of the authorization code flow by a client. */
export type Run = Readonly<{ url: string; state: string; verifier: string; challenge: string }>;

/** A new authorization request with state and PKCE. */
export async function newRun(
  instance: Instance,
  client: Registered,
  parameters: Readonly<Record<string, string>>,
): Promise<Run> {
  const verifier = oauth.generateRandomCodeVerifier();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const state = `${oauth.generateRandomState()} &+ü`;
  const url = new URL(`${instance.baseUrl}/oauth/authorize`);
  const all = {
    client_id: client.client_id,
    response_type: "code",
    scope: "read_user",
    state,
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return { url: url.href, state, verifier, challenge };
}

/** Returns the authorization request with the PKCE challenge of its code verifier added. */
export function withPkce(run: Run): Run {
  const url = new URL(run.url);
  url.searchParams.set("code_challenge", run.challenge);
  url.searchParams.set("code_challenge_method", "S256");
  return { ...run, url: url.href };
}

export const authenticationOf = (client: Registered): oauth.ClientAuth =>
  client.client_secret === undefined ? oauth.None() : oauth.ClientSecretBasic(client.client_secret);

/**
 * Exchanges the code of an authorization response with the client library.
 * @throws the OAuth errors that the library reports.
 */
export async function exchange(
  instance: Instance,
  client: Registered,
  callback: Readonly<{
    /** The authorization response: the redirect URI with the parameters in the query, or the posted form. */
    url: URL | URLSearchParams;
    state: string;
    redirectUri: string;
    verifier: string | typeof oauth.nopkce;
    /** The nonce that the ID token must contain. */
    nonce?: string;
    /**
     * The `max_age` of the authorization request, in seconds. The ID token must contain the time of the
     * authentication.
     */
    maxAge?: number;
  }>,
): Promise<oauth.TokenEndpointResponse> {
  const server = serverOf(instance);
  const { url, state, redirectUri, verifier, nonce, maxAge } = callback;
  const parameters = oauth.validateAuthResponse(server, client, url, state);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const authentication = authenticationOf(client);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    insecure,
  );
  const expected = {
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    ...(maxAge === undefined ? {} : { maxAge }),
  };
  return oauth.processAuthorizationCodeResponse(server, client, response, expected);
}

/** Calls the API with a token, by the client library. */
export async function callApi(instance: Instance, token: string): Promise<Response> {
  return oauth.protectedResourceRequest(
    token,
    "GET",
    new URL(`${instance.baseUrl}/api/v4/user`),
    undefined,
    undefined,
    { [oauth.allowInsecureRequests]: true },
  );
}
