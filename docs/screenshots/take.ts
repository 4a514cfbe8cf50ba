import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../../e2e/fixtures.ts";

const WIDTHS = [1280, 390];

/** One picture per width, in light and dark where both are shown. */
async function take(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: join(import.meta.dirname, `${name}-${width}.png`), fullPage: true });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
  }
}

test("take", async ({ page, instance }) => {
  const person = ["--username", "ann", "--name", "Ann Ng", "--email", "ann@example.com"];
  await instance.cli("user", "create", ...person, "--password", "a long password");
  for (const [name, uri, scopes, ...more] of [
    ["Wiki", "https://wiki.acme.example/auth/callback", "openid email"],
    ["Acme CLI", "http://127.0.0.1/callback", "api", "--public"],
  ] as const) {
    const args = ["--name", name, "--redirect-uri", uri, "--scopes", scopes, "--owner", "ann", ...more];
    await instance.cli("application", "create", ...args);
  }

  await page.goto("/user_settings/applications");
  await take(page, "sign-in");
  await page.getByLabel("Username or e-mail").fill("ann");
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Applications" })).toBeVisible();
  await take(page, "applications");

  await page.getByRole("link", { name: "Register an application" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Acme Deploy");
  await page
    .getByLabel("Redirect URIs")
    .fill("https://deploy.acme.example/callback\ndeploy.acme.example/other");
  await page.getByLabel("Yes: it keeps a secret on a server").check();
  for (const scope of ["read_user", "read_repository"]) await page.getByLabel(scope, { exact: true }).check();
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("Line 2")).toBeVisible();
  await take(page, "form");

  await page.getByLabel("Redirect URIs").fill("https://deploy.acme.example/callback");
  await page.getByRole("button", { name: "Register" }).click();
  const uid = await page.getByLabel("Application ID", { exact: true }).inputValue();
  await take(page, "registered");
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByText("Redirect URIs")).toBeVisible();
  await take(page, "application");

  const redirectUri = encodeURIComponent("https://deploy.acme.example/callback");
  const query = `client_id=${uid}&redirect_uri=${redirectUri}&response_type=code&scope=read_user+read_repository`;
  await page.goto(`/oauth/authorize?${query}`);
  await take(page, "consent");
  await page.emulateMedia({ colorScheme: "dark" });
  await take(page, "consent-dark");
});
