import { setTimeout as pause } from "node:timers/promises";
import * as client from "openid-client";
import { conformance } from "../../src/testing/conformance.ts";
import { codeOf, expectNoOverflow, giveCode, makeUser, openAs, setUpApp } from "../pages/user.ts";
import { expect, test } from "./fixtures.ts";

const MULTI_FACTOR = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

test(
  conformance(
    "SU-01",
    "SU-03",
    "SU-04",
    "openid-client requests a second factor and a recent sign-in, and the server asks only for the missing authentication factor",
  ),
  async ({ page, instance, applications: { site, confidential } }) => {
    await makeUser(instance, "stepper");
    const configuration = await client.discovery(
      new URL(instance.baseUrl),
      confidential.client_id,
      undefined,
      client.ClientSecretBasic(confidential.client_secret),
      { execute: [client.allowInsecureRequests] },
    );
    expect(configuration.serverMetadata().acr_values_supported).toContain(MULTI_FACTOR);

    /** Opens an authorization request. @returns a function that reads the claims after the user is back at the client. */
    async function request(parameters: Record<string, string>) {
      site.received();
      const state = client.randomState();
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: site.redirectUri,
        scope: "openid",
        state,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        ...parameters,
      });
      await page.goto(url.href);
      return async () => {
        await expect(page).toHaveTitle("The client");
        const callback = site.received()[0]?.url ?? new URL("about:blank");
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          ...{ pkceCodeVerifier, expectedState: state, idTokenExpected: true },
          ...("max_age" in parameters ? { maxAge: Number(parameters["max_age"]) } : {}),
        });
        return tokens.claims();
      };
    }
    const essential = JSON.stringify({ id_token: { acr: { essential: true, value: MULTI_FACTOR } } });

    // The user has no second factor. A request that requires the multi-factor class fails, but a request that
    // only prefers this class succeeds.
    await openAs(page, "stepper", "/help/connect");
    const refused = await request({ claims: essential });
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(refused()).rejects.toMatchObject({
      error: "unmet_authentication_requirements",
    });
    const preferred = await request({ acr_values: MULTI_FACTOR });
    await page.getByRole("button", { name: "Allow" }).click();
    expect(await preferred()).toMatchObject({ acr: "urn:gatehouse:acr:single-factor", amr: ["pwd"] });

    await page.goto("/user_settings/two_factor/app");
    const { secret } = await setUpApp(page);
    await page.getByRole("link", { name: "I saved the codes" }).click();
    const required = await request({ claims: essential });
    await expect(page.getByRole("heading", { name: "Confirm with a second factor" })).toBeVisible();
    await expect(page.getByText("requires a sign-in with two factors")).toBeVisible();
    await expectNoOverflow(page);
    await giveCode(page, "000 000");
    await expect(page.getByText("This code is wrong")).toBeVisible();
    await giveCode(page, codeOf(secret, 1));
    expect(await required()).toMatchObject({ acr: MULTI_FACTOR, amr: ["pwd", "otp", "mfa"] });

    // The authentication now has the multi-factor class, and its age is below `max_age`.
    const again = await request({ acr_values: MULTI_FACTOR, max_age: "300" });
    expect(await again()).toMatchObject({ acr: MULTI_FACTOR });
    await pause(2_000);
    await request({ acr_values: MULTI_FACTOR, max_age: "1" });
    await expect(page.getByRole("heading", { name: "Sign in to Gatehouse" })).toBeVisible();
  },
);
