import { expect, test } from "./journey.ts";
import { openPalette } from "./palette.ts";
import { makeUser, openAs } from "./user.ts";

test("a user opens a project from the command palette with the keyboard", async ({ page, instance }) => {
  await makeUser(instance, "searcher");
  await instance.cli("project", "create", "--path", "searcher/quokka", "--owner", "searcher");
  await openAs(page, "searcher", "/help/connect");
  await page.getByRole("link", { name: "REST API", exact: true }).focus();
  await openPalette(page);
  const box = page.getByRole("combobox");
  await expect(box).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "REST API", exact: true })).toBeFocused();

  await page.getByRole("link", { name: "Search", exact: true }).click();
  await box.fill("two-factor");
  await expect(page.getByRole("option", { name: "Two-factor authentication" })).toBeVisible();
  await box.fill("quokka");
  const option = page.getByRole("option", { name: "quokka" });
  await expect(option).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "quokka" })).toBeVisible();
});

test("while the command palette shows the results for an earlier text, the Enter key opens the search page", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "hasty");
  await openAs(page, "hasty", "/help/connect");
  await openPalette(page);
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  // The response to the search never arrives.
  await page.route("**/-/search?search=sessions", () => undefined);
  await page.getByRole("combobox").fill("sessions");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?search=sessions$/);
});

test.describe("the search page without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an administrator finds users and settings on the search page", async ({ page, instance }) => {
    await makeUser(instance, "findme");
    await openAs(page, "root", "/projects", instance.rootPassword);
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByLabel("Search for").fill("findme");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("region", { name: "Users" }).getByRole("link")).toHaveText(/findme/);
    await page.getByLabel("Search for").fill("oauth_code_expires");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: /oauth_code_expires_in/ }).click();
    await expect(page).toHaveURL(/\/admin\/settings#oauth_code_expires_in$/);
  });
});
