import type { Page } from "@playwright/test";
import { afterThisFile, releaseAll } from "../../src/testing/release.ts";
import { linkIn, type ReceivedMail, startMailServer } from "../../src/testing/smtp.ts";
import { test as base, expect, type InstanceOptions } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";
import { startSession } from "../oauth/fixtures.ts";
import { watch } from "../watched.ts";
import { expectNoOverflow, givePassword } from "./user.ts";

const EMAIL = "ida@example.com";
const FIRST_PASSWORD = "copper kettle morning";
const NEXT_PASSWORD = "velvet harbour seven";
const PHONE = { width: 390, height: 844 };

/** An instance that sends its e-mails to an SMTP server that these tests start. */
type Own = Readonly<{ instance: Instance; received: readonly ReceivedMail[] }>;

let started: Promise<Own> | undefined;

async function startOwn(database: InstanceOptions["database"]): Promise<Own> {
  const { url, received } = await startMailServer();
  const env = { SMTP_URL: url, MAIL_FROM: "Acme ID <id@example.com>" };
  const instance = await startInstance({ database, env });
  afterThisFile(() => instance.stop());
  return { instance, received };
}

const test = base.extend<{ own: Own }>({
  own: async ({ database }, use) => {
    started ??= startOwn(database);
    await use(await started);
  },
  // This fixture replaces the shared instance, so the shared instance is not started.
  baseURL: async ({ own: { instance } }, use) => use(instance.baseUrl),
});

test.afterAll(releaseAll);

/** Waits until the new user receives the e-mail with this subject. */
async function mailAbout({ received }: Own, subject: RegExp): Promise<ReceivedMail> {
  const find = () =>
    received.find(({ to, headers }) => to.includes(EMAIL) && subject.test(headers["subject"] ?? ""));
  await expect
    .poll(() => find()?.headers["subject"], { message: `an e-mail about ${subject}` })
    .toBeDefined();
  return find() ?? Promise.reject(new Error(`There is no e-mail about ${subject}.`));
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Returns the entry of a navigation list that is marked as the current page. */
const currentOf = (page: Page, label: string) =>
  page.getByRole("navigation", { name: label }).locator("[aria-current=page]");

test("an invited person joins, resets the password, requests and cancels the deletion of the account, and an administrator deletes the account", async ({
  page,
  browser,
  own,
}) => {
  const { baseUrl, rootPassword } = own.instance;
  const complaints: string[] = [];
  watch(page.context(), baseUrl, complaints);
  await page.setViewportSize(PHONE);
  const adminContext = await browser.newContext({ baseURL: baseUrl });
  watch(adminContext, baseUrl, complaints);
  const admin = await adminContext.newPage();
  await startSession(admin, "", "root", rootPassword);

  await test.step("a user who opens the link of an invitation creates an account with a confirmed e-mail address", async () => {
    await admin.goto("/admin/invitations");
    await expect(currentOf(admin, "Administration")).toHaveText("Users");
    await admin.getByLabel("E-mail address").fill(EMAIL);
    await button(admin, "Send invitation").click();
    await expect(admin.getByText(`An invitation was sent to ${EMAIL}.`)).toBeVisible();

    await page.goto(linkIn(await mailAbout(own, /invit/i), "invitation_token"));
    await expect(page.getByRole("heading", { name: "You are invited" })).toBeVisible();
    await expectNoOverflow(page);
    await page.getByLabel("Username").fill("ida");
    await page.getByLabel("Name", { exact: true }).fill("Ida Example");
    await page.getByLabel("Password", { exact: true }).fill(FIRST_PASSWORD);
    await button(page, "Create account").click();
    await expect(page).toHaveURL(`${baseUrl}/`);
    await page.goto("/user_settings/profile");
    await expect(page.getByText(EMAIL, { exact: true })).toBeVisible();
    await admin.goto("/admin/users?search=ida");
    await admin.getByRole("main").getByRole("link", { name: "ida" }).first().click();
    await expect(admin.getByText(EMAIL, { exact: true })).toBeVisible();
  });

  await test.step("the link in an e-mail allows the user to replace a forgotten password", async () => {
    await page.context().clearCookies();
    await page.goto("/users/sign_in");
    await page.getByRole("link", { name: /forgot/i }).click();
    await page.getByLabel("E-mail").fill(EMAIL);
    await button(page, "Send link").click();
    await expect(page.getByText("If an account has this e-mail address", { exact: false })).toBeVisible();
    await page.goto(linkIn(await mailAbout(own, /password/i), "reset_password_token"));
    await page.getByLabel("New password", { exact: true }).fill(NEXT_PASSWORD);
    await page.getByLabel("New password again").fill(NEXT_PASSWORD);
    await button(page, "Change password").click();
    await expect(page.getByText("Your password is changed.", { exact: false })).toBeVisible();
    await givePassword(page, "ida", NEXT_PASSWORD);
    await expect(page).toHaveURL(`${baseUrl}/`);
  });

  await test.step("without JavaScript, a user requests the deletion of their account and then cancels the deletion", async () => {
    const plainContext = await browser.newContext({ baseURL: baseUrl, javaScriptEnabled: false });
    const plain = await plainContext.newPage();
    await plain.setViewportSize(PHONE);
    await plain.goto("/user_settings/delete_account");
    await givePassword(plain, "ida", NEXT_PASSWORD);
    await expect(plain.getByText("Your account is deleted after 7 days.")).toBeVisible();
    await expect(currentOf(plain, "Settings")).toHaveText("Profile");
    await plain.getByLabel("Enter ida to confirm").fill("ada");
    await button(plain, "Delete my account").click();
    await expect(
      plain.getByText("The entered username is not your username.", { exact: false }),
    ).toBeVisible();
    await plain.getByLabel("Enter ida to confirm").fill("ida");
    await button(plain, "Delete my account").click();
    await expect(plain.getByText("Your account will be deleted in 7 days", { exact: false })).toBeVisible();
    expect((await mailAbout(own, /will be deleted/)).text).toContain("Keep my account");
    for (const tab of [page, plain]) {
      await tab.goto("/user_settings/profile");
      await expect(tab, "the user is signed out").toHaveURL(/\/users\/sign_in/);
    }
    await givePassword(plain, "ida", NEXT_PASSWORD);
    await expect(plain.getByRole("heading", { name: "Your account will be deleted" })).toBeVisible();
    await button(plain, "Keep my account").click();
    await plain.goto("/user_settings/profile");
    await expect(plain).toHaveURL(/\/user_settings\/profile$/);
    await expect(plain.getByText(EMAIL, { exact: true })).toBeVisible();
    await plainContext.close();
  });

  await test.step("an administrator deletes the account", async () => {
    await admin.reload();
    const userPage = admin.url();
    await admin.getByLabel("Enter ida to confirm").fill("ada");
    await button(admin, "Delete this user").click();
    await expect(admin.getByText("Nothing was changed.", { exact: false })).toBeVisible();
    await admin.getByLabel("Enter ida to confirm").fill("ida");
    await button(admin, "Delete this user").click();
    await expect(admin.getByText("The user is being deleted.", { exact: false })).toBeVisible();
    await mailAbout(own, /was deleted/);
    expect((await admin.goto(userPage))?.status()).toBe(404);
    await page.goto("/users/sign_in");
    await givePassword(page, "ida", NEXT_PASSWORD);
    await expect(page.getByText("The username or password is wrong", { exact: false })).toBeVisible();
  });

  await adminContext.close();
  expect(complaints, "errors that the browser reported").toEqual([]);
});
