import { readFile } from "node:fs/promises";
import { conformance } from "../../src/testing/conformance.ts";
import { type Instance, startInstance } from "../instance.ts";
import { startSession } from "../oauth/fixtures.ts";
import { expect, test } from "./journey.ts";
import { ageAuthentications, expectNoOverflow, openAs } from "./user.ts";

const PASSWORD = "correct horse battery";
const PAGES = [
  "/admin",
  "/admin/users",
  "/admin/users/new",
  "/admin/users/1",
  "/admin/applications",
  "/admin/applications/1",
  "/admin/settings",
  "/admin/features",
  "/admin/audit_events",
];

async function createUser(instance: Instance, username: string, name = username): Promise<void> {
  const about = ["--username", username, "--email", `${username}@example.com`, "--name", name];
  const created = await instance.cli("user", "create", ...about, "--password", PASSWORD);
  expect(created.stderr).toBe("");
}

async function createApplication(instance: Instance, name: string, owner: string): Promise<void> {
  const about = [
    "--name",
    name,
    "--redirect-uri",
    "https://app.example/",
    "--scopes",
    "api",
    "--owner",
    owner,
  ];
  expect((await instance.cli("application", "create", ...about)).code).toBe(0);
}

const tokenFor = (instance: Instance, username: string, password: string): Promise<Response> =>
  fetch(`${instance.baseUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "password", username, password }),
  });

const callWith = async (instance: Instance, token: string): Promise<number> =>
  (await fetch(`${instance.baseUrl}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;

test("an administrator creates and blocks a user, and finds both actions in the audit events", async ({
  page,
  instance,
  browser,
  watch,
}) => {
  await openAs(page, "root", "/admin", instance.rootPassword);
  await expect(page.getByRole("img", { name: /^Sign-ins\. Succeeded: [1-9]/ })).toBeVisible();
  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL(/period=7d/);
  await page.getByText("Show the numbers as a table").first().click();
  await expect(page.getByRole("table", { name: "Sign-ins" }).getByRole("row")).toHaveCount(29);
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("link", { name: "Create a user" }).click();
  await page.getByLabel("Username").fill("mira");
  await page.getByLabel("Name", { exact: true }).fill("Mira Öz");
  await page.getByLabel("E-mail address").fill("mira");
  await page.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByText("The e-mail address must have a form such as ann@example.com.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Mira Öz");
  await page.getByLabel("E-mail address").fill("mira@example.com");
  await page.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByText("mira can sign in now.")).toBeVisible();
  const password = await page.getByLabel("Password", { exact: true }).inputValue();
  expect(password).toMatch(/^[\w-]{24}$/);
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Mira Öz" })).toBeVisible();
  expect(await page.content()).not.toContain(password);

  const hers = await browser.newContext({ baseURL: instance.baseUrl });
  watch(hers);
  const herPage = await hers.newPage();
  await openAs(herPage, "mira", "/user_settings/applications", password);
  const { access_token: token } = await (await tokenFor(instance, "mira", password)).json();
  expect(await callWith(instance, token)).toBe(200);

  await page.getByRole("button", { name: "Block…" }).click();
  await page.getByRole("button", { name: "Block mira" }).click();
  await expect(page.getByText("sessions have ended")).toBeVisible();
  await herPage.goto("/user_settings/applications");
  await expect(herPage).toHaveURL(/\/users\/sign_in/);
  await herPage.getByLabel("Username or e-mail").fill("mira");
  await herPage.getByLabel("Password").fill(password);
  await herPage.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(herPage.getByText("The username or password is wrong")).toBeVisible();
  expect(await callWith(instance, token)).toBe(401);
  expect((await tokenFor(instance, "mira", password)).status).toBe(400);
  await hers.close();

  await page.getByRole("button", { name: "Unblock" }).click();
  await expect(page.getByText("can sign in again")).toBeVisible();
  expect(await callWith(instance, token), "unblocking revives no token").toBe(401);

  await page.getByRole("link", { name: "Show audit events" }).click();
  await expect(page.getByRole("cell", { name: "@root created @mira" })).toBeVisible();
  await page.getByLabel("Event").selectOption({ label: "User blocked" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("cell", { name: "@root blocked @mira" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "created @mira" })).toHaveCount(0);
  await page.getByLabel("Username or e-mail").fill("nobody");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("There is no user with this username")).toBeVisible();
  await page.getByLabel("Username or e-mail").fill("mira");
  await page.getByRole("button", { name: "Filter" }).click();

  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/^audit-events-\d{4}-\d\d-\d\d\.csv$/);
  const [head, line, ...rest] = (await readFile(await csv.path(), "utf8")).split("\r\n");
  expect(head).toBe("id,at,event,actor,person,application,application_id,details");
  expect(line).toMatch(/^\d+,[\dT:.Z-]+,user\.blocked,root,mira,,,\{\}$/);
  expect(rest).toEqual([""]);
  const [jsonl] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as JSON Lines" }).click(),
  ]);
  const lines = (await readFile(await jsonl.path(), "utf8")).trimEnd().split("\n");
  expect(lines.map((text) => JSON.parse(text))).toMatchObject([
    { event: "user.blocked", actor: "root", person: "mira", details: {} },
  ]);
});

test("the overview shows a warning of the health checks to an administrator", async ({ page }) => {
  // Nothing listens on the port of this bucket.
  const bucket = { STORAGE: "s3", S3_BUCKET: "gatehouse", S3_ENDPOINT: "http://127.0.0.1:1" };
  const credentials = { S3_REGION: "eu-central-1", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  const instance = await startInstance({ env: { ...bucket, ...credentials } });
  try {
    await startSession(page, instance.baseUrl, "root", instance.rootPassword);
    await page.goto(`${instance.baseUrl}/admin`);
    await expect(page.getByText("Warning about the file storage:")).toBeVisible();
    await expectNoOverflow(page);
  } finally {
    await instance.stop();
  }
});

test("an administrator enables the device grant, and the device page works", async ({ page, instance }) => {
  expect((await page.request.get("/oauth/device")).status()).toBe(404);
  await openAs(page, "root", "/admin/features", instance.rootPassword);
  await page.getByRole("button", { name: "Switch on: oauth2_device_grant_flow" }).click();
  await expect(page.getByText("oauth2_device_grant_flow is on now.")).toBeVisible();
  await page.goto("/oauth/device");
  await expect(page.getByLabel("Code")).toBeVisible();
  await page.goto("/admin/features");
  await page.getByRole("button", { name: "Reset to default: oauth2_device_grant_flow" }).click();
  await expect(page.getByText("default value")).toBeVisible();
  expect((await page.request.get("/oauth/device")).status()).toBe(404);
});

test("an administrator finds, blocks and trusts an application and revokes its tokens", async ({
  page,
  instance,
}) => {
  await createUser(instance, "olga");
  await createApplication(instance, "Zebra Deploy", "olga");
  await openAs(page, "root", "/admin/applications", instance.rootPassword);
  for (const search of ["ebra", "zebra", "olga"]) {
    await page.getByLabel("Find an application").fill(search);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(new RegExp(`search=${search}`));
    await expect(page.getByRole("link", { name: "Zebra Deploy" })).toBeVisible();
  }
  await page.getByLabel("Find an application").fill("no such thing");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No application matches this search")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Zebra Deploy" }).click();

  await page.getByRole("button", { name: "Trust…" }).click();
  await page.getByRole("button", { name: "Trust Zebra Deploy" }).click();
  await expect(page.getByRole("button", { name: "Require consent" })).toBeVisible();
  await page.getByRole("button", { name: "Revoke all tokens…" }).click();
  await page.getByRole("button", { name: "Revoke every token of Zebra Deploy" }).click();
  await expect(page.getByText("0 grants and their tokens are revoked.")).toBeVisible();
  await page.getByRole("button", { name: "Block…" }).click();
  await page.getByRole("button", { name: "Block Zebra Deploy" }).click();
  await expect(page.getByRole("button", { name: "Unblock" })).toBeVisible();
  await page.getByRole("link", { name: "Show audit events" }).click();
  for (const action of [
    "blocked Zebra Deploy",
    "trusted Zebra Deploy",
    "revoked every token of Zebra Deploy",
  ])
    await expect(page.getByRole("cell", { name: `@root ${action}` })).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("an administrator changes and resets a lifetime setting, and an invalid value shows an error", async ({
      page,
      instance,
    }) => {
      await openAs(page, "root", "/admin/settings?search=authorization+code", instance.rootPassword);
      const lifetime = page.getByLabel("Lifetime of an authorization code");
      const save = page.getByRole("button", { name: "Save: Codes and tokens" });
      await lifetime.fill("5");
      await save.click();
      await expect(page.getByText("Enter a duration from 10 seconds to 10 minutes")).toBeVisible();
      await expect(lifetime).toHaveValue("5 seconds");
      await expect(lifetime).toHaveAttribute("aria-invalid", "true");
      await lifetime.fill("1.5 min");
      await save.click();
      await expect(page.getByText("Saved. The change takes effect with the next request.")).toBeVisible();
      await expect(lifetime).toHaveValue("1 minute and 30 seconds");
      await expect(page.getByLabel("Find a setting")).toHaveValue("authorization code");
      const { stdout } = await instance.cli("setting", "get", "oauth_code_expires_in");
      expect(stdout.trim()).toBe("90");
      await page.getByRole("button", { name: "Reset oauth_code_expires_in to its default" }).click();
      await expect(lifetime).toHaveValue("10 minutes");
      await page.goto("/admin/audit_events?name=setting.changed");
      await expect(page.getByText("set oauth_code_expires_in to 90").first()).toBeVisible();
      await expect(page.getByText("set oauth_code_expires_in back to its default").first()).toBeVisible();
    });

    test("an administrator enables and disables a checkbox setting", async ({ page, instance }) => {
      await openAs(page, "root", "/admin/settings", instance.rootPassword);
      const open = page.getByLabel("Users can register applications");
      for (const on of [false, true]) {
        await open.setChecked(on);
        await page.getByRole("button", { name: "Save: People" }).click();
        await expect(page.getByText("Saved. The change takes effect with the next request.")).toBeVisible();
        await expect(open).toBeChecked({ checked: on });
        const stored = async () =>
          (await instance.cli("setting", "get", "user_oauth_applications")).stdout.trim();
        await expect.poll(stored).toBe(String(on));
      }
    });
  });

test("users who are not administrators cannot open admin pages or run admin actions", async ({
  page,
  instance,
  browser,
}) => {
  await createUser(instance, "eve");
  await createApplication(instance, "Eve's", "eve");
  for (const path of [...PAGES]) {
    const response = await page.request.get(path, { maxRedirects: 0 });
    expect(response.status(), path).toBe(307);
    expect(response.headers()["location"]).toContain("/users/sign_in");
  }
  const roots = await browser.newContext({ baseURL: instance.baseUrl });
  const rootPage = await roots.newPage();
  await openAs(rootPage, "root", "/admin/features", instance.rootPassword);
  await openAs(page, "eve", "/user_settings/applications", PASSWORD);
  for (const path of [...PAGES, "/admin/audit_events/export"]) {
    const response = await page.request.get(path, { maxRedirects: 0 });
    expect(response.status(), path).toBe(404);
    expect(await response.text()).not.toContain("root");
  }

  // Posts the server actions as a browser without JavaScript does: the fields of each form, with the cookie
  // of the user.
  const events = async () => (await instance.cli("setting", "get", "oauth_code_expires_in")).stdout;
  const before = await events();
  let posted = 0;
  for (const path of PAGES) {
    const html = await (await rootPage.request.get(path)).text();
    for (const [, form = ""] of html.matchAll(/<form[^>]*>(.*?)<\/form>/gs)) {
      const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)];
      if (!fields.some(([, name = ""]) => name.startsWith("$ACTION_"))) continue;
      const multipart = Object.fromEntries(
        fields.map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')]),
      );
      const headers = { origin: instance.baseUrl };
      const forged = { ...multipart, id: "1", oauth_code_expires_in: "60", to: "on", username: "mallory" };
      const posts = [path, "/user_settings/applications"].map((target) =>
        page.request.post(target, { headers, multipart: forged, maxRedirects: 0 }),
      );
      const [here, elsewhere] = await Promise.all(posts);
      expect(here?.status(), path).toBe(404);
      // Next.js refuses to run a server action for a request to a page that does not contain this action.
      expect([404, 409], path).toContain(elsewhere?.status());
      // Posts the server action as a browser with JavaScript does.
      const action = /[0-9a-f]{42}/.exec(JSON.stringify(multipart))?.[0] ?? "";
      const scripted = { ...headers, "next-action": action, "content-type": "text/plain;charset=UTF-8" };
      const response = await page.request.post(path, { headers: scripted, data: "[]", maxRedirects: 0 });
      expect(response.status(), path).toBe(404);
      posted += 1;
    }
  }
  expect(posted).toBeGreaterThan(PAGES.length);
  expect(await events()).toBe(before);
  const exported = await rootPage.request.get("/admin/audit_events/export?format=jsonl&person=eve");
  const names = (await exported.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event);
  expect(new Set(names)).toEqual(new Set(["user.created", "application.registered", "sign_in.succeeded"]));
  await roots.close();
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(
      conformance(
        "SC-03",
        "the creation of a user requires a re-authentication, after which the form still contains the entered values",
      ),
      async ({ page, instance }) => {
        const username = javaScriptEnabled ? "edwin" : "edda";
        await openAs(page, "root", "/admin/users/new", instance.rootPassword);
        ageAuthentications(instance, 11);
        await page.getByLabel("Username").fill(username);
        await page.getByLabel("E-mail address").fill(`${username}@example.com`);
        await page.getByLabel("Password").fill(PASSWORD);
        await page.getByRole("button", { name: "Create user" }).click();
        await expect(page.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible();
        expect(page.url()).not.toContain(username);
        await page.getByLabel("Password").fill(instance.rootPassword);
        await page.getByRole("button", { name: "Continue" }).click();
        await expect(page.getByText("Your change is not saved yet: submit the form again.")).toBeVisible();
        await expect(page.getByLabel("Username")).toHaveValue(username);
        await expect(page.getByLabel("Password")).toHaveValue(PASSWORD);
        await page.getByRole("button", { name: "Create user" }).click();
        await expect(page.getByText(`${username} can sign in now.`)).toBeVisible();
        expect((await tokenFor(instance, username, PASSWORD)).status).toBe(200);
      },
    );
  });

test.describe("the admin area on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the admin pages fit a phone screen even if names are long", async ({ page, instance }) => {
    const long = "Bartholomäus-Maximilian-Ferdinand".repeat(3);
    await createUser(instance, "a-very-long-username-that-somebody-has-chosen-for-themselves", long);
    await createUser(instance, "layla", "ليلى العربي");
    await createApplication(instance, `${long} ${long}`, "layla");
    await openAs(page, "root", "/admin/users", instance.rootPassword);
    const newest = async (path: string) => {
      await page.goto(path);
      return (await page.getByRole("table").getByRole("link").first().getAttribute("href")) ?? "";
    };
    const details = [await newest("/admin/users"), await newest("/admin/applications")];
    for (const path of [...PAGES, ...details]) {
      await page.goto(path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(390);
    }
  });
});

for (const javaScriptEnabled of [true, false])
  test.describe(`a setting with choices ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      conformance("SC-20", "an administrator changes and resets a setting with choices on the settings page"),
      async ({ page, instance }) => {
        await openAs(page, "root", "/admin/settings", instance.rootPassword);
        const choice = page.getByLabel("Authorization responses that contain the parameter iss");
        await expect(choice).toHaveValue("openid");
        await choice.selectOption("always");
        await page.getByRole("button", { name: "Save: Client compatibility" }).click();
        await expect(page.getByText("Saved. The change takes effect with the next request.")).toBeVisible();
        await expect(choice).toHaveValue("always");
        const metadata = await fetch(`${instance.baseUrl}/.well-known/openid-configuration`);
        expect(await metadata.json()).toMatchObject({ authorization_response_iss_parameter_supported: true });
        await page.getByRole("button", { name: "Reset authorization_response_iss to its default" }).click();
        await expect(choice).toHaveValue("openid");
      },
    );
  });
