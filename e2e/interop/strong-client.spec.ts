import type { Page } from "@playwright/test";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { open } from "../oauth/fixtures.ts";
import { callbackOf, expect, test } from "./fixtures.ts";

/**
 * Registers a confidential application that authenticates with a private key, and that requires pushed
 * authorization requests and DPoP-bound tokens.
 * @returns the Application ID.
 */
async function registerStrong(page: Page, instance: Instance, redirectUri: string, jwk: JsonWebKey) {
  await open(page, instance, `${instance.baseUrl}/user_settings/applications/new`);
  await page.getByLabel("Name", { exact: true }).fill("Strong client");
  await page.getByLabel("Redirect URIs").fill(redirectUri);
  await page.getByLabel("Yes, on a server").check();
  await page.locator("summary", { hasText: "Advanced" }).click();
  await page.getByLabel("With its own private key").check();
  await page.getByLabel("Public keys", { exact: true }).fill(JSON.stringify({ keys: [jwk] }));
  for (const scope of ["openid", "email", "read_user"])
    await page.getByRole("checkbox", { name: scope, exact: true }).check();
  await page.getByLabel("Require pushed authorization requests").check();
  await page.getByLabel("Require tokens that are bound to a key (DPoP)").check();
  await page.getByRole("checkbox", { name: "Act with read_user", exact: true }).check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.getByText("Signs assertions with its own private key")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Secrets" })).toHaveCount(0);
  return page.getByLabel("Application ID", { exact: true }).inputValue();
}

/** Requests a token with the client credentials grant, which involves no user. */
async function machineToken(instance: Instance, id: string, privateKey: CryptoKey) {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(instance.baseUrl);
  const discovered = await oauth.discoveryRequest(issuer, insecure);
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  expect(server.grant_types_supported).toContain("client_credentials");
  const application: oauth.Client = { client_id: id };
  const DPoP = oauth.DPoP(application, await oauth.generateKeyPair("ES256"));
  const request = () =>
    oauth.clientCredentialsGrantRequest(
      server,
      application,
      oauth.PrivateKeyJwt(privateKey),
      new URLSearchParams(),
      { DPoP, ...insecure },
    );
  const process = async () => oauth.processClientCredentialsResponse(server, application, await request());
  return process().catch((cause) => {
    // The response to the first request contains the nonce for the DPoP proofs.
    if (!oauth.isDPoPNonceError(cause)) throw cause;
    return process();
  });
}

test(
  conformance(
    "CC-01",
    "CC-06",
    "CA-01",
    "PR-01",
    "DP-01",
    "DP-02",
    "DP-04",
    "openid-client signs a user in with private_key_jwt, a pushed authorization request and DPoP, and refreshes the DPoP-bound token",
  ),
  async ({ page, instance, applications: { site } }) => {
    const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
    const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
    const id = await registerStrong(page, instance, site.redirectUri, jwk);
    const configuration = await client.discovery(
      new URL(instance.baseUrl),
      id,
      undefined,
      client.PrivateKeyJwt(keys.privateKey),
      { execute: [client.allowInsecureRequests] },
    );
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair());
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const url = await client.buildAuthorizationUrlWithPAR(
      configuration,
      {
        redirect_uri: site.redirectUri,
        scope: "openid email read_user",
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      },
      { DPoP },
    );
    expect([...url.searchParams.keys()].toSorted()).toEqual(["client_id", "request_uri"]);
    // The sign-in form must be able to redirect to the client, even though the URL does not contain the
    // redirect URI of the client.
    await page.context().clearCookies();
    const callback = await callbackOf(page, instance, site, url.href);
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(configuration, callback, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe("dpop");
    const user = await client.fetchUserInfo(configuration, tokens.access_token, "1", { DPoP });
    expect(user.email).toContain("@");
    const api = new URL(`${instance.baseUrl}/api/v4/user`);
    const fetchUser = (token: string) =>
      client.fetchProtectedResource(configuration, token, api, "GET", undefined, undefined, { DPoP });
    expect((await fetchUser(tokens.access_token)).status).toBe(200);
    const bearer = await fetch(api, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(bearer.status).toBe(401);
    expect(bearer.headers.get("www-authenticate")).toContain("DPoP algs=");
    const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "", undefined, {
      DPoP,
    });
    expect((await fetchUser(refreshed.access_token)).status).toBe(200);
    const introspected = await client.tokenIntrospection(configuration, refreshed.access_token);
    expect(introspected).toMatchObject({ active: true, cnf: { jkt: expect.any(String) } });

    const machine = await client.clientCredentialsGrant(configuration, { scope: "read_user" }, { DPoP });
    expect(machine.refresh_token).toBeUndefined();
    const bot = await (await fetchUser(machine.access_token)).json();
    expect(bot).toMatchObject({ bot: true, name: "Strong client" });
    await open(page, instance, `${instance.baseUrl}/user_settings/applications`);
    await page.getByRole("link", { name: "Strong client" }).click();
    await expect(page.getByText(`@${bot.username}`)).toBeVisible();

    const second = await machineToken(instance, id, keys.privateKey);
    expect(second).toMatchObject({ token_type: "dpop", scope: "read_user" });
  },
);
