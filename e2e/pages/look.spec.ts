import type { Locator, Page } from "@playwright/test";
import { startSession } from "../oauth/fixtures.ts";
import { expect, test } from "./journey.ts";

const PHONE = { width: 390, height: 800 };

/** Opens a page as the administrator, after a sign-in that does not load the sign-in page. */
async function openAsRoot(page: Page, password: string, path: string): Promise<void> {
  await startSession(page, "", "root", password);
  await page.goto(path);
}

/** Returns whether no scrolling ancestor clips the focus ring of a link. */
const ringIsComplete = (link: Locator): Promise<boolean> =>
  link.evaluate((element) => {
    element.focus();
    const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(element);
    const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const ring = element.getBoundingClientRect();
    if (outlineStyle !== "solid" || Number.parseFloat(outlineWidth) < 2) return false;
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === "visible") continue;
      const clip = box.getBoundingClientRect();
      if (ring.left - reach < clip.left || ring.right + reach > clip.right) return false;
      if (ring.top - reach < clip.top || ring.bottom + reach > clip.bottom) return false;
    }
    return true;
  });

test("on a phone, the navigation shows the current section, fades out at a scrollable edge, and clips no focus ring", async ({
  page,
  instance,
}) => {
  await page.setViewportSize(PHONE);
  await openAsRoot(page, instance.rootPassword, "/user_settings/personal_access_tokens");
  const navigation = page.getByRole("navigation", { name: "Settings" });
  await expect(navigation.getByRole("link", { name: "Personal access tokens" })).toBeInViewport({ ratio: 1 });
  const list = navigation.getByRole("list");
  const fades = () =>
    list.evaluate((row) => {
      const style = getComputedStyle(row);
      return ["--fade-left", "--fade-right"].map(
        (name) => Number.parseFloat(style.getPropertyValue(name)) > 0,
      );
    });
  expect(await fades()).toEqual([true, true]);
  await list.evaluate((row) => row.scrollTo({ left: 0, behavior: "instant" }));
  await expect.poll(fades).toEqual([false, true]);
  expect(await list.evaluate((row) => row.scrollLeft), "the row scrolls freely").toBe(0);

  await page.keyboard.press("Tab");
  for (const name of ["Main", "Settings"])
    for (const link of await page.getByRole("navigation", { name }).getByRole("link").all())
      await expect
        .poll(() => ringIsComplete(link), `the focus ring of ${await link.textContent()}`)
        .toBe(true);
});

for (const javaScriptEnabled of [true, false])
  test.describe(`with JavaScript ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });

    test(`a confirmation dialog keeps the focus until it is closed; the message about the result then gets the focus, and is shown once (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      page,
      instance,
    }) => {
      const created = await instance.cli(
        "token",
        "create",
        "--user",
        "root",
        "--name",
        "Nightly",
        "--scopes",
        "api",
      );
      expect(created.code).toBe(0);
      await openAsRoot(page, instance.rootPassword, "/user_settings/personal_access_tokens");
      const opener = page.getByRole("button", { name: "Revoke…" }).first();
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: /^Revoke .*Nightly/ });
      await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
      const inDialog = dialog.locator(":focus");
      for (let step = 0; step < 4; step++) {
        await page.keyboard.press("Tab");
        expect(await page.locator(":focus").count(), "only elements of the dialog get the focus").toBe(
          await inDialog.count(),
        );
      }
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();

      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Revoke this token" }).press("Enter");
      const message = page.getByText("The token is revoked.");
      await expect(message).toBeFocused();
      await expect(dialog).toBeHidden();
      await page.goto("/user_settings/sessions");
      await expect(page.getByRole("heading", { name: "Sessions" })).toBeVisible();
      await expect(message).toHaveCount(0);
    });

    test(`the message about a refused form gets the focus (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      page,
      instance,
    }) => {
      await openAsRoot(page, instance.rootPassword, "/user_settings/profile");
      await page.getByLabel("New e-mail address").fill("none");
      await page.getByRole("button", { name: "Request change" }).press("Enter");
      await expect(page.getByText("The e-mail address was not changed.")).toBeFocused();
    });
  });
