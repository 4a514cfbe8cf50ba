import { randomBytes } from "node:crypto";
import * as oauth from "oauth4webapi";
import { conformance } from "../../src/testing/conformance.ts";
import {
  allow,
  callApi,
  exchange,
  expect,
  newRun,
  type Registered,
  serverOf,
  signIn,
  test,
  withPkce,
} from "./fixtures.ts";

test.beforeAll(async ({ instance }) => {
  // With a code_reuse_leeway of 60 seconds, the server treats simultaneous exchanges of an authorization code as
  // simultaneous, even on a slow machine.
  const leeway = await instance.cli("setting", "set", "code_reuse_leeway", "60");
  expect(leeway).toMatchObject({ code: 0 });
});

test(
  conformance(
    "AC-01",
    "TK-05",
    "US-01",
    "a confidential application exchanges an authorization code with its secret and calls the API",
  ),
  async ({ page, instance, clients }) => {
    const { site, confidential } = clients;
    const run = await newRun(instance, confidential, { redirect_uri: site.redirectUri });
    await allow(page, instance, run);
    const [callback] = site.received();
    if (callback === undefined) throw new Error("Nothing arrived at the client.");
    expect(callback.method).toBe("GET");
    const tokens = await exchange(instance, confidential, {
      url: callback.url,
      state: run.state,
      redirectUri: site.redirectUri,
      verifier: oauth.nopkce,
    });
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 7200, scope: "read_user" });
    expect(tokens.refresh_token).toBeTruthy();
    const response = await callApi(instance, tokens.access_token);
    expect(await response.json()).toMatchObject({ id: 1, username: "root", state: "active" });
  },
);

test(
  conformance(
    "PK-01",
    "AZ-31",
    "a public application exchanges an authorization code with PKCE and needs consent every time",
  ),
  async ({ page, instance, clients }) => {
    const { site, publicClient } = clients;
    for (let round = 0; round < 2; round++) {
      const run = withPkce(await newRun(instance, publicClient, { redirect_uri: site.redirectUri }));
      await allow(page, instance, run);
      const [callback] = site.received();
      if (callback === undefined) throw new Error("Nothing arrived at the client.");
      const tokens = await exchange(instance, publicClient, {
        url: callback.url,
        state: run.state,
        redirectUri: site.redirectUri,
        verifier: run.verifier,
      });
      expect((await callApi(instance, tokens.access_token)).status).toBe(200);
    }
  },
);

test(
  conformance(
    "AZ-30",
    "a confidential application needs no second consent after the user has consented once",
  ),
  async ({ page, instance, clients }) => {
    const { site, confidential } = clients;
    const first = await newRun(instance, confidential, { redirect_uri: site.redirectUri, scope: "api" });
    await page.goto(first.url);
    await signIn(page, instance);
    const allowButton = page.getByRole("button", { name: "Allow" });
    const clientHeading = page.getByRole("heading", { name: "Back at the client" });
    await expect(allowButton.or(clientHeading)).toBeVisible();
    if (await allowButton.isVisible()) await allowButton.click();
    await expect(page).toHaveTitle("The client");
    const again = await newRun(instance, confidential, { redirect_uri: site.redirectUri, scope: "api" });
    await page.goto(again.url);
    await expect(page).toHaveTitle("The client");
    expect(site.received().at(-1)?.url.searchParams.get("code")).toBeTruthy();
  },
);

test(
  conformance(
    "AZ-04",
    "after the user denies access, the redirect contains the client's state and the error access_denied, but no authorization code",
  ),
  async ({ page, instance, clients }) => {
    const { site, publicClient } = clients;
    const run = withPkce(await newRun(instance, publicClient, { redirect_uri: site.redirectUri }));
    await page.goto(run.url);
    await signIn(page, instance);
    await page.getByRole("button", { name: "Deny" }).click();
    await expect(page).toHaveTitle("The client");
    const [callback] = site.received();
    const response = Object.fromEntries(callback?.url.searchParams ?? []);
    expect(response).toMatchObject({ error: "access_denied", state: run.state });
    expect(response).not.toHaveProperty("code");
    expect(() =>
      oauth.validateAuthResponse(
        serverOf(instance),
        publicClient,
        callback?.url ?? new URL("about:blank"),
        run.state,
      ),
    ).toThrow(oauth.AuthorizationResponseError);
  },
);

test(
  conformance("AZ-03", "the authorization code flow works without JavaScript"),
  async ({ browser, instance, clients }) => {
    const { site, publicClient } = clients;
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const run = withPkce(await newRun(instance, publicClient, { redirect_uri: site.redirectUri }));
    await allow(page, instance, run);
    expect(site.received().at(-1)?.url.searchParams.get("state")).toBe(run.state);
    await context.close();
  },
);

test(
  conformance(
    "AZ-10",
    "AZ-12",
    "an unknown client and an unregistered redirect URI lead to an error page without a redirect",
  ),
  async ({ page, instance, clients }) => {
    const { site, confidential } = clients;
    const unknown: Registered = { client_id: "0".repeat(64) };
    const wrong = [
      await newRun(instance, unknown, { redirect_uri: site.redirectUri }),
      await newRun(instance, confidential, { redirect_uri: `${site.redirectUri}/other` }),
    ];
    for (const run of wrong) {
      const response = await page.goto(run.url);
      expect(response?.status()).toBe(400);
      expect(page.url()).toBe(run.url);
    }
    expect(site.received()).toEqual([]);
  },
);

test(
  conformance(
    "AC-07",
    "AC-09",
    "PK-08",
    "the token endpoint refuses a wrong code verifier without invalidating the code, and refuses a second use of the code",
  ),
  async ({ page, instance, clients }) => {
    const { site, publicClient } = clients;
    const run = withPkce(await newRun(instance, publicClient, { redirect_uri: site.redirectUri }));
    await allow(page, instance, run);
    const [callback] = site.received();
    if (callback === undefined) throw new Error("Nothing arrived at the client.");
    const { url } = callback;
    const attempt = (verifier: string) =>
      exchange(instance, publicClient, { url, state: run.state, redirectUri: site.redirectUri, verifier });
    await expect(attempt(oauth.generateRandomCodeVerifier())).rejects.toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
    const tokens = await attempt(run.verifier);
    await expect(attempt(run.verifier)).rejects.toMatchObject({ status: 400, error: "invalid_grant" });
    // If an authorization code is exchanged again within code_reuse_leeway, the server assumes a retry after
    // a lost response, so the tokens stay valid.
    expect((await callApi(instance, tokens.access_token)).status).toBe(200);
  },
);

test(
  conformance("AT-03", "exactly one of 20 simultaneous exchanges of an authorization code succeeds"),
  async ({ page, instance, clients }) => {
    const { site, publicClient } = clients;
    const run = withPkce(await newRun(instance, publicClient, { redirect_uri: site.redirectUri }));
    await allow(page, instance, run);
    const [callback] = site.received();
    if (callback === undefined) throw new Error("Nothing arrived at the client.");
    const { url } = callback;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        exchange(instance, publicClient, {
          url,
          state: run.state,
          redirectUri: site.redirectUri,
          verifier: run.verifier,
        }),
      ),
    );
    const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
    const lost = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(won).toHaveLength(1);
    for (const { reason } of lost) expect(reason).toMatchObject({ status: 400, error: "invalid_grant" });
    const [winner] = won;
    expect((await callApi(instance, winner?.value.access_token ?? "")).status).toBe(200);
  },
);

test(
  conformance("AT-15", "signing out ends the session for every copy of the session cookie"),
  async ({ page, context, instance }) => {
    await page.goto("/");
    await signIn(page, instance);
    await page.getByRole("button", { name: /^Account of/ }).click();
    const cookies = await context.cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
    await context.addCookies(cookies);
    await page.goto("/user_settings/applications");
    await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  },
);

test(
  conformance(
    "AC-05",
    "TK-19",
    "the token endpoint ignores the session cookie and refuses an unknown authorization code",
  ),
  async ({ instance, clients }) => {
    const form = {
      grant_type: "authorization_code",
      client_id: clients.publicClient.client_id,
      code: randomBytes(32).toString("hex"),
      redirect_uri: clients.site.redirectUri,
      code_verifier: oauth.generateRandomCodeVerifier(),
    };
    const response = await fetch(`${instance.baseUrl}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get("www-authenticate")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ error: "invalid_grant" });
  },
);
