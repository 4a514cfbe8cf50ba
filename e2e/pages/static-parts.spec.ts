import type { Page } from "@playwright/test";
import { expect, test } from "../oauth/fixtures.ts";
import { untilHydrated } from "./hydration.ts";
import { makeUser, openAs } from "./user.ts";

/**
 * Returns the HTML of the static parts of a page, which the flight data do not contain. A dialog or a menu may
 * be open.
 */
const staticParts = (page: Page): Promise<readonly string[]> =>
  page
    .locator("[data-markup]")
    .evaluateAll((parts) => parts.map(({ innerHTML }) => innerHTML.replaceAll(/ open(="")?(?=[ >])/g, "")));

test("a page shows its static parts after an error and a retry", async ({ page, instance }) => {
  await makeUser(instance, "tessa");
  await openAs(page, "tessa", "/user_settings/profile");
  const save = page.getByRole("button", { name: "Save profile" });
  await untilHydrated(save);
  const before = await staticParts(page);
  expect(before.length).toBeGreaterThan(1);
  // The script reads the HTML of all static parts when React renders the first part from the flight data.
  // Therefore, all parts must precede the flight data.
  const html = await (await page.request.get("/user_settings/profile")).text();
  expect(html.lastIndexOf(" data-markup=")).toBeGreaterThan(0);
  expect(html.lastIndexOf(" data-markup=")).toBeLessThan(html.indexOf("self.__next_f"));
  await page.route("**/user_settings/profile", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await save.click();
  await expect(page.getByRole("heading", { name: "This page could not be displayed" })).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(save).toBeVisible();
  expect(await staticParts(page)).toEqual(before);
});

test("a page shows its static parts when the user returns to it after a redirect by a script", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "tilda");
  const redirectUri = "https://app.example/callback";
  const settings = ["--redirect-uri", redirectUri, "--scopes", "read_user", "--owner", "tilda"];
  const created = await instance.cli("application", "create", "--name", "Short-lived", ...settings);
  expect(created.code).toBe(0);
  await openAs(page, "tilda", "/user_settings/applications");
  await page.getByRole("link", { name: "Short-lived", exact: true }).click();
  const add = page.getByRole("button", { name: "Add a second secret" });
  await untilHydrated(add);
  const before = await staticParts(page);
  expect(before.length).toBeGreaterThan(1);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Delete", exact: false }).first().click();
  await other
    .getByRole("dialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await expect(other.getByText("Short-lived is deleted.")).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  await add.click();
  await expect(page).toHaveURL(/\/user_settings\/applications$/);
  expect(await page.evaluate(() => "isSameDocument" in globalThis)).toBe(true);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Short-lived" }).first()).toBeVisible();
  expect(await staticParts(page)).toEqual(before);
});
