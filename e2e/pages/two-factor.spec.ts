import { readFile } from "node:fs/promises";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { expect, newRun, test } from "./journey.ts";
import {
  addAuthenticator,
  ageAuthentications,
  codeOf,
  errorOn,
  expectNoOverflow,
  giveCode,
  givePassword,
  makeUser,
  PASSWORD,
  setUpApp,
} from "./user.ts";

const HOME = "/user_settings/two_factor";
const PHONE = { width: 390, height: 844 };

const set = async (instance: Instance, key: string, value: string): Promise<void> => {
  expect((await instance.cli("setting", "set", key, value)).code).toBe(0);
};

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(
      conformance(
        "AZ-35",
        "a user sets up a second factor during an authorization request, which then continues",
      ),
      async ({ page, instance, clients }) => {
        const name = javaScriptEnabled ? "mid" : "midplain";
        await makeUser(instance, name);
        await set(instance, "require_two_factor_authentication", "true");
        await set(instance, "two_factor_grace_period", "0");
        const { site, confidential } = clients;
        const run = await newRun(instance, confidential, { redirect_uri: site.redirectUri });
        await page.goto(run.url);
        await givePassword(page, name);

        await expect(page.getByText("This server requires two-factor authentication.")).toBeVisible();
        await expect(page.getByRole("link", { name: "Not now" })).toHaveCount(0);
        await page.goto(run.url);
        await expect(page.getByText("To continue, set up an authenticator app or a passkey.")).toBeVisible();
        await page.getByRole("link", { name: "Set up an app" }).click();
        const shown = await page.locator("main code").textContent();
        await page.getByLabel("Code", { exact: true }).fill("000000");
        await page.getByRole("button", { name: "Set up", exact: true }).click();
        await expect(page.getByText("This code is wrong.")).toBeVisible();
        expect(await page.locator("main code").textContent()).toBe(shown);
        const { secret, recoveryCodes } = await setUpApp(page);
        expect(recoveryCodes).toHaveLength(10);

        const downloading = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download as a text file" }).click();
        const file = await (await downloading).path();
        const text = await readFile(file, "utf8");
        for (const code of recoveryCodes) expect(text).toContain(code);

        await page.getByRole("link", { name: "I saved the codes" }).click();
        await page.getByRole("button", { name: "Allow" }).click();
        await expect(page).toHaveTitle("The client");
        const [callback] = site.received();
        expect(callback?.url.searchParams.get("state")).toBe(run.state);
        expect(callback?.url.searchParams.get("code")).toBeTruthy();
        await set(instance, "require_two_factor_authentication", "false");
        await set(instance, "two_factor_grace_period", "48");

        await page.context().clearCookies();
        await page.goto("/user_settings/applications");
        await givePassword(page, name);
        await expect(page.getByRole("heading", { name: "Sign in with your second factor" })).toBeVisible();
        await page.goto("/user_settings/applications");
        await expect(page.getByRole("heading", { name: "Sign in to Gatehouse" })).toBeVisible();
        await givePassword(page, name);
        await giveCode(page, codeOf(secret, 1));
        await expect(page).toHaveURL(/\/user_settings\/applications$/);

        await page.context().clearCookies();
        for (const response of ["right", "used"]) {
          await page.goto("/user_settings/applications");
          await givePassword(page, name);
          await page.getByRole("link", { name: "Use a recovery code" }).click();
          await giveCode(page, (recoveryCodes[0] ?? "").replaceAll("-", " ").toUpperCase());
          if (response === "used") await expect(errorOn(page)).toContainText("was already used");
          else await expect(page).toHaveURL(/\/user_settings\/applications$/);
          await page.context().clearCookies();
        }

        // The password grant is refused for a user with two-factor authentication.
        const grant = new URLSearchParams({ grant_type: "password", username: name, password: PASSWORD });
        const refused = await fetch(`${instance.baseUrl}/oauth/token`, { method: "POST", body: grant });
        expect([refused.status, (await refused.json()).error]).toEqual([400, "invalid_grant"]);
      },
    );
  });

test("during the grace period, a user sees the deadline for setting up two-factor authentication, and can continue without a second factor", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "grace");
  await set(instance, "require_two_factor_authentication", "true");
  await page.goto("/user_settings/applications");
  await givePassword(page, "grace");
  await expect(
    page.getByText(/Set up an authenticator app or a passkey by \d{4}-\d\d-\d\d, \d\d:\d\d UTC/),
  ).toBeVisible();
  await page.getByRole("link", { name: "Not now" }).click();
  await expect(page).toHaveURL(/\/user_settings\/applications$/);
  await set(instance, "require_two_factor_authentication", "false");
});

test("the two-factor page shows a waiting time after too many wrong codes", async ({ page, instance }) => {
  await makeUser(instance, "guesser");
  await page.goto(`${HOME}/app`);
  await givePassword(page, "guesser");
  const { secret } = await setUpApp(page);
  await page.context().clearCookies();
  await page.goto(HOME);
  await givePassword(page, "guesser");
  for (let guess = 0; guess < 5; guess++) {
    await giveCode(page, "123 456");
    await expect(errorOn(page)).toContainText("This code is wrong");
  }
  await giveCode(page, codeOf(secret));
  await expect(errorOn(page)).toContainText(/Too many attempts\. Try again in (9|10) minutes\./);
  const { code } = await instance.cli("user", "disable-two-factor", "guesser");
  expect(code).toBe(0);
  await page.context().clearCookies();
  await page.goto(HOME);
  await givePassword(page, "guesser");
  await expect(page.getByRole("heading", { name: "Two-factor authentication", exact: true })).toBeVisible();
});

test("a passkey works as a second factor and for a sign-in without a password", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "pat");
  await addAuthenticator(page);
  await page.goto(`${HOME}/passkey`);
  await givePassword(page, "pat");
  await page.getByLabel("Name").fill("مفتاح my laptop");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await page.getByRole("link", { name: "I saved the codes" }).click();
  await expect(page.getByRole("cell", { name: "مفتاح my laptop" })).toBeVisible();
  await expect(page.getByText("Never")).toBeVisible();

  // The virtual authenticator uses the passkey that the browser offers in the login field.
  await page.context().clearCookies();
  await page.goto("/user_settings/applications");
  await expect(page.getByRole("heading", { name: "Applications", exact: true })).toBeVisible();

  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.context().clearCookies();
  await page.goto(HOME);
  await givePassword(page, "pat");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Two-factor authentication", exact: true })).toBeVisible();
  await expect(page.getByText("Never")).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto("/user_settings/applications");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(/\/user_settings\/applications$/);

  await page.goto(HOME);
  await page.getByRole("button", { name: "Remove…" }).click();
  await expectNoOverflow(page);
  await page.getByRole("button", { name: "Remove مفتاح my laptop" }).click();
  await expect(page.getByText("This is your only second factor.")).toBeVisible();
  await page.getByLabel("Password").fill("not it");
  await page.getByRole("button", { name: "Turn off two-factor authentication" }).click();
  await expect(page.getByText("The password is wrong. Two-factor authentication is still on.")).toBeVisible();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Turn off two-factor authentication" }).click();
  await expect(page.getByText("Two-factor authentication is off.")).toBeVisible();
});

test("a request for powerful scopes requires a recent re-authentication and then continues", async ({
  page,
  instance,
  clients,
}) => {
  await makeUser(instance, "wide");
  const { site, confidential } = clients;
  const run = await newRun(instance, confidential, { redirect_uri: site.redirectUri, scope: "api" });
  await page.goto(run.url);
  await givePassword(page, "wide");
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
  ageAuthentications(instance, 16);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible();
  await page.getByLabel("Password").fill("not it");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(errorOn(page)).toContainText("The password is wrong.");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveTitle("The client");
  expect(site.received().at(0)?.url.searchParams.get("state")).toBe(run.state);
});

test("the two-factor pages fit a phone screen", async ({ page, instance }) => {
  await page.setViewportSize(PHONE);
  await makeUser(instance, `very-long-${"n".repeat(50)}`);
  await page.goto(`${HOME}/app`);
  await expectNoOverflow(page);
  await givePassword(page, `very-long-${"n".repeat(50)}`);
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  await expectNoOverflow(page);
  await setUpApp(page);
  await expectNoOverflow(page);
  for (const path of [HOME, `${HOME}/passkey`, "/users/confirm"]) {
    await page.goto(path);
    await expectNoOverflow(page);
  }
  await page.context().clearCookies();
  await page.goto(HOME);
  await givePassword(page, `very-long-${"n".repeat(50)}`);
  await expect(page.getByRole("heading", { name: "Sign in with your second factor" })).toBeVisible();
  await expectNoOverflow(page);
});
