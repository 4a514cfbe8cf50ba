import { expect, test } from "../fixtures.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a person registers, changes and deletes an application [AP-01, AP-02]", async ({
      page,
      instance,
    }) => {
      const name = `Acme ${javaScriptEnabled ? "One" : "Two"}`;
      await page.goto("/profile/applications");
      await page.getByLabel("Username or e-mail").fill("root@localhost");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByText("The name or the password is wrong")).toBeVisible();
      await expect(page.getByLabel("Username or e-mail")).toHaveValue("root@localhost");
      await page.getByLabel("Password").fill(instance.rootPassword);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page).toHaveURL(/\/user_settings\/applications$/);

      await page.getByRole("link", { name: "Register an application" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByLabel("Redirect URIs").fill("https://acme.example/callback\nhttps://acme.example/#top");
      await page.getByLabel("No: browser, mobile or device").check();
      await page.getByLabel("read_user", { exact: true }).check();
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page.getByText("Line 2 has a fragment")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
      await expect(page.getByLabel("read_user", { exact: true })).toBeChecked();

      await page.getByLabel("Redirect URIs").fill("https://acme.example/callback");
      await page.getByLabel("Yes: it keeps a secret on a server").check();
      await page.getByRole("button", { name: "Register" }).click();
      const uid = await page.getByLabel("Application ID", { exact: true }).inputValue();
      const secret = await page.getByLabel("Secret", { exact: true }).inputValue();
      expect(uid).toMatch(/^[0-9a-f]{64}$/);
      expect(secret).toMatch(/^ghcs_[\w-]{50}$/);

      await page.getByRole("link", { name: "Continue" }).click();
      await expect(page.getByRole("heading", { name })).toBeVisible();
      expect(await page.content()).not.toContain(secret);
      await page.getByText("Renew secret").click();
      await page.getByRole("button", { name: `Renew the secret of ${name}` }).click();
      const renewed = page.getByLabel("Secret", { exact: true });
      await expect(renewed).toBeVisible();
      expect(await renewed.inputValue()).not.toBe(secret);

      await page.getByRole("link", { name: "Edit" }).click();
      await page.getByLabel("Name", { exact: true }).fill(`${name} renamed`);
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("heading", { name: `${name} renamed` })).toBeVisible();

      await page.getByText("Delete this application").click();
      await page.getByRole("button", { name: `Delete ${name} renamed` }).click();
      await expect(page).toHaveURL(/\/user_settings\/applications$/);
      await expect(page.getByText(`${name} renamed`)).toHaveCount(0);
    });
  });

test("somebody else's application does not exist [AP-03]", async ({ page, instance }) => {
  const person = ["--username", "ann", "--email", "ann@example.com", "--password", "a long password"];
  expect((await instance.cli("user", "create", ...person)).code).toBe(0);
  const application = [
    "--name",
    "Hers",
    "--redirect-uri",
    "https://ann.example/",
    "--scopes",
    "api",
    "--owner",
    "ann",
  ];
  expect((await instance.cli("application", "create", ...application)).code).toBe(0);
  await page.goto("/user_settings/applications/1");
  await page.getByLabel("Username or e-mail").fill("root");
  await page.getByLabel("Password").fill(instance.rootPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  for (const path of ["", "/edit"]) {
    for (let id = 1; id <= 5; id++) {
      await page.goto(`/user_settings/applications/${id}${path}`);
      await expect(page.getByText("Hers")).toHaveCount(0);
    }
  }
  await expect(page.getByText("There is no such page")).toBeVisible();
});
