import { expect, test } from "./journey.ts";
import { expectNoOverflow } from "./user.ts";

const OLD_URL = "/help/api#get_projects_id";

test("an old bookmark of an endpoint in the former single-page reference opens the page of the resource", async ({
  page,
}) => {
  await page.goto(OLD_URL);
  await expect(page).toHaveURL("/help/api/projects#get_projects_id");
  await expect(page.locator("article#get_projects_id")).toBeInViewport();
});

test.describe("the API reference without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a visitor finds an endpoint by the search, and opens an endpoint with an old bookmark", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/help/api");
    await page.getByLabel("Search endpoints").fill("renew secret");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "/renew-secret" })).toHaveCount(1);
    await expectNoOverflow(page);
    await page.getByRole("link", { name: "/renew-secret" }).click();
    await expect(page).toHaveURL(/\/help\/api\/applications#/);
    await expect(page.getByRole("heading", { level: 1, name: "Applications" })).toBeVisible();
    await expectNoOverflow(page);

    await page.goto("/help/api?search=nothing+like+this");
    await expect(page.getByText("No matching endpoints")).toBeVisible();
    await page.goto(OLD_URL);
    await page.locator("#get_projects_id").getByRole("link").click();
    await expect(page).toHaveURL("/help/api/projects#get_projects_id");
  });
});

test("the API reference returns 404 for a resource that does not exist", async ({ page }) => {
  const response = await page.goto("/help/api/nothing");
  expect(response?.status()).toBe(404);
});
