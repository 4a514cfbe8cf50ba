import type { Locator, Page } from "@playwright/test";
import type { Instance } from "../instance.ts";
import { newRun, register, startSession } from "../oauth/fixtures.ts";
import { expect, test } from "./journey.ts";
import { LONG_NAMES, makeLists, SHORT_NAMES } from "./list-world.ts";
import { apiOf, dsnOf, FAILURE, report } from "./project-world.ts";
import { expectNoOverflow, makeUser, openAs, PASSWORD } from "./user.ts";

const PHONE = { width: 390, height: 800 };

/** Opens a page as the administrator, after a sign-in that does not load the sign-in page. */
async function openAsRoot(page: Page, password: string, path: string): Promise<void> {
  await startSession(page, "", "root", password);
  await page.goto(path);
}

/** Returns whether no scrolling ancestor clips the focus ring of a link. */
const ringIsComplete = (link: Locator): Promise<boolean> =>
  link.evaluate((element) => {
    element.focus();
    const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(element);
    const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const ring = element.getBoundingClientRect();
    if (outlineStyle !== "solid" || Number.parseFloat(outlineWidth) < 2) return false;
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === "visible") continue;
      const clip = box.getBoundingClientRect();
      if (ring.left - reach < clip.left || ring.right + reach > clip.right) return false;
      if (ring.top - reach < clip.top || ring.bottom + reach > clip.bottom) return false;
    }
    return true;
  });

test("on a phone, the navigation shows the current section, fades out at a scrollable edge, and clips no focus ring", async ({
  page,
  instance,
}) => {
  await page.setViewportSize(PHONE);
  await openAsRoot(page, instance.rootPassword, "/user_settings/personal_access_tokens");
  const navigation = page.getByRole("navigation", { name: "Settings" });
  await expect(navigation.getByRole("link", { name: "Personal access tokens" })).toBeInViewport({ ratio: 1 });
  const list = navigation.getByRole("list");
  const fades = () =>
    list.evaluate((row) => {
      const style = getComputedStyle(row);
      return ["--fade-left", "--fade-right"].map(
        (name) => Number.parseFloat(style.getPropertyValue(name)) > 0,
      );
    });
  await expect.poll(fades).toEqual([true, true]);
  await expect(async () => {
    await list.evaluate((row) => row.scrollTo({ left: 0, behavior: "instant" }));
    await expect.poll(fades, { timeout: 1_000 }).toEqual([false, true]);
  }).toPass();
  expect(await list.evaluate((row) => row.scrollLeft), "the row scrolls freely").toBe(0);

  await page.keyboard.press("Tab");
  for (const name of ["Main", "Settings"])
    for (const link of await page.getByRole("navigation", { name }).getByRole("link").all())
      await expect
        .poll(() => ringIsComplete(link), `the focus ring of ${await link.textContent()}`)
        .toBe(true);
});

for (const javaScriptEnabled of [true, false])
  test.describe(`with JavaScript ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });

    test(`a confirmation dialog keeps the focus until it is closed; the message about the result then gets the focus, and is shown once (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      page,
      instance,
    }) => {
      const created = await instance.cli(
        "token",
        "create",
        "--user",
        "root",
        "--name",
        "Nightly",
        "--scopes",
        "api",
      );
      expect(created.code).toBe(0);
      await openAsRoot(page, instance.rootPassword, "/user_settings/personal_access_tokens");
      const opener = page.getByRole("button", { name: "Revoke…" }).first();
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: /^Revoke .*Nightly/ });
      await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
      const inDialog = dialog.locator(":focus");
      for (let step = 0; step < 4; step++) {
        await page.keyboard.press("Tab");
        expect(await page.locator(":focus").count(), "only elements of the dialog get the focus").toBe(
          await inDialog.count(),
        );
      }
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();

      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Revoke this token" }).press("Enter");
      const message = page.getByText("The token is revoked.");
      await expect(message).toBeFocused();
      await expect(dialog).toBeHidden();
      await page.goto("/user_settings/sessions");
      await expect(page.getByRole("heading", { name: "Sessions" })).toBeVisible();
      await expect(message).toHaveCount(0);
    });

    test(`the message about a refused form gets the focus (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      page,
      instance,
    }) => {
      await openAsRoot(page, instance.rootPassword, "/user_settings/profile");
      await page.getByLabel("New e-mail address").fill("none");
      await page.getByRole("button", { name: "Request change" }).press("Enter");
      await expect(page.getByText("The e-mail address was not changed.")).toBeFocused();
    });
  });

type ShownRow = Readonly<{ text: string | null; height: number; isTooWide: boolean }>;

/**
 * Returns the text and the height in CSS pixels of each row of all tables and lists of a page, and whether a cell of
 * the row is too narrow for its content.
 */
const rowsOf = (page: Page): Promise<readonly ShownRow[]> =>
  page.locator("main tbody tr[role=row], main ul.divide-y > li").evaluateAll((rows) =>
    rows.map((row) => {
      // A row that can be opened is as high as its summary while the row is closed.
      const visible = row.querySelector(":scope > details > summary") ?? row;
      const cells = row.matches("tr") ? [...row.querySelectorAll("td")] : [visible];
      return {
        text: visible.textContent,
        height: visible.getBoundingClientRect().height,
        isTooWide: cells.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
      };
    }),
  );

for (const [kind, names] of [
  ["short names", SHORT_NAMES],
  ["right-to-left names of 120 characters", LONG_NAMES],
] as const)
  test(`the rows of tables and lists are 40 to 48 px high on a desktop, with ${kind}`, async ({
    page,
    instance,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const { own, admin } = await makeLists(instance, names);
    for (const [login, password, paths] of [
      [names.username, PASSWORD, own],
      ["root", instance.rootPassword, admin],
    ] as const)
      for (const [index, path] of paths.entries()) {
        if (index === 0) await openAs(page, login, path, password);
        // The server writes the uses of deprecated parts of the API with a delay.
        await expect(async () => {
          await page.goto(path);
          expect(await rowsOf(page), `the rows of ${path}`).not.toEqual([]);
        }).toPass();
        const rows = await rowsOf(page);
        const others = rows.filter(({ height, isTooWide }) => height < 40 || height > 48 || isTooWide);
        expect
          .soft(others, `the rows of ${path} that are lower than 40 px, higher than 48 px or too wide`)
          .toEqual([]);
        await expectNoOverflow(page);
      }
  });

for (const width of [390, 1280])
  test(`the pages on which a user makes a decision fit into ${width} px with names of 120 characters without spaces`, async ({
    page,
    instance,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const username = `${"u".repeat(59)}${width}`;
    const name = "W".repeat(120);
    await makeUser(instance, username);
    const redirectUri = "https://app.example/callback";
    const client = await register(
      instance,
      ...["--name", name, "--redirect-uri", redirectUri, "--scopes", "read_user", "--owner", username],
    );
    await instance.cli("feature", "enable", "oauth2_device_grant_flow");
    await openAs(page, username, "/user_settings/profile", PASSWORD);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Save profile" }).click();
    await expect(page.getByText("Your profile is saved.")).toBeVisible();
    const { url } = await newRun(instance, client, { redirect_uri: redirectUri });
    for (const [path, button] of [
      [url, "Allow"],
      ["/oauth/device", "Continue"],
      ["/oauth/end_session", "Sign out"],
      ["/users/confirm?return_to=/", "Continue"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("button", { name: button, exact: true })).toBeInViewport({ ratio: 1 });
      await expectNoOverflow(page);
    }
  });

test("the title of each page of a project contains the name of the project", async ({ page, instance }) => {
  const call = await apiOf(instance, "root");
  const { id } = await call("POST", "/projects", { name: "Lighthouse %s $&" });
  for (const [path, title] of [
    [`/projects/${id}`, "\u2068Lighthouse %s $&\u2069 · Gatehouse"],
    [`/projects/${id}/members`, "Members · \u2068Lighthouse % s $&\u2069 · Gatehouse"],
    [`/projects/${id}/settings`, "Project settings · \u2068Lighthouse % s $&\u2069 · Gatehouse"],
    ["/projects/999999999", "Gatehouse"],
  ] as const) {
    await openAsRoot(page, instance.rootPassword, path);
    await expect(page, path).toHaveTitle(title);
  }
});

/** The sections of a page whose sections are not nested. */
const SECTIONS = "main > section:has(h2), main > [id^=section-]";

/** Registers an application, creates a user, and reports an error. @returns pages with section links. */
async function makeSectionedPages(page: Page, instance: Instance) {
  const owned = ["--owner", "root", "--redirect-uri", "https://app.example/", "--scopes", "openid"];
  const logout = ["--backchannel-logout-uri", "https://app.example/logout"];
  await register(instance, "--name", "Sectioned", ...owned, ...logout);
  await openAsRoot(page, instance.rootPassword, "/user_settings/applications");
  await page.getByRole("link", { name: "Sectioned", exact: true }).click();
  await page.waitForURL(/\/applications\/\d+$/);
  const application = new URL(page.url()).pathname;
  const call = await apiOf(instance, "root");
  const { id } = await call("POST", "/projects", { name: "Sectioned" });
  await call("PUT", `/projects/${id}/error_tracking/settings`, { active: true, integrated: true });
  await report(await dsnOf(call, `/projects/${id}`), FAILURE);
  await page.goto(`/projects/${id}/errors`);
  await page.getByRole("link", { name: "TypeError" }).click();
  await page.waitForURL(/\/errors\/\d+$/);
  const error = new URL(page.url()).pathname;
  await makeUser(instance, "sectioned");
  await page.goto("/admin/users?search=sectioned");
  await page.getByRole("link", { name: "sectioned", exact: true }).click();
  await page.waitForURL(/\/users\/\d+$/);
  const user = new URL(page.url()).pathname;
  return [
    [application, SECTIONS],
    [application.replace("/user_settings", "/admin"), SECTIONS],
    ["/user_settings/profile", SECTIONS],
    ["/help/connect", SECTIONS],
    [user, SECTIONS],
    ["/user_settings/applications/new", "main [id^=section-]"],
    [`${application}/edit`, "main [id^=section-]"],
    [error, "main [id^=section-], main #comments"],
    ["/help/api", "main section > h2[id]"],
  ] as const;
}

test("the section links of a page lead to its sections, and every section of the page has a link", async ({
  page,
  instance,
}) => {
  for (const [path, sectionsOfPage] of await makeSectionedPages(page, instance)) {
    await page.goto(path);
    const navigation = page.getByRole("navigation", { name: "Sections" });
    expect(await navigation.evaluate((element) => getComputedStyle(element).position), path).toBe("sticky");
    const links = await navigation
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const sections = await page.locator(sectionsOfPage).evaluateAll((all) => all.map(({ id }) => `#${id}`));
    expect(links, path).toEqual(sections);
    expect(links.length, path).toBeGreaterThan(1);
  }
});

test("the page of an API resource has a breadcrumb with a link to the list of resources", async ({
  page,
}) => {
  await page.goto("/help/api/projects");
  const breadcrumb = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(breadcrumb.getByRole("link", { name: "REST API" })).toHaveAttribute("href", "/help/api");
});

test("the page of an application in the administration shows the initials of the application", async ({
  page,
  instance,
}) => {
  const owned = ["--owner", "root", "--redirect-uri", "https://app.example/", "--scopes", "openid"];
  await register(instance, "--name", "Marked Application", ...owned);
  await openAsRoot(page, instance.rootPassword, "/admin/applications?search=Marked");
  await page.getByRole("link", { name: "Marked Application" }).click();
  const heading = page.getByRole("heading", { name: "Marked Application" });
  await expect(page.locator("div", { has: heading }).getByText("MA", { exact: true }).last()).toBeVisible();
});
