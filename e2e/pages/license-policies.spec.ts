import { replaceText } from "./hydration.ts";
import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { expectNoOverflow, makeUser, openAs } from "./user.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(`a maintainer creates, edits and deletes a license policy, which a developer can only read (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      page,
      instance,
    }) => {
      const [owner, dev, reporter] = javaScriptEnabled
        ? ["lena", "levi", "lars"]
        : ["lydia", "lukas", "leon"];
      for (const name of [owner, dev, reporter]) await makeUser(instance, name);
      const call = await apiOf(instance, owner);
      const { id } = await call("POST", "/projects", { name: "Licensed", path: "licensed" });
      await call("POST", `/projects/${id}/members`, { username: dev, access_level: 30 });
      await call("POST", `/projects/${id}/members`, { username: reporter, access_level: 20 });
      await call("POST", `/projects/${id}/managed_licenses`, { name: "WTFPL", approval_status: "denied" });
      const settings = `/projects/${id}/settings`;
      const path = `${settings}/license_policies`;

      await page.setViewportSize({ width: 390, height: 800 });
      await openAs(page, owner, settings);
      await page.getByRole("link", { name: "License policies" }).click();
      await expect(page.getByText("No license policies yet")).toBeVisible();
      await expectNoOverflow(page);
      await page.getByRole("link", { name: "New policy" }).click();
      await page.getByLabel("Name", { exact: true }).fill("No copyleft");
      await page.getByRole("button", { name: "Create policy" }).click();
      await expect(page.getByText("The deny list and the allow list cannot both be empty.")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("No copyleft");
      await page.getByLabel("Deny list").fill("GPL-3.0-only\nAGPL-3.0-only");
      await page.getByLabel("Approvals that permit a violation").fill("two");
      await page.getByRole("button", { name: "Create policy" }).click();
      await expect(page.getByText("Enter a whole number from 0 to 100.")).toBeVisible();
      await page.getByLabel("Approvals that permit a violation").fill("2");
      await page.getByRole("button", { name: "Create policy" }).click();
      await expect(page.getByText("The policy is created.")).toBeVisible();
      await expect(page.getByText("2 approvals permit a violation.")).toBeVisible();
      const listed = async () =>
        (await call("GET", `/projects/${id}/license_approval_policies`)) as unknown as readonly object[];
      expect(await listed()).toMatchObject([
        {
          name: "No copyleft",
          enabled: true,
          deny_list: ["GPL-3.0-only", "AGPL-3.0-only"],
          allow_list: [],
          approvals_required: 2,
        },
      ]);

      await page.getByRole("link", { name: "Edit No copyleft" }).click();
      await expect(page.getByLabel("Deny list")).toHaveValue("GPL-3.0-only\nAGPL-3.0-only");
      await replaceText(page.getByLabel("Deny list"), "");
      await page.getByLabel("Allow list").fill("MIT");
      await page.getByLabel("Enforce this policy").uncheck();
      await page.getByRole("button", { name: "Save policy" }).click();
      await expect(page.getByText("The policy is saved.")).toBeVisible();
      await expect(page.getByText("Not enforced")).toBeVisible();
      expect(await listed()).toMatchObject([{ enabled: false, deny_list: [], allow_list: ["MIT"] }]);
      await page.getByRole("button", { name: "Convert to a policy" }).click();
      await expect(page.getByText("The managed licenses are converted to a policy.")).toBeVisible();
      expect(await listed()).toHaveLength(2);

      await openAs(page, dev, path);
      await expect(page.getByRole("heading", { name: "No copyleft" })).toBeVisible();
      for (const name of ["New policy", "Edit No copyleft", "Delete"])
        await expect(page.getByRole("main").getByText(name)).toHaveCount(0);
      expect((await page.goto(`${path}/new`))?.status()).toBe(404);
      await openAs(page, reporter, settings);
      expect((await page.goto(path))?.status()).toBe(404);

      await openAs(page, owner, path);
      const policy = page
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: "No copyleft" }) });
      await policy.getByRole("button", { name: "Delete…" }).press("Enter");
      await page.getByRole("button", { name: "Delete this policy" }).press("Enter");
      await expect(page.getByText("The policy is deleted.")).toBeVisible();
      expect(await listed()).toMatchObject([{ name: "Managed licenses" }]);
    });
  });
