import { fileURLToPath } from "node:url";
import { freePort, startProgram, untilItAnswers } from "../../scripts/program.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { startInstance } from "../instance.ts";
import { startSession } from "../oauth/fixtures.ts";
import { expectNoOverflow, openAs } from "../pages/user.ts";
import { expect, registerConfidential, test } from "./fixtures.ts";
import { describeProvider, enterLogin, signInAtProvider, startOidcProvider } from "./oidc-provider.ts";

const SITE = fileURLToPath(new URL("next-auth-site.mjs", import.meta.url));

const undo: (() => unknown)[] = [];
test.afterEach(async () => {
  for (const end of undo.splice(0)) await end();
});

test(
  conformance(
    "SP-05",
    "next-auth signs a user in at Gatehouse, which signs the user in at oidc-provider, with and without JavaScript",
  ),
  async ({ page, browser, instance }, testInfo) => {
    const provider = await startOidcProvider(instance, testInfo.outputPath("oidc-provider.log"));
    const { issuer } = provider;
    undo.push(provider.stop);
    const url = `http://127.0.0.1:${await freePort()}`;
    const client = await registerConfidential(
      instance,
      ...["--name", "Acme Board", "--scopes", "read_user"],
      ...["--redirect-uri", `${url}/api/auth/callback/gitlab`],
    );
    const site = startProgram([SITE, url], {
      env: {
        GATEHOUSE_URL: instance.baseUrl,
        CLIENT_ID: client.client_id,
        CLIENT_SECRET: client.client_secret,
      },
      logFile: testInfo.outputPath("next-auth-site.log"),
    });
    undo.push(site.stop);
    await untilItAnswers(`${url}/api/auth/providers`, site);

    await openAs(page, "root", "/admin/identity_providers", instance.rootPassword);
    await page.getByRole("link", { name: "Add provider" }).click();
    await page.getByRole("link", { name: "Add OpenID Connect" }).click();
    await describeProvider(page, { ...provider, issuer: `${issuer}/wrong` });
    await page.getByRole("button", { name: "Add provider" }).click();
    await expect(page.getByText("The provider cannot be used")).toBeVisible();
    await page.getByLabel("Issuer").fill(issuer);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
    await page.getByRole("button", { name: "Add provider" }).click();
    await expect(page.getByText("The provider is saved.")).toBeVisible();
    await expect(page.getByLabel("Redirect URI", { exact: true })).toHaveValue(provider.redirectUri);
    undo.push(async () => {
      await openAs(page, "root", "/admin/identity_providers/acme", instance.rootPassword);
      await page.getByRole("button", { name: "Delete…" }).click();
      await page.getByRole("button", { name: "Delete Acme" }).click();
      await expect(page.getByText("There are no sign-in providers yet")).toBeVisible();
    });

    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } });
      undo.unshift(() => context.close());
      const visitor = await context.newPage();
      const login = javaScriptEnabled ? "nina" : "omar";
      await visitor.goto(`${url}/api/auth/signin`);
      await visitor.getByRole("button", { name: "Sign in with GitLab" }).click();
      await expectNoOverflow(visitor).catch(() => undefined);
      await visitor.getByRole("button", { name: "Sign in with Acme" }).click();
      await signInAtProvider(visitor, issuer, login);
      await visitor.getByRole("button", { name: "Allow" }).click();
      await expect(
        visitor.getByRole("heading", { name: `Hello, Dr. ${login} (${login}@acme.example)` }),
      ).toBeVisible();
      await visitor.goto(`${instance.baseUrl}/user_settings/profile`);
      await expect(visitor.locator("dd", { hasText: `@${login}` })).toBeVisible();
      // The provider returns the time of the authentication only if the request contains `max_age`.
      await visitor.goto(`${instance.baseUrl}/user_settings/two_factor/app`);
      await expect(visitor.getByText("did not state when you authenticated")).toBeVisible();
      await visitor.getByRole("button", { name: "Confirm with Acme" }).click();
      await enterLogin(visitor, issuer, login);
      await expect(visitor).toHaveURL(`${instance.baseUrl}/user_settings/two_factor/app`);
      await visitor.goto(`${instance.baseUrl}/user_settings/profile`);
      // The user has no password, and therefore re-authenticates at the provider.
      await visitor.getByRole("button", { name: "Unlink…" }).click();
      await visitor.getByRole("button", { name: "Unlink Acme" }).click();
      await expect(visitor.getByText("This is your only way to sign in.")).toBeVisible();
    }
  },
);

test(
  conformance(
    "SP-07",
    "an administrator of a second Gatehouse instance links an account of the first instance, and signs in with this account",
  ),
  async ({ page, instance }) => {
    // The two servers need different host names, because cookies ignore ports.
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const client = await registerConfidential(
      instance,
      ...["--name", "Team portal", "--scopes", "openid profile email"],
      ...["--redirect-uri", `${baseUrl}/users/auth/first/callback`],
    );
    const second = await startInstance({
      baseUrl,
      env: {
        OIDC_FIRST_ISSUER: instance.baseUrl,
        OIDC_FIRST_CLIENT_ID: client.client_id,
        OIDC_FIRST_CLIENT_SECRET: client.client_secret,
        OIDC_FIRST_LABEL: "First",
        OIDC_FIRST_LINK_BY_EMAIL: "true",
        OIDC_FIRST_CREATE_ACCOUNTS: "true",
      },
    });
    undo.push(second.stop);
    await startSession(page, instance.baseUrl, "root", instance.rootPassword);

    // Both administrators have the same verified e-mail address, but accounts of administrators are not
    // linked by e-mail address.
    await page.goto(`${baseUrl}/users/sign_in`);
    await page.getByRole("button", { name: "Sign in with First" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByText("An account with your e-mail address already exists.")).toBeVisible();

    await startSession(page, baseUrl, "root", second.rootPassword);
    await page.goto(`${baseUrl}/user_settings/profile`);
    await page.getByRole("button", { name: "Link First" }).click();
    await expect(page.getByRole("heading", { name: "Link your account at First?" })).toBeVisible();
    await page.getByRole("button", { name: "Link account" }).click();
    await expect(page.getByText("Your account at First is linked.")).toBeVisible();
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with First" }).click();
    await expect(page.getByRole("button", { name: /^Account of/ })).toBeVisible();
    await page.goto(`${baseUrl}/admin/identity_providers/first`);
    await expect(page.getByText("1 account is linked.")).toBeVisible();
  },
);
