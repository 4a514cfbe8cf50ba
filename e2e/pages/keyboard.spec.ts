import { createHash } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { listenOnLoopback } from "../loopback.ts";
import { expect, test } from "./journey.ts";
import { makeUser, openAs } from "./user.ts";

/** Presses the tab key until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 100; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The tab key does not reach ${target}.`);
}

test("a user registers, allows and revokes an application with only the keyboard", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "kim");
  const application = await listenOnLoopback((_request, response) => response.end("Signed in"));
  const callback = `${application.origin}/callback`;
  await openAs(page, "kim", "/user_settings/applications");
  const press = async (target: Locator, key: string): Promise<void> => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  await press(page.getByRole("link", { name: "Register an application" }).first(), "Enter");
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.type("Typed by keys");
  await tabTo(page, page.getByLabel("Redirect URIs"));
  await page.keyboard.type(callback);
  // In a group of radio buttons without a selection, the tab key moves to the first button, and the arrow
  // keys select another button.
  await tabTo(page, page.getByLabel("Yes, on a server"));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByLabel("No, the application runs in a browser")).toBeChecked();
  await press(page.getByLabel("read_user", { exact: true }), "Space");
  await press(page.getByRole("button", { name: "Register", exact: true }).last(), "Enter");
  await page.getByRole("heading", { name: "Typed by keys" }).waitFor();

  const query = {
    client_id: await page.getByLabel("Application ID", { exact: true }).inputValue(),
    redirect_uri: callback,
    response_type: "code",
    scope: "read_user",
    code_challenge: createHash("sha256").update("v".repeat(43)).digest("base64url"),
    code_challenge_method: "S256",
  };
  await page.goto(`/oauth/authorize?${new URLSearchParams(query)}`);
  await press(page.getByRole("button", { name: "Allow", exact: true }), "Enter");
  await expect(page.getByText("Signed in")).toBeVisible();
  expect(page.url()).toContain(`${callback}?code=`);

  await page.goto("/user_settings/authorized_applications");
  const revoke = page.getByRole("button", { name: "Revoke all…" });
  await expect(revoke).toBeVisible();
  await press(revoke, "Enter");
  await press(page.getByRole("dialog").getByRole("button", { name: "Revoke all", exact: true }), "Enter");
  await expect(page.getByRole("status").filter({ hasText: /revoked/ })).toBeVisible();
  await expect(page.getByText("Typed by keys")).toHaveCount(0);
  await application.close();
});
