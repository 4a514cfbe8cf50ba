import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { Instance } from "../instance.ts";
import { callApi, exchange, newRun, register, withPkce } from "../oauth/fixtures.ts";
import { expect, test } from "./journey.ts";

const PASSWORD = "correct horse battery";
const AUTHORIZED = "/user_settings/authorized_applications";
const TOKENS = "/user_settings/personal_access_tokens";
const SESSIONS = "/user_settings/sessions";
const PROFILE = "/user_settings/profile";

async function createUser(instance: Instance, username: string): Promise<void> {
  const about = ["--username", username, "--email", `${username}@example.com`, "--password", PASSWORD];
  expect((await instance.cli("user", "create", ...about)).stderr).toBe("");
}

async function signIn(page: Page, path: string, login: string, password = PASSWORD): Promise<void> {
  await page.goto(path);
  await giveCredentials(page, login, password);
  await expect(page).not.toHaveURL(/\/users\/sign_in/);
}

async function giveCredentials(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel("Username or e-mail").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

type Clients = Readonly<{ site: { redirectUri: string; received: () => readonly { url: URL }[] } }>;

/** Runs the authorization code flow of a public application in a browser where the user is signed in. */
async function grantTo(
  page: Page,
  instance: Instance,
  site: Clients["site"],
  client: Readonly<{ client_id: string }>,
): Promise<string> {
  const run = withPkce(await newRun(instance, client, { redirect_uri: site.redirectUri }));
  await page.goto(run.url);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveTitle("The client");
  const [callback] = site.received();
  if (callback === undefined) throw new Error("Nothing arrived at the client.");
  const { redirectUri } = site;
  const response = { url: callback.url, state: run.state, redirectUri, verifier: run.verifier };
  return (await exchange(instance, client, response)).access_token;
}

const callWith = (instance: Instance, token: string): Promise<Response> =>
  fetch(`${instance.baseUrl}/api/v4/user`, { headers: { "private-token": token } });

test("a user sees and revokes an authorized application, and the API then refuses the token of the application", async ({
  page,
  instance,
  clients,
}) => {
  await createUser(instance, "ann");
  await signIn(page, AUTHORIZED, "ann");
  await expect(page.getByText("No application can use your account")).toBeVisible();
  const { site, publicClient } = clients;
  const first = await grantTo(page, instance, site, publicClient);
  const second = await grantTo(page, instance, site, publicClient);
  const used = await fetch(`${instance.baseUrl}/oauth/token/info`, {
    headers: { authorization: `Bearer ${second}`, "user-agent": "acme-cli/2.1 (Linux)" },
  });
  expect(used.status).toBe(200);

  await page.goto(AUTHORIZED);
  const card = page.locator("details").filter({ hasText: "Acme CLI" });
  await expect(card.getByText("Read your profile", { exact: false })).toBeVisible();
  const grants = card.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Revoke…" }) });
  await expect(grants).toHaveCount(2);
  await expect(grants.first()).toContainText("Allowed in a browser just now");
  await expect(grants.first()).toContainText("last used just now from");

  const chart = card.getByRole("img", { name: "Tokens issued in the last 7 days: 0, 0, 0, 0, 0, 0, 2" });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(chart).toBeVisible();
    expect((await chart.boundingBox())?.width, `the width of the chart at ${width}`).toBe(80);
  }

  await grants.first().getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("button", { name: "Revoke this token" }).click();
  await expect(page.getByText("The token is revoked.")).toBeVisible();
  await expect(grants).toHaveCount(1);
  const statuses = await Promise.all(
    [first, second].map(
      async (token) => (await callApi(instance, token).catch(() => ({ status: 401 }))).status,
    ),
  );
  expect(statuses.toSorted()).toEqual([200, 401]);

  await card.getByRole("button", { name: "Revoke all…" }).click();
  await page.getByRole("button", { name: "Revoke all", exact: true }).click();
  await expect(page.getByText("No application can use your account")).toBeVisible();
  for (const token of [first, second]) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${instance.baseUrl}/api/v4/user`, { headers })).status).toBe(401);
  }
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a user creates, uses, rotates and revokes a personal access token", async ({ page, instance }) => {
      const name = javaScriptEnabled ? "bob" : "bea";
      await createUser(instance, name);
      await signIn(page, TOKENS, name);
      await page.getByRole("link", { name: "Create token" }).click();
      await expect(page.getByLabel("Expiration date")).toHaveValue(/^\d{4}-\d{2}-\d{2}$/);
      await page.getByLabel("Name", { exact: true }).fill("laptop");
      await page.getByRole("button", { name: "Create token" }).click();
      await expect(page.getByText("Select at least one scope.")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("laptop");
      await page.getByLabel("read_user", { exact: true }).check();
      await page.getByRole("button", { name: "Create token" }).click();
      const shown = page.getByLabel("Token", { exact: true });
      const value = await shown.inputValue();
      expect(value).toMatch(/^ghpt_/);
      expect((await callWith(instance, value)).status).toBe(200);

      await page.getByRole("link", { name: "Done" }).click();
      const row = page.getByRole("listitem").filter({ hasText: "laptop" });
      await expect(row).toContainText("last used just now");
      await expect(row).toContainText(/expires in \d+ days/);
      expect(await page.content()).not.toContain(value);
      await row.getByRole("button", { name: "Rotate…" }).click();
      await page.getByRole("button", { name: "Rotate this token" }).click();
      await expect(shown).not.toHaveValue(value);
      const next = await shown.inputValue();
      expect((await callWith(instance, next)).status).toBe(200);

      await page.goto(TOKENS);
      await expect(shown).toHaveCount(0);
      await row.getByRole("button", { name: "Revoke…" }).click();
      await page.getByRole("button", { name: "Revoke this token" }).click();
      await expect(page.getByText("You have no personal access tokens")).toBeVisible();
      for (const ended of [value, next]) expect((await callWith(instance, ended)).status).toBe(401);
    });

    test("a user changes their name, e-mail address and password", async ({
      page,
      instance,
      browser,
      watch,
    }) => {
      const name = javaScriptEnabled ? "carl" : "cleo";
      await createUser(instance, name);
      const elsewhere = await browser.newContext({ baseURL: instance.baseUrl });
      watch(elsewhere);
      const other = await elsewhere.newPage();
      await signIn(other, PROFILE, name);
      await signIn(page, PROFILE, name);

      await page.getByLabel("Name", { exact: true }).fill("شهرزاد المصري");
      await page.getByLabel("Private profile").check();
      await page.getByRole("button", { name: "Save profile" }).click();
      await expect(page.getByText("Your profile is saved.")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("شهرزاد المصري");
      await expect(page.getByLabel("Private profile")).toBeChecked();
      // The test waits until the message "Your profile is saved." disappears, because the next form on the
      // page shows another message.
      await expect(page.getByText("Your profile is saved.")).toBeHidden();

      const email = page.locator("form", { has: page.getByLabel("New e-mail address") });
      await email.getByLabel("New e-mail address").fill(`${name}@new.example`);
      await email.getByLabel("Current password").fill("not the password");
      await email.getByRole("button").click();
      await expect(email.getByText("This is not your current password.", { exact: false })).toBeVisible();
      await expect(email.getByLabel("New e-mail address")).toHaveValue(`${name}@new.example`);
      await expect(email.getByLabel("Current password")).toHaveValue("");
      await email.getByLabel("Current password").fill(PASSWORD);
      await email.getByRole("button").click();
      await expect(
        page.getByText("The new e-mail address is waiting for confirmation", { exact: false }),
      ).toBeVisible();
      await expect(page.getByText(`${name}@new.example is waiting for confirmation by an`)).toBeVisible();
      await expect(page.getByText(`${name}@example.com`, { exact: true })).toBeVisible();
      await page.getByRole("button", { name: "Cancel request" }).click();
      await expect(page.getByText("Your request for a new e-mail address is canceled.")).toBeVisible();
      await expect(page.getByRole("button", { name: "Cancel request" })).toBeHidden();

      await page.locator("#current-password").fill(PASSWORD);
      await page.getByLabel("New password", { exact: true }).fill("another long password");
      await page.getByLabel("Confirm new password").fill("another long passwort");
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByText("The passwords do not match.", { exact: false })).toBeVisible();
      await page.locator("#current-password").fill(PASSWORD);
      await page.getByLabel("New password", { exact: true }).fill("another long password");
      await page.getByLabel("Confirm new password").fill("another long password");
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByText("Your password is changed.", { exact: false })).toBeVisible();

      await other.goto(PROFILE);
      await expect(other).toHaveURL(/\/users\/sign_in/);
      await giveCredentials(other, name, PASSWORD);
      await expect(other.getByText("The username or password is wrong", { exact: false })).toBeVisible();
      await giveCredentials(other, name, "another long password");
      await expect(other).toHaveURL(/\/user_settings\/profile$/);
      await elsewhere.close();
    });
  });

test("a user ends the session of one other browser, and then the sessions of all other browsers", async ({
  page,
  browser,
  instance,
  watch,
}) => {
  await createUser(instance, "dora");
  await signIn(page, SESSIONS, "dora");
  await expect(page.getByText("You are not signed in anywhere else.")).toBeVisible();
  const otherPages: Page[] = [];
  for (let count = 0; count < 3; count++) {
    const context = await browser.newContext({ baseURL: instance.baseUrl });
    watch(context);
    otherPages.push(await context.newPage());
    await signIn(otherPages[count] ?? page, SESSIONS, "dora");
  }
  await page.reload();
  const sessions = page.getByRole("main").getByRole("listitem");
  await expect(sessions).toHaveCount(4);
  await expect(sessions.filter({ hasText: "this browser" })).toHaveCount(1);
  await sessions.first().getByRole("button", { name: "Sign out…" }).click();
  await sessions.first().getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(sessions).toHaveCount(3);
  const reached = async () => {
    for (const other of otherPages) await other.goto(SESSIONS);
    return otherPages.map((other) => new URL(other.url()).pathname);
  };
  expect(await reached()).toEqual([SESSIONS, SESSIONS, "/users/sign_in"]);
  await page.getByRole("button", { name: "Sign out everywhere else…" }).click();
  await page.getByRole("button", { name: "Sign out all other browsers" }).click();
  await expect(page.getByText("You are not signed in anywhere else.")).toBeVisible();
  expect(await reached()).toEqual(["/users/sign_in", "/users/sign_in", "/users/sign_in"]);
  for (const other of otherPages) await other.context().close();
});

test("a user uploads an avatar, which replaces the initials of the user, and removes the avatar", async ({
  page,
  instance,
}) => {
  await createUser(instance, "ines");
  await signIn(page, PROFILE, "ines");
  const avatar = page.locator('main img[src^="/uploads/-/system/user/avatar/"]');
  await expect(avatar).toHaveCount(0);
  const upload = async (buffer: Buffer) => {
    await page.getByLabel("Picture").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
    await page.getByRole("button", { name: "Upload" }).click();
  };
  await upload(Buffer.from("<svg/>"));
  await expect(page.getByText("The file is not a PNG, JPEG, WebP or GIF image.")).toBeVisible();
  const red = { width: 300, height: 600, channels: 3, background: "#b3372c" } as const;
  await upload(await sharp({ create: red }).png().toBuffer());
  await expect(page.getByText("Your avatar is saved.")).toBeVisible();
  for (const path of [PROFILE, "/ines"]) {
    await page.goto(path);
    const size = (image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight];
    expect(await avatar.first().evaluate(size), path).toEqual([192, 192]);
  }
  await page.goto(PROFILE);
  await page.getByRole("button", { name: "Remove avatar…" }).click();
  await page.getByRole("button", { name: "Remove the avatar" }).click();
  await expect(page.getByText("Your avatar is removed.")).toBeVisible();
  await expect(avatar).toHaveCount(0);
});

test("the account pages fit a phone screen even if names are long", async ({ page, instance, clients }) => {
  await createUser(instance, "emil");
  const { site } = clients;
  const names = ["متجر الكتب العربية", `${"unbroken".repeat(20)}`];
  const registration = ["--public", "--redirect-uri", site.redirectUri, "--scopes", "read_user", "--owner"];
  await signIn(page, PROFILE, "emil");
  for (const name of names) {
    const client = await register(instance, "--name", name, ...registration, "emil");
    await grantTo(page, instance, site, client);
    await page.goto(`${TOKENS}/new`);
    await page.getByLabel("Name", { exact: true }).fill(name);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: "Create token" }).click();
    await expect(page.getByLabel("Token", { exact: true })).toBeVisible();
    await page.goto(PROFILE);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Save profile" }).click();
    await expect(page.getByText("Your profile is saved.")).toBeVisible();
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [AUTHORIZED, TOKENS, `${TOKENS}/new`, SESSIONS, PROFILE]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
    for (const button of await page.getByRole("main").getByRole("button", { name: "…" }).all())
      expect((await button.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
  }
});
