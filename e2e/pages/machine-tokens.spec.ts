import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { expectNoOverflow, makeUser, openAs } from "./user.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a maintainer creates, rotates and revokes tokens of a project", async ({ page, instance }) => {
      const owner = javaScriptEnabled ? "maura" : "maurice";
      await makeUser(instance, owner);
      const call = await apiOf(instance, owner);
      const { id } = await call("POST", "/projects", { name: "Pier", path: "pier" });
      const settings = `/projects/${id}/settings`;
      const status = async (token: string): Promise<number> =>
        (await fetch(`${instance.baseUrl}/api/v4/projects/${id}`, { headers: { "private-token": token } }))
          .status;
      const shownValue = (label: string) => page.getByLabel(label, { exact: true }).inputValue();

      await openAs(page, owner, `${settings}/access_tokens`);
      await page.getByRole("link", { name: "Create token" }).click();
      await page.getByRole("button", { name: "Create token" }).click();
      await expect(page.getByText("Select at least one scope.")).toBeVisible();
      await page.getByLabel("Name", { exact: true }).fill("Nightly build");
      await page.getByLabel("Role").selectOption("reporter");
      await page.getByLabel("read_api", { exact: true }).check();
      await page.getByRole("button", { name: "Create token" }).click();
      await expect(page.getByText("You cannot view the token again.")).toBeVisible();
      const first = await shownValue("Token");
      expect(await status(first)).toBe(200);
      await page.getByRole("link", { name: "Done" }).click();
      await expect(page.getByText("Reporter")).toBeVisible();
      await expectNoOverflow(page);
      await page.getByRole("button", { name: "Rotate…" }).click();
      await page.getByRole("button", { name: "Rotate this token" }).click();
      await expect(page.getByText("You cannot view the token again.")).toBeVisible();
      const second = await shownValue("Token");
      expect([await status(second), await status(first)]).toEqual([200, 401]);
      // A request used the first token after the rotation, so the server has revoked the second token.
      await page.goto(`${settings}/access_tokens`);
      await expect(page.getByText("This project has no access tokens")).toBeVisible();

      await page.goto(`${settings}/deploy_tokens/new`);
      await page.getByLabel("Name", { exact: true }).fill("Web server");
      await page.getByLabel("read_repository", { exact: true }).check();
      await page.getByRole("button", { name: "Create token" }).click();
      const username = page.getByLabel("Username", { exact: true });
      await expect(username).toHaveValue(/^gitlab\+deploy-token-\d+$/);
      expect(await shownValue("Token")).toMatch(/^ghdt_/);
      await page.getByRole("link", { name: "Done" }).click();
      await expect(page.getByText("Web server", { exact: true })).toBeVisible();
      await expectNoOverflow(page);
      await page.getByRole("button", { name: "Revoke…" }).click();
      await page.getByRole("button", { name: "Revoke this token" }).click();
      await expect(page.getByText("This project has no deploy tokens")).toBeVisible();
    });
  });
