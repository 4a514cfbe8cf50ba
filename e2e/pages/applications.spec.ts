import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import * as openidClient from "openid-client";
import sharp from "sharp";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { type ClientSite, openClientSite } from "../oauth/client-site.ts";
import { register } from "../oauth/fixtures.ts";
import { untilHydrated } from "./hydration.ts";
import { test as base, expect } from "./journey.ts";
import { openAs } from "./user.ts";

const run = promisify(execFile);
const HOME = "/user_settings/applications";

/** The web site of the application. */
const test = base.extend<{ site: ClientSite }>({
  site: async ({ instance: _ }, use) => {
    const site = await openClientSite();
    await use(site);
    await site.close();
  },
});

/** Opens the page of one of the user's applications by its name. */
async function open(page: Page, name: string): Promise<void> {
  await page.goto(HOME);
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
}

/** Returns the status of a token request with this secret: 200 for a valid secret. */
async function secretStatus(instance: Instance, id: string, secret: string): Promise<number> {
  const body = new URLSearchParams({ client_id: id, client_secret: secret, token: "none" });
  return (await fetch(`${instance.baseUrl}/oauth/introspect`, { method: "POST", body })).status;
}

/**
 * Asserts that the browser asks for a confirmation before it leaves a page whose client secret was not
 * copied, and does not ask after the secret was copied.
 */
async function leaveUnsaved(page: Page): Promise<void> {
  await page.context().grantPermissions(["clipboard-write"]);
  // A copy button works only after hydration, and the browser asks for a confirmation only after hydration.
  const copyId = page.getByRole("button", { name: "Copy Application ID" });
  await expect(async () => {
    await copyId.click();
    await expect(copyId).toHaveText("Copied", { timeout: 500 });
  }).toPass();
  // On pages that are loaded over HTTP, browsers have no clipboard. The secret is then selected, but not copied.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true }));
  const copySecret = page.getByRole("button", { name: "Copy Secret" });
  await expect(async () => {
    await copySecret.click();
    await expect(copySecret).toHaveText("Text selected", { timeout: 500 });
  }).toPass();
  await expect(page.getByLabel("Secret", { exact: true })).toBeFocused();
  const asked = page.waitForEvent("dialog");
  const leaving = page.getByRole("link", { name: "Continue" }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await leaving;
  await expect(page).toHaveURL(/\/secret$/);
  await page.evaluate(() => Reflect.deleteProperty(navigator, "clipboard"));
  await copySecret.click();
  await expect(copySecret).toHaveText("Copied");
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(
      conformance(
        "AP-01",
        "AP-02",
        "a user registers an application from a template, rotates its secret, and edits and deletes the application",
      ),
      async ({ page, instance }) => {
        const name = `Acme ${javaScriptEnabled ? "One" : "Two"}`;
        await page.goto("/profile/applications");
        await page.getByLabel("Username or e-mail").fill("root@localhost");
        await page.getByLabel("Password").fill("not the password");
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await expect(page.getByText("The username or password is wrong")).toBeVisible();
        await expect(page.getByLabel("Username or e-mail")).toHaveValue("root@localhost");
        await page.getByLabel("Password").fill(instance.rootPassword);
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await expect(page).toHaveURL(/\/user_settings\/applications$/);

        await page.getByRole("link", { name: "Register an application" }).click();
        await expect(page.getByLabel("Yes, on a server")).not.toBeChecked();
        await page.getByLabel("Name", { exact: true }).fill(name);
        await page.getByRole("button", { name: "Command line or device" }).click();
        await expect(page.getByLabel("Redirect URIs")).toHaveValue("http://127.0.0.1/callback");
        await page.getByRole("button", { name: "Website or service with a server" }).click();
        await expect(page.getByLabel("Yes, on a server")).toBeChecked();
        await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
        await expect(page.getByLabel("openid", { exact: true })).toBeChecked();
        await page.getByLabel("Name", { exact: true }).fill(name);
        const uris = page.getByLabel("Redirect URIs");
        const fragment = page.getByText("Line 2 contains a fragment");
        // With JavaScript, the error appears while the user types, but only after hydration. Without
        // JavaScript, the error appears after the form is submitted.
        await expect(async () => {
          await uris.fill("");
          await uris.fill("https://acme.example/callback\nhttps://acme.example/#top");
          if (!javaScriptEnabled) await page.getByRole("button", { name: "Register" }).click();
          await expect(fragment).toBeVisible({ timeout: javaScriptEnabled ? 1_000 : 30_000 });
        }).toPass();
        await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
        await expect(page.getByLabel("openid", { exact: true })).toBeChecked();
        await page.getByLabel("Redirect URIs").fill("https://acme.example/callback");
        if (javaScriptEnabled) await expect(page.getByText("These redirect URIs are valid.")).toBeVisible();
        await page.getByRole("button", { name: "Register" }).click();
        const uid = await page.getByLabel("Application ID", { exact: true }).inputValue();
        const secret = await page.getByLabel("Secret", { exact: true }).inputValue();
        expect(uid).toMatch(/^[0-9a-f]{64}$/);
        expect(secret).toMatch(/^ghcs_[\w-]{50}$/);

        await expect(page).toHaveURL(/\/applications\/\d+\/secret$/);
        await expect(page).toHaveTitle(/^Save the secret/);
        await expect(
          page.getByRole("heading", { level: 1, name: `Save the secret of ${name}` }),
        ).toBeVisible();
        await expect(page.getByText(`CLIENT_SECRET=${secret}`)).toBeVisible();
        if (javaScriptEnabled) await leaveUnsaved(page);
        await page.getByRole("link", { name: "Continue" }).click();
        await expect(page.getByRole("heading", { name })).toBeVisible();
        expect(await page.content()).not.toContain(secret);
        await page.goBack();
        await expect(
          page.getByRole("heading", { name: `The secret of ${name} was already shown` }),
        ).toBeVisible();
        await page.getByRole("link", { name: "Continue" }).click();
        await expect(page.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
        await page.getByRole("button", { name: "Add a second secret" }).click();
        await expect(page.getByText("Both secrets of the application work.")).toBeVisible();
        const second = await page.getByLabel("Secret", { exact: true }).inputValue();
        expect(second).not.toBe(secret);
        expect(await secretStatus(instance, uid, secret)).toBe(200);
        expect(await secretStatus(instance, uid, second)).toBe(200);
        page.once("dialog", (dialog) => dialog.accept());
        await page.reload({ waitUntil: "load" });
        await expect(page.getByRole("heading", { name: "was already shown" })).toBeVisible();
        await open(page, name);
        await expect(page.getByRole("button", { name: "Add a second secret" })).toHaveCount(0);
        expect(await page.content()).not.toContain(second);
        const old = page.getByRole("listitem").filter({ hasText: `…${secret.slice(-4)}` });
        await expect(old).toContainText("last used just now");
        await old.getByRole("button", { name: "Remove…" }).click();
        await page.getByRole("button", { name: `Remove …${secret.slice(-4)}` }).click();
        await expect(page.getByText("The secret is removed.")).toBeVisible();
        expect(await secretStatus(instance, uid, secret)).toBe(401);
        expect(await secretStatus(instance, uid, second)).toBe(200);
        await expect(async () => {
          await page.reload();
          await expect(page.getByText("The client_secret was wrong.")).toBeVisible({ timeout: 5_000 });
        }).toPass();

        await page.getByRole("link", { name: "Edit" }).click();
        await page.getByLabel("Name", { exact: true }).fill(`${name} renamed`);
        await page.getByRole("button", { name: "Save" }).click();
        await expect(page.getByRole("heading", { name: `${name} renamed` })).toBeVisible();
        await expect(page.getByText(`${name} renamed is saved.`)).toBeVisible();

        await page.getByRole("button", { name: "Delete this application…" }).click();
        await page.getByRole("button", { name: `Delete ${name} renamed` }).click();
        await expect(page).toHaveURL(/\/user_settings\/applications$/);
        await expect(page.getByText(`${name} renamed is deleted.`)).toBeVisible();
        await expect(page.getByRole("link", { name: `${name} renamed` })).toHaveCount(0);
      },
    );
  });

for (const javaScriptEnabled of [true, false])
  test.describe(`removing scopes from an application ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      conformance(
        "SC-33",
        "when the owner removes scopes, existing grants keep these scopes unless the owner chooses to revoke the grants",
      ),
      async ({ page, instance, site }) => {
        const name = `Acme Narrow ${javaScriptEnabled ? "One" : "Two"}`;
        const client = await register(instance, "--name", name, ...common(site));
        await openAs(page, "root", HOME, instance.rootPassword);
        const redirect = new URLSearchParams({
          client_id: client.client_id,
          redirect_uri: site.redirectUri,
          response_type: "code",
          scope: "read_user",
        });
        const callback = await allowed(page, site, `${instance.baseUrl}/oauth/authorize?${redirect}`);
        const body = new URLSearchParams({
          grant_type: "authorization_code",
          client_id: client.client_id,
          client_secret: client.client_secret ?? "",
          redirect_uri: site.redirectUri,
          code: callback.searchParams.get("code") ?? "",
        });
        const response = await fetch(`${instance.baseUrl}/oauth/token`, { method: "POST", body });
        const { access_token } = await response.json();
        const userStatus = async () => {
          const headers = { authorization: `Bearer ${access_token}` };
          return (await fetch(`${instance.baseUrl}/api/v4/user`, { headers })).status;
        };
        const edit = async () => {
          await open(page, name);
          await page.getByRole("link", { name: "Edit" }).click();
        };
        const save = async () => {
          await page.getByRole("button", { name: "Save" }).click();
          await expect(page.getByText(`${name} is saved.`)).toBeVisible();
        };
        await edit();
        const revokes = page.getByLabel("Revoke grants with removed scopes");
        await expect(revokes).not.toBeChecked();
        await page.getByLabel("read_user", { exact: true }).uncheck();
        await save();
        expect(await userStatus()).toBe(200);
        await edit();
        await expect(page.getByLabel("read_user", { exact: true })).not.toBeChecked();
        await expect(revokes).not.toBeChecked();
        await revokes.check();
        await save();
        await expect(page.getByText("Revoked grants: 1.")).toBeVisible();
        expect(await userStatus()).toBe(401);
      },
    );
  });

/**
 * Opens the URL of an authorization request, and allows the request.
 * @returns the request that the application's site received.
 */
async function allowed(page: Page, site: ClientSite, requestUrl: string): Promise<URL> {
  await page.goto(requestUrl);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveTitle("The client");
  const [callback] = site.received();
  if (callback === undefined) throw new Error("Nothing arrived at the application.");
  return callback.url;
}

const common = (site: ClientSite) => [
  "--redirect-uri",
  site.redirectUri,
  "--scopes",
  "openid read_user",
  "--owner",
  "root",
];

for (const kind of ["confidential", "public"])
  test(
    conformance("AC-01", `the snippets on the page of a ${kind} application work without changes`),
    async ({ page, instance, site }) => {
      const name = `Pasted ${kind}`;
      const options = kind === "public" ? ["--public"] : [];
      const client = await register(instance, "--name", name, ...common(site), ...options);
      await openAs(page, "root", HOME, instance.rootPassword);
      await open(page, name);
      const snippet = (id: string) => page.locator(`#snippet-${id} pre`).textContent();
      const [curl, library] = [(await snippet("curl")) ?? "", (await snippet("openid-client")) ?? ""];
      expect(await page.content()).not.toContain("ghcs_");

      const [, first = "", second = ""] = curl.split(/^# [12]\. .*$/m);
      const prepared = await run("sh", ["-c", `${first}\necho "$CODE_VERIFIER"`]);
      const [printed = "", verifier = ""] = prepared.stdout.trim().split("\n").slice(-2);
      const requestUrl = kind === "public" ? printed : (/http\S+/.exec(first)?.[0] ?? "");
      const code = (await allowed(page, site, requestUrl)).searchParams.get("code") ?? "";
      const env = {
        ...process.env,
        CODE: code,
        CLIENT_SECRET: client.client_secret ?? "",
        CODE_VERIFIER: verifier,
      };
      const { stdout } = await run("sh", ["-c", second.replace("curl ", "curl -sS ")], { env });
      expect(JSON.parse(stdout)).toMatchObject({
        access_token: expect.stringMatching(/^ghat_/),
        id_token: expect.any(String),
      });

      const body = library
        .replace(/^import .*$/gm, "")
        .replace(/^\/\/ Redirect .*$/m, "const currentUrl = await go(url);")
        .concat("\nreturn tokens;");
      const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
      const tokens = await new AsyncFunction("client", "env", "go", body)(openidClient, env, (to: URL) =>
        kind === "public" ? allowed(page, site, to.href) : remembered(page, site, to.href),
      );
      expect(tokens).toMatchObject({ token_type: "bearer", scope: "openid read_user" });
    },
  );

/**
 * Asserts that an authorization request of a confidential application skips the consent page if the user
 * consented earlier.
 */
async function remembered(page: Page, site: ClientSite, requestUrl: string): Promise<URL> {
  await page.goto(requestUrl);
  const [callback] = site.received();
  if (callback === undefined) throw new Error("Nothing arrived at the application.");
  return callback.url;
}

test(
  conformance(
    "AZ-12",
    "the owner adds the redirect URI of a rejected authorization request to the application, and the request continues",
  ),
  async ({ page, instance, site }) => {
    const registered = [
      "--redirect-uri",
      "https://acme.example/callback",
      "--scopes",
      "openid",
      "--owner",
      "root",
    ];
    const client = await register(instance, "--name", "Mismatched", ...registered);
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: site.redirectUri,
      response_type: "code",
      scope: "openid",
      state: "a &b",
    });
    const requestUrl = `/oauth/authorize?${query}`;
    await page.goto(requestUrl);
    await expect(page.getByText("Include this request ID")).toBeVisible();
    await expect(page.locator("mark")).toHaveCount(0);
    await openAs(page, "root", HOME, instance.rootPassword);
    await page.goto(requestUrl);
    await expect(page.locator("mark").first()).toBeVisible();
    await page.getByRole("button", { name: "Add this URI" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page).toHaveTitle("The client");
    const [callback] = site.received();
    expect(callback?.url.searchParams.get("state")).toBe("a &b");
    await open(page, "Mismatched");
    await expect(page.getByText("The redirect_uri is not registered.").first()).toBeVisible();
  },
);

test("the consent page and the sign-in page show an uploaded logo from the origin of the instance, and an SVG file is refused as a logo", async ({
  page,
  instance,
  site,
}) => {
  const client = await register(instance, "--name", "Pictured", ...common(site));
  await openAs(page, "root", HOME, instance.rootPassword);
  await open(page, "Pictured");
  await page.getByRole("link", { name: "Edit" }).click();
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`);
  await page.getByLabel("Picture").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: svg });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("The file is not a PNG, JPEG, WebP or GIF image.")).toBeVisible();
  const large = Buffer.alloc(1024 * 1024 + 1);
  await untilHydrated(page.getByLabel("Picture"));
  await page.getByLabel("Picture").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: large });
  await expect(page.getByText("larger than 1 MB")).toBeVisible();
  const buffer = await sharp({ create: { width: 640, height: 320, channels: 3, background: "#b3372c" } })
    .png()
    .toBuffer();
  await page.getByLabel("Picture").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("The logo is saved.")).toBeVisible();
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: site.redirectUri,
    response_type: "code",
    scope: "openid",
  });
  for (const path of [HOME, `/oauth/authorize?${query}`]) {
    await page.goto(path);
    const logo = page.locator('img[src^="/-/application_logos/"]').first();
    await expect(logo).toBeVisible();
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(192);
  }
  await page.context().clearCookies();
  await page.goto(`/oauth/authorize?${query}`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("Pictured")).toBeVisible();
  const logo = page.locator('img[src^="/-/application_logos/"]');
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(192);
  await openAs(page, "root", HOME, instance.rootPassword);
  await open(page, "Pictured");
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove logo…" }).click();
  await page.getByRole("button", { name: "Remove the logo" }).click();
  await expect(page.getByText("The logo is removed.")).toBeVisible();
  await expect(page.locator('img[src^="/-/application_logos/"]')).toHaveCount(0);
});

test("the application pages fit a phone screen even if an application has the longest name or a right-to-left name", async ({
  page,
  instance,
  site,
}) => {
  await openAs(page, "root", HOME, instance.rootPassword);
  await page.setViewportSize({ width: 390, height: 800 });
  const uri = `https://${"a".repeat(60)}.example/${"b".repeat(400)}`;
  for (const name of ["x".repeat(255), "تطبيق النشر التجريبي"]) {
    await register(instance, "--name", name, "--redirect-uri", uri, ...common(site));
    await open(page, name);
    const path = new URL(page.url()).pathname;
    for (const each of [path, `${path}/edit`, HOME, `${HOME}/new?template=browser`]) {
      await page.goto(each);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, each).toBeLessThanOrEqual(0);
    }
  }
});

test(
  conformance("AP-03", "the page of an application returns 404 to a user who does not own the application"),
  async ({ page, instance }) => {
    const user = ["--username", "una", "--email", "una@example.com", "--password", "a long password"];
    expect((await instance.cli("user", "create", ...user)).code).toBe(0);
    const hers = ["--redirect-uri", "https://una.example/", "--scopes", "api", "--owner", "una"];
    await register(instance, "--name", "Hers", ...hers);
    const own = ["--redirect-uri", "https://root.example/", "--scopes", "api", "--owner", "root"];
    await register(instance, "--name", "Registered after hers", ...own);
    await openAs(page, "root", HOME, instance.rootPassword);
    const link = page.getByRole("link", { name: "Registered after hers", exact: true });
    const last = Number((await link.getAttribute("href"))?.split("/").at(-1));
    expect(last).toBeGreaterThan(1);
    for (const path of ["", "/edit"])
      for (let id = Math.max(1, last - 20); id < last; id++) {
        const response = await page.request.get(`${HOME}/${id}${path}`);
        expect(await response.text()).not.toContain("Hers");
      }
    await page.goto(`${HOME}/999`);
    await expect(page.getByText("Page not found")).toBeVisible();
  },
);
