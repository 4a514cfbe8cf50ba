import type { Page } from "@playwright/test";
import * as client from "openid-client";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import type { ClientSite } from "../oauth/client-site.ts";
import { open, type Registered } from "../oauth/fixtures.ts";
import { callbackOf, expect, offerDeviceGrant, statusOf, test } from "./fixtures.ts";

/** Returns a client that has read the discovery document and verifies ID tokens with the published keys. */
async function discover(instance: Instance, application: Registered): Promise<client.Configuration> {
  const { client_id, client_secret } = application;
  const configuration = await client.discovery(
    new URL(instance.baseUrl),
    client_id,
    undefined,
    client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret),
    { execute: [client.allowInsecureRequests] },
  );
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

type Granted = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** Returns the token response of an authorization code flow with PKCE, state and nonce. */
async function granted(
  page: Page,
  instance: Instance,
  site: ClientSite,
  configuration: client.Configuration,
  scope: string,
): Promise<Granted> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: site.redirectUri,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const callback = await callbackOf(page, instance, site, url.href);
  return client.authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: true,
  });
}

test(
  conformance(
    "DC-01",
    "DC-03",
    "PK-02",
    "ID-03",
    "UI-01",
    "openid-client reads the discovery document, signs a user in with the authorization code flow, PKCE and a nonce, and verifies the ID token",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    const configuration = await discover(instance, confidential);
    const tokens = await granted(page, instance, site, configuration, "openid profile email");
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("There is no ID token.");
    expect(claims).toMatchObject({ iss: instance.baseUrl, aud: confidential.client_id, sub: "1" });
    const user = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    expect(user).toMatchObject({ sub: "1", preferred_username: "root" });
    expect(user.email).toContain("@");
  },
);

test(
  conformance(
    "RT-01",
    "RT-03",
    "IN-01",
    "IN-03",
    "RV-01",
    "US-08",
    "openid-client refreshes, introspects and revokes its tokens",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    const configuration = await discover(instance, confidential);
    const first = await granted(page, instance, site, configuration, "openid read_user");
    const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? "");
    expect(second.claims()?.sub).toBe("1");
    expect(second.access_token).not.toBe(first.access_token);
    expect(await client.tokenIntrospection(configuration, first.access_token)).toEqual({ active: false });
    expect(await client.tokenIntrospection(configuration, second.access_token)).toMatchObject({
      active: true,
      client_id: confidential.client_id,
      username: "root",
      scope: "openid read_user",
    });
    await client.tokenRevocation(configuration, second.access_token);
    expect(await client.tokenIntrospection(configuration, second.access_token)).toEqual({ active: false });
    expect(await statusOf(instance, second.access_token)).toBe(401);
    await expect(client.refreshTokenGrant(configuration, second.refresh_token ?? "")).rejects.toMatchObject({
      name: "ResponseBodyError",
      status: 400,
      error: "invalid_grant",
    });
  },
);

test(
  conformance(
    "PK-01",
    "RT-02",
    "RV-02",
    "RV-07",
    "openid-client as a public application without a client secret exchanges an authorization code, and refreshes and revokes tokens",
  ),
  async ({ page, instance, applications: { site, publicClient } }) => {
    const configuration = await discover(instance, publicClient);
    const first = await granted(page, instance, site, configuration, "openid read_user");
    const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? "");
    expect(await statusOf(instance, second.access_token)).toBe(200);
    await client.tokenRevocation(configuration, second.refresh_token ?? "");
    expect(await statusOf(instance, second.access_token)).toBe(401);
  },
);

test(
  conformance(
    "DA-01",
    "DT-01",
    "DT-04",
    "TK-19",
    "openid-client polls until the user approves the device, and then receives tokens",
  ),
  async ({ page, instance, applications: { publicClient } }) => {
    const withdraw = await offerDeviceGrant(instance);
    const configuration = await discover(instance, publicClient);
    const statuses: number[] = [];
    configuration[client.customFetch] = async (url, options) => {
      const response = await fetch(url, options as RequestInit);
      if (url.endsWith("/oauth/token")) statuses.push(response.status);
      return response;
    };
    const device = await client.initiateDeviceAuthorization(configuration, { scope: "openid read_user" });
    const polled = client.pollDeviceAuthorizationGrant(configuration, device);
    await expect.poll(() => statuses).toContain(400);
    await open(page, instance, device.verification_uri);
    await page.getByLabel("Code on your device").fill(device.user_code);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    const tokens = await polled;
    await withdraw();
    expect(statuses.at(-1)).toBe(200);
    expect(tokens.claims()?.sub).toBe("1");
    expect(await statusOf(instance, tokens.access_token)).toBe(200);
  },
);
