import type { Page } from "@playwright/test";
import { untilHydrated } from "./hydration.ts";
import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { makeUser, openAs } from "./user.ts";

/** Opens a page and delays its scripts. Returns a function that lets the scripts load. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let startScripts = (): void => undefined;
  const scriptsStarted = new Promise<void>((resolve) => {
    startScripts = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await scriptsStarted;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return startScripts;
}

test("text that a user enters before the scripts of a page run is saved", async ({ page, instance }) => {
  await makeUser(instance, "early");
  const call = await apiOf(instance, "early");
  const { id } = await call("POST", "/projects", { name: "Early", path: "early", description: "One\nTwo" });
  await openAs(page, "early", "/projects");
  const startScripts = await openWithoutScripts(page, `/projects/${id}/settings`);
  const name = page.getByLabel("Name", { exact: true }).first();
  const description = page.getByLabel("Description", { exact: true });
  await name.fill("Entered early");
  await description.fill("One\nTwo\nThree");
  startScripts();
  await untilHydrated(description);
  await expect(name).toHaveValue("Entered early");
  await expect(description).toHaveValue("One\nTwo\nThree");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => call("GET", `/projects/${id}`))
    .toMatchObject({ name: "Entered early", description: "One\nTwo\nThree" });
});

test("the focus stays in the field that a user corrects before the scripts of the page run", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "eager");
  const call = await apiOf(instance, "eager");
  const { id } = await call("POST", "/projects", { name: "Eager", path: "eager" });
  await openAs(page, "eager", "/projects");
  const startScripts = await openWithoutScripts(page, `/projects/${id}/settings`);
  const name = page.getByLabel("Name", { exact: true }).first();
  await name.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The project was not saved.")).toBeFocused();
  await name.focus();
  startScripts();
  await untilHydrated(name);
  await expect(name).toBeFocused();
});
