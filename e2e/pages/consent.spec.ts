import type { Page } from "@playwright/test";
import { ALL_SCOPES } from "../../src/access/scopes.ts";
import type { Clients } from "../fixtures.ts";
import type { Instance } from "../instance.ts";
import { register } from "../oauth/fixtures.ts";
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
  // The first tab still shows the sign-in form. After a reload, the first tab continues without a password,
  // because the user is signed in.
  await firstTab.reload();
  await expect(allow(firstTab)).toBeVisible();
  await expect(firstTab.getByText("Read your profile", { exact: true })).toBeVisible();
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

test("if the session ends while the consent page is open, the user signs in again and returns to the consent page", async ({
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
  const rows = page.getByRole("listitem");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Do everything you can do");
  await expect(rows).toContainText("Can change and delete everything you can");
  await expect(rows).toContainText("Does not allow");
  await expect(rows).toContainText("Includes: Read your profile");
  const sizes = await page.getByRole("button", { name: /^(Allow|Deny)$/ }).evaluateAll((buttons) =>
    buttons.map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return [Math.round(width), Math.round(height)];
    }),
  );
  expect(sizes[0]).toEqual(sizes[1]);
});

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 800 },
])
  test(`in a window of ${size.width} x ${size.height}, the consent page with every scope shows all scopes and the button Allow without scrolling`, async ({
    page,
    instance,
    clients,
  }) => {
    await page.setViewportSize(size);
    const site = ["--redirect-uri", clients.site.redirectUri, "--owner", "root"];
    for (const scopes of [ALL_SCOPES, ALL_SCOPES.filter((scope) => scope !== "api")]) {
      const name = `Asks for ${scopes.length} on ${size.width}`;
      const client = await register(instance, "--name", name, ...site, "--scopes", scopes.join(" "));
      const request = { redirect_uri: clients.site.redirectUri, scope: scopes.join(" ") };
      await open(page, instance, (await newRun(instance, client, request)).url);
      await expect(allow(page)).toBeInViewport({ ratio: 1 });
      const last = page.getByRole("listitem").last();
      const [row, form] = [await last.boundingBox(), await page.locator("form").boundingBox()];
      expect((row?.y ?? 0) + (row?.height ?? 0), "end of the list").toBeLessThanOrEqual(form?.y ?? 0);
      for (const button of await page.getByRole("listitem").locator("summary").all())
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(24);
      await page.context().clearCookies();
    }
  });
