import { expect, test } from "./journey.ts";
import { errorOn, expectNoOverflow, givePassword, makeUser, PASSWORD } from "./user.ts";

const PHONE = { width: 390, height: 844 };

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a visitor registers while the instance allows registrations, and continues to the requested page", async ({
      page,
      instance,
    }) => {
      const username = javaScriptEnabled ? "newcomer" : "plain-newcomer";
      const taken = `other-${username}`;
      await makeUser(instance, taken);
      await instance.cli("setting", "set", "signup_enabled", "true");
      await page.setViewportSize(PHONE);
      await page.goto("/user_settings/applications");
      await page.getByRole("link", { name: "Create an account" }).click();
      await expectNoOverflow(page);
      await page.getByLabel("Username").fill(taken);
      await page.getByLabel("Name", { exact: true }).fill("Nadia Newcomer");
      await page.getByLabel("E-mail").fill(`${username}@example.com`);
      await page.getByLabel("Password").fill("short");
      await page.getByRole("button", { name: "Create account" }).click();
      await expect(page.getByText("The password must have at least 8 characters.")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Nadia Newcomer");
      await page.getByLabel("Password").fill("long enough");
      await page.getByRole("button", { name: "Create account" }).click();
      await expect(page.getByText("The username is already taken.")).toBeVisible();
      await expectNoOverflow(page);
      await page.getByLabel("Username").fill(username);
      await page.getByLabel("Password").fill("long enough");
      await page.getByRole("button", { name: "Create account" }).click();
      await expect(page).toHaveURL(/\/user_settings\/applications$/);

      await instance.cli("setting", "set", "signup_enabled", "false");
      await page.context().clearCookies();
      await page.goto("/users/sign_in");
      await expect(page.getByRole("link", { name: "Create an account" })).toHaveCount(0);
      await page.goto("/users/sign_up");
      await expect(page.getByText("Registration is closed")).toBeVisible();
    });
  });

test("the sign-in page shows a waiting time after too many wrong passwords", async ({ page, instance }) => {
  await makeUser(instance, "forgetful");
  await page.goto("/users/sign_in");
  for (let guess = 0; guess < 10; guess++) {
    await givePassword(page, "forgetful", `guess ${guess}`);
    await expect(errorOn(page)).toContainText("The username or password is wrong.");
  }
  await givePassword(page, "forgetful");
  await expect(errorOn(page)).toContainText(/Too many attempts\. Try again in [123] minutes?\./);
});

test("the sign-in page shows the password while the user wants to see it, and hides it before the form is submitted", async ({
  page,
}) => {
  await page.goto("/users/sign_in");
  const password = page.getByLabel("Password", { exact: true });
  const toggle = page.getByRole("button", { name: "Show password" });
  await page.getByLabel("Username or e-mail").fill("curious");
  await password.fill(PASSWORD);
  await expect(password).toHaveAttribute("type", "password");
  await toggle.click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await toggle.click();
  await expect(password).toHaveAttribute("type", "password");
  await toggle.click();
  await password.evaluate((field: HTMLInputElement) => {
    // The script of the page handles the event first, because the page has added its listener first.
    field.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      document.title = `submitted as ${field.type}`;
    });
  });
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveTitle("submitted as password");
});
