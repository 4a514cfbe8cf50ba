import type { Page } from "@playwright/test";
import type { Clients } from "../fixtures.ts";
import type { Instance } from "../instance.ts";
import { expect, newRun, open, signIn, test, withPkce } from "./journey.ts";

const allow = (page: Page) => page.getByRole("button", { name: "Allow" });

async function consentUrl(instance: Instance, { site, publicClient }: Clients, scope = "read_user") {
  const run = withPkce(await newRun(instance, publicClient, { redirect_uri: site.redirectUri, scope }));
  return run.url;
}

test("two browser tabs each complete a different authorization request", async ({
  context,
  instance,
  clients,
}) => {
  const [firstTab, secondTab] = [await context.newPage(), await context.newPage()];
  const first = await consentUrl(instance, clients);
  const second = await consentUrl(instance, clients, "api");
  await firstTab.goto(first);
  await secondTab.goto(second);
  await signIn(secondTab, instance);
  await expect(allow(secondTab)).toBeVisible();
  // The first tab still shows the sign-in form, which continues without the password.
  await firstTab.reload();
  await expect(allow(firstTab)).toBeVisible();
  await expect(firstTab.getByText("Read your profile")).toBeVisible();
  await allow(firstTab).click();
  await expect(firstTab).toHaveTitle("The client");
  await allow(secondTab).click();
  await expect(secondTab).toHaveTitle("The client");
  const states = clients.site.received().map(({ url }) => url.searchParams.get("state"));
  expect(states).toEqual([first, second].map((url) => new URL(url).searchParams.get("state")));
});

test("the back button returns to the consent page, which can be submitted again", async ({
  page,
  instance,
  clients,
}) => {
  await open(page, instance, await consentUrl(instance, clients));
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page).toHaveTitle("The client");
  await page.goBack();
  await allow(page).click();
  await expect(page).toHaveTitle("The client");
  const [denied, allowed] = clients.site.received();
  expect(denied?.url.searchParams.get("error")).toBe("access_denied");
  expect(allowed?.url.searchParams.get("code")).toBeTruthy();
});

test("after the session ends on the consent page, the user signs in again and returns to the page", async ({
  page,
  instance,
  clients,
}) => {
  await open(page, instance, await consentUrl(instance, clients));
  await expect(allow(page)).toBeVisible();
  await page.context().clearCookies();
  await allow(page).click();
  await expect(page.getByRole("heading", { name: "Sign in to Gatehouse" })).toBeVisible();
  expect(clients.site.received()).toEqual([]);
  await signIn(page, instance);
  await allow(page).click();
  await expect(page).toHaveTitle("The client");
  expect(clients.site.received().at(-1)?.url.searchParams.get("code")).toBeTruthy();
});

test("a user switches to another account on the consent page, and the authorization request continues", async ({
  page,
  instance,
  clients,
}) => {
  const user = ["--username", "ben", "--email", "ben@example.com", "--name", "Ben Ode"];
  await instance.cli("user", "create", ...user, "--password", "a long password");
  await open(page, instance, await consentUrl(instance, clients));
  await page.getByRole("link", { name: "Use another account" }).click();
  await page.getByLabel("Username or e-mail").fill("ben");
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Ben Ode")).toBeVisible();
  await expect(page.getByText("You are an administrator.")).toHaveCount(0);
  await allow(page).click();
  await expect(page).toHaveTitle("The client");
  clients.site.received();
});

test("the consent page names the application, the user and the requested access", async ({
  page,
  instance,
  clients,
}) => {
  await open(page, instance, await consentUrl(instance, clients, "read_user api"));
  for (const text of ["Acme CLI wants to use your account", "You are an administrator."])
    await expect(page.getByText(text)).toBeVisible();
  const labels = await page.getByRole("listitem").filter({ hasText: "." }).allTextContents();
  expect(labels.map((label) => label.split(/[A-Z]/)[0])).toHaveLength(2);
  expect(labels[0]).toContain("Read your profile");
  expect(labels[1]).toContain("Do everything you can do");
  for (const label of labels) expect(label).toMatch(/Does not allow/);
  const sizes = await page.getByRole("button", { name: /^(Allow|Deny)$/ }).evaluateAll((buttons) =>
    buttons.map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return [Math.round(width), Math.round(height)];
    }),
  );
  expect(sizes[0]).toEqual(sizes[1]);
});
