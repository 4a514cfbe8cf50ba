import type { Instance } from "../instance.ts";
import { expect, test } from "./journey.ts";
import { openAs } from "./user.ts";

/** Returns the status of a verification of a runner token: 200 for a valid token. */
async function verificationStatus(instance: Instance, token: string): Promise<number> {
  const body = new URLSearchParams({ token });
  return (await fetch(`${instance.baseUrl}/api/v4/runners/verify`, { method: "POST", body })).status;
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(`an administrator creates a runner, pauses and resumes it, resets its token and deletes it (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      page,
      instance,
    }) => {
      const description = `Builder ${javaScriptEnabled ? "One" : "Two"}`;
      await openAs(page, "root", "/admin/runners", instance.rootPassword);
      await page.getByRole("link", { name: "Create runner" }).click();
      await page.getByLabel("Description").fill(description);
      await page.getByLabel("Tags").fill("docker");
      await page.getByRole("button", { name: "Create runner" }).click();
      const shown = page.getByLabel("Runner authentication token", { exact: true });
      const first = await shown.inputValue();
      expect(await verificationStatus(instance, first)).toBe(200);
      await page.getByRole("link", { name: "Done" }).click();

      const row = page.getByRole("listitem").filter({ hasText: description });
      await row.getByRole("button", { name: /^Pause/ }).click();
      await expect(page.getByText("The runner is paused and receives no new jobs.")).toBeVisible();
      await expect(row.getByText("paused", { exact: true })).toBeVisible();
      await row.getByRole("button", { name: /^Resume/ }).click();
      await expect(page.getByText("The runner is resumed and receives jobs again.")).toBeVisible();

      await row.getByRole("button", { name: "Reset token…" }).click();
      await page.getByRole("button", { name: /^Reset the token of runner \d+$/ }).click();
      await expect(page.getByText("You cannot view the token again.")).toBeFocused();
      const second = await shown.inputValue();
      expect(second).not.toBe(first);
      expect(await verificationStatus(instance, first)).toBe(403);
      expect(await verificationStatus(instance, second)).toBe(200);
      await page.goto("/admin/runners");
      await expect(row).toBeVisible();
      expect(await page.content(), "the page shows the token once").not.toContain(second);

      await row.getByRole("button", { name: "Delete…" }).click();
      await page.getByRole("button", { name: /^Delete runner \d+$/ }).click();
      await expect(page.getByText("The runner is deleted.")).toBeVisible();
      await expect(row).toHaveCount(0);
      expect(await verificationStatus(instance, second)).toBe(403);
    });
  });
