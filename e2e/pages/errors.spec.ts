import type { Instance } from "../instance.ts";
import { expect, test } from "./journey.ts";
import { apiOf, dsnOf, FAILURE, report, storeUrl } from "./project-world.ts";
import { expectNoOverflow, makeUser, openAs } from "./user.ts";

/** Turns on error tracking through the API and returns the DSN. */
async function track(instance: Instance, username: string, home: string): Promise<string> {
  const call = await apiOf(instance, username);
  await call("PUT", `${home}/error_tracking/settings`, { active: true, integrated: true });
  return dsnOf(call, home);
}

/** Creates a user with a project and returns the path of the project. */
async function projectOf(instance: Instance, username: string): Promise<string> {
  await makeUser(instance, username);
  const { id } = await (await apiOf(instance, username))("POST", "/projects", { name: "Shop" });
  return `/projects/${id}`;
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a user turns on error tracking, a program reports errors, and the user resolves the tracked errors", async ({
      page,
      instance,
    }) => {
      const owner = javaScriptEnabled ? "tracker-on" : "tracker-off";
      const home = await projectOf(instance, owner);
      await openAs(page, owner, `${home}/errors`);
      await page.getByRole("link", { name: "Turn on error tracking" }).click();
      await page.getByLabel("Track the errors of this project").check();
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Error tracking is on.")).toBeVisible();
      const dsn = await page.getByLabel(/^DSN of key/).inputValue();
      await expect(page.getByText(`dsn: "${dsn}"`).first()).toBeVisible();
      await page.goto(`${home}/errors`);
      await expect(page.getByText("No errors yet")).toBeVisible();

      await report(dsn, FAILURE);
      await report(dsn, { ...FAILURE, environment: "staging" });
      await report(dsn, { message: "Disk is nearly full", level: "warning" });
      await report(dsn, { type: "transaction" });
      await page.goto(home);
      await expect(page.getByText("2 unresolved errors")).toBeVisible();
      await page.getByRole("link", { name: "Errors" }).last().click();
      const row = page.getByRole("row").filter({ hasText: "TypeError" });
      await expect(row).toContainText("Cannot read properties of undefined");
      await expect(row.getByRole("cell").nth(2)).toHaveText("Events2");
      await expect(row.getByRole("cell").nth(3)).toHaveText("People1");
      await expect(row.getByRole("img", { name: "2 events in the last 24 hours" })).toBeVisible();
      await expect(page.getByText("1 of types that are not stored (transaction)")).toBeVisible();
      await page.getByLabel("Environment").fill("staging");
      await page.getByRole("button", { name: "Show" }).click();
      await expect(page.getByRole("link", { name: "Disk is nearly full" })).toHaveCount(0);
      await page.getByRole("link", { name: "TypeError" }).click();

      await expect(page.getByText("1 of 2 stored events")).toBeVisible();
      await expect(page.locator("details[open]")).toContainText("app/checkout.js:42:7");
      await expect(page.locator("details[open] mark")).toContainText("const total = cart.items");
      await expect(page.locator("li details:not([open])")).toContainText("express");
      await expect(page.getByText("GET /cart")).toBeVisible();
      await expect(page.getByText("https://shop.example/checkout")).toBeVisible();
      await page.getByRole("link", { name: "Older" }).click();
      await expect(page.getByText("2 of 2 stored events")).toBeVisible();
      await page.getByRole("link", { name: "14 days" }).click();
      await expect(
        page.getByRole("img", { name: /^Events in the last 14 days\. Events: 2\./ }),
      ).toBeVisible();

      for (const comment of ["The cart is **empty**", "Fixed in the next release"]) {
        await page.getByLabel("Add a comment").fill(comment);
        await page.getByRole("button", { name: "Add comment" }).click();
        await expect(page.getByText("The comment is added.")).toBeVisible();
        await expect(page.getByLabel("Add a comment")).toHaveValue("");
      }
      await expect(page.getByText("The cart is empty")).toBeVisible();
      await expect(page.getByText("Fixed in the next release")).toBeVisible();

      await page.getByRole("button", { name: "Resolve" }).click();
      await expect(page.getByText("The error becomes unresolved if it occurs again")).toBeVisible();
      await page.goto(`${home}/errors`);
      await expect(page.getByRole("link", { name: "TypeError" })).toHaveCount(0);
      await report(dsn, FAILURE);
      await page.reload();
      await page.getByRole("link", { name: "TypeError" }).click();
      await page.getByRole("button", { name: "Ignore" }).click();
      await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
      await page.goto(`${home}/errors?status=ignored`);
      await expect(page.getByRole("link", { name: "TypeError" })).toBeVisible();

      await page.goto(`${home}/settings/error_tracking`);
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByLabel(/^DSN of key/)).toHaveCount(2);
      await page.getByRole("button", { name: "Delete…" }).first().click();
      await page.getByRole("button", { name: /^Delete key \d+$/ }).click();
      await expect(page.getByLabel(/^DSN of key/)).toHaveCount(1);
      expect((await fetch(storeUrl(dsn), { method: "POST", body: "{}" })).status).toBe(401);
    });

    test("a user configures an external error tracking service, and the form shows an error message at each field with an invalid value", async ({
      page,
      instance,
    }) => {
      const owner = javaScriptEnabled ? "external-on" : "external-off";
      const home = await projectOf(instance, owner);
      await openAs(page, owner, `${home}/settings/error_tracking`);
      await page.getByLabel("Track the errors of this project").check();
      await page.getByLabel("Another service").check();
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("The API URL is a required field.")).toBeVisible();
      await page.getByLabel("API URL").fill("https://errors.example/api/0/projects/acme/shop");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("The token is a required field.")).toBeVisible();
      await expect(page.getByLabel("API URL")).toHaveValue(/acme\/shop$/);
      await page.getByLabel("Token").fill("the-token-of-the-other-one");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Error tracking is on.")).toBeVisible();
      await expect(page.getByPlaceholder("Stored")).toHaveValue("");
      expect(await page.content()).not.toContain("the-token-of-the-other-one");
      await page.goto(`${home}/errors`);
      await expect(page.getByRole("link", { name: "https://errors.example/acme/shop" })).toBeVisible();
    });
  });

test("a user with the role Reporter can read but not change tracked errors, and a guest cannot see tracked errors", async ({
  page,
  instance,
}) => {
  const home = await projectOf(instance, "decider");
  await report(await track(instance, "decider", home), FAILURE);
  const call = await apiOf(instance, "decider");
  for (const [username, access_level] of [
    ["reader", 20],
    ["guest", 10],
  ] as const) {
    await makeUser(instance, username);
    await call("POST", `${home}/members`, { username, access_level });
  }
  await openAs(page, "reader", `${home}/errors`);
  await page.getByRole("link", { name: "TypeError" }).click();
  await expect(page.getByRole("heading", { name: "Latest event" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Resolve|Ignore/ })).toHaveCount(0);
  const error = page.url();
  await openAs(page, "guest", home);
  await expect(page.getByRole("link", { name: "Errors" })).toHaveCount(0);
  await expect(page.getByText("unresolved")).toHaveCount(0);
  expect((await page.goto(error))?.status()).toBe(404);
});

test("the pages of tracked errors accept any query parameters and fit on a phone screen", async ({
  page,
  instance,
}) => {
  const home = await projectOf(instance, "fuzzed");
  const dsn = await track(instance, "fuzzed", home);
  await report(dsn, {
    ...FAILURE,
    exception: { values: [{ type: "T".repeat(200), value: "v".repeat(1000) }] },
  });
  await report(dsn, {
    message: "<script>alert(1)</script>\u202e",
    level: "fatal",
    tags: { a: "t".repeat(200) },
  });
  await page.setViewportSize({ width: 390, height: 800 });
  await openAs(page, "fuzzed", `${home}/errors`);
  await expectNoOverflow(page);
  for (const link of await page.locator("tbody a").all()) expect(await link.isVisible()).toBe(true);
  for (const query of [
    "?status=nothing&sort=x&range=1y&page=0",
    "?page=500&status=all",
    `?search=${"a".repeat(3000)}&environment=%00`,
    "?status=all&status=ignored&search=%25_%5C",
  ])
    expect((await page.goto(`${home}/errors${query}`))?.status(), query).toBe(200);
  await page.goto(`${home}/errors`);
  const paths = await page
    .locator("tbody a")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  expect(paths).toHaveLength(2);
  for (const path of paths) {
    await page.goto(path);
    await expectNoOverflow(page);
    expect((await page.goto(`${path}?event=nothing&range=14d`))?.status()).toBe(200);
  }
  for (const id of ["0", "99999", "x", "9".repeat(40)])
    expect((await page.goto(`${home}/errors/${id}`))?.status(), id).toBe(404);
});

test("a new tracked error appears in the list without a reload, and the user resolves all selected tracked errors together", async ({
  page,
  instance,
}) => {
  const home = await projectOf(instance, "bulk");
  const dsn = await track(instance, "bulk", home);
  await report(dsn, { message: "First failure" });
  await report(dsn, { message: "Second failure" });
  await openAs(page, "bulk", `${home}/errors`);
  await page.getByRole("checkbox", { name: "Select First failure" }).check();
  await report(dsn, { message: "Third failure" });
  // The page with the list of tracked errors also polls when the page becomes visible.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByRole("link", { name: "Third failure" })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Select First failure" })).toBeChecked();
  await page.getByRole("checkbox", { name: "Select Second failure" }).check();
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect(page.getByText("2 errors were resolved.")).toBeVisible();
  await expect(page.getByRole("link", { name: "First failure" })).toHaveCount(0);
  await report(dsn, { message: "First failure" });
  await page.goto(`${home}/errors`);
  await expect(page.getByRole("row").filter({ hasText: "First failure" })).toContainText("Regressed");

  await page.getByLabel("Select all on this page").check();
  for (const box of await page.getByRole("checkbox", { name: /^Select \w+ failure/ }).all())
    await expect(box).toBeChecked();
  await page.getByRole("button", { name: "Ignore", exact: true }).click();
  await expect(page.getByText("2 errors were ignored.")).toBeVisible();
});

test.describe("tracked errors without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("on a separate page, the user selects a new status for all tracked errors that match the filters", async ({
    page,
    instance,
  }) => {
    const home = await projectOf(instance, "every");
    const dsn = await track(instance, "every", home);
    for (const message of ["Cart failure", "Other cart failure", "Search failure"])
      await report(dsn, { message });
    await openAs(page, "every", `${home}/errors?search=cart`);
    await expect(page.getByLabel("Select all on this page")).toBeHidden();
    await page.getByRole("link", { name: "Change all 2 errors" }).click();
    await expect(page.getByRole("heading", { name: "Change 2 errors" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Reopen" })).toHaveCount(0);
    await report(dsn, { message: "Later cart failure" });
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await expect(page.getByText("2 errors were resolved.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Later cart failure" })).toBeVisible();
    await expect(page.getByRole("searchbox")).toHaveValue("cart");
  });
});
