import type { Instance } from "../instance.ts";
import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { expectNoOverflow, makeUser, openAs } from "./user.ts";

/** Creates users with unique names for a test. */
async function users(instance: Instance, kind: string, ...names: readonly string[]): Promise<string[]> {
  const usernames = names.map((name) => `${name}-${kind}`);
  for (const username of usernames) await makeUser(instance, username);
  return usernames;
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });
    const kind = javaScriptEnabled ? "on" : "off";

    test("a user creates a group and a project in it, corrects invalid input, and edits and deletes the project", async ({
      page,
      instance,
    }) => {
      const [gina = ""] = await users(instance, kind, "gina");
      await openAs(page, gina, "/projects");
      await expect(page.getByText("No projects yet")).toBeVisible();
      await page.getByRole("link", { name: "Groups" }).click();
      await page.getByRole("link", { name: "New group" }).click();
      await page.getByLabel("Name", { exact: true }).fill(`Team ${kind}`);
      await page.getByLabel("Path").fill("groups");
      await page.getByRole("button", { name: "Create group" }).click();
      await expect(page.getByText("The path is a reserved name.")).toBeVisible();
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue(`Team ${kind}`);
      await page.getByLabel("Path").fill("");
      await page.getByLabel("Internal").check();
      await page.getByRole("button", { name: "Create group" }).click();
      await expect(page.getByRole("heading", { name: `Team ${kind}`, level: 1 })).toBeVisible();
      await expect(page.getByText("The group is created.")).toBeVisible();

      await page.getByRole("link", { name: "New project" }).click();
      await expect(page.getByLabel("Namespace")).toContainText(`team-${kind}`);
      await page.getByRole("button", { name: "Create project" }).click();
      await expect(page.getByText("The name can't be blank.")).toBeVisible();
      await page.getByLabel("Name", { exact: true }).fill("Web Shop");
      await page.getByLabel("Public").check();
      await page.getByRole("button", { name: "Create project" }).click();
      await expect(page.getByText("public is not allowed in a internal group.")).toBeVisible();
      await page.getByLabel("Internal").check();
      await page.getByLabel("Initialize the repository with a README").check();
      await page.getByRole("button", { name: "Create project" }).click();
      await expect(page.locator("dl")).toContainText(`team-${kind}/web-shop`);
      const home = new URL(page.url()).pathname;

      await page.getByRole("link", { name: "Settings", exact: true }).last().click();
      await page.getByLabel("Description").fill("Where people\nbuy things");
      await page.getByLabel("Name", { exact: true }).fill("Market");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("The project is saved.")).toBeVisible();
      await page.goto(home);
      await expect(page.getByRole("heading", { name: "Market" })).toBeVisible();
      await expect(page.getByText("Where people")).toBeVisible();
      await page.goto(`/team-${kind}/web-shop`);
      await expect(page).toHaveURL(home);
      await page.goto(`/groups/team-${kind}`);
      await expect(page.getByRole("link", { name: "Market" })).toBeVisible();

      await page.goto(`${home}/settings`);
      await page.getByLabel(`Type team-${kind}/web-shop`).fill("web-shop");
      await page.getByRole("button", { name: "Delete this project" }).click();
      await expect(page.getByText("Nothing was deleted.")).toBeVisible();
      await page.getByLabel(`Type team-${kind}/web-shop`).fill(`team-${kind}/web-shop`);
      await page.getByRole("button", { name: "Delete this project" }).click();
      await expect(page).toHaveURL(/\/projects$/);
      await expect(page.getByText(`team-${kind}/web-shop is deleted.`)).toBeVisible();
      expect((await page.goto(home))?.status()).toBe(404);
      await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    });

    test("an owner adds a member and changes the role of the member, and the member leaves the project", async ({
      page,
      instance,
    }) => {
      const [olga = "", milo = ""] = await users(instance, kind, "olga", "milo");
      const { id } = await (await apiOf(instance, olga))("POST", "/projects", { name: "Notes" });
      const members = `/projects/${id}/members`;
      await openAs(page, olga, members);
      await page.getByLabel("Username").fill("nobody-of-this-name");
      await page.getByRole("button", { name: "Add member" }).click();
      await expect(page.getByText("No user has this username.")).toBeVisible();
      await page.getByLabel("Username").fill(`@${milo}`);
      await page.getByLabel("Expires").first().fill("2020-01-01");
      await page.getByRole("button", { name: "Add member" }).click();
      await expect(page.getByText("Select a date in the future")).toBeVisible();
      await page.getByLabel("Expires").first().fill("2040-01-01");
      await page.getByLabel("Role").first().selectOption("Reporter");
      await page.getByRole("button", { name: "Add member" }).click();
      await expect(page.getByText(`@${milo} is now a member.`)).toBeVisible();
      const row = page.getByRole("listitem").filter({ hasText: `@${milo}` });
      await expect(row).toContainText("Reporter · expires in");
      await page.getByLabel("Username").fill(milo);
      await page.getByRole("button", { name: "Add member" }).click();
      await expect(page.getByText("This user is already a member.")).toBeVisible();

      await row.getByRole("button", { name: "Edit…" }).click();
      await row.getByLabel("Role").selectOption("Maintainer");
      await row.getByLabel("Expires").fill("");
      await row.getByRole("button", { name: "Save" }).click();
      await expect(row).toContainText("Maintainer");
      await expect(row).not.toContainText("expires in");
      const own = page.getByRole("listitem").filter({ hasText: `@${olga}` });
      await own.getByRole("button", { name: "Leave…" }).click();
      await own.getByRole("button", { name: "Leave this project" }).click();
      await expect(page.getByText("This user is the last owner with a permanent membership.")).toBeVisible();

      await openAs(page, milo, members);
      await expect(own.getByRole("button")).toHaveCount(0);
      await expect(page.getByLabel("Role").first().locator("option")).toHaveCount(4);
      await row.getByRole("button", { name: "Leave…" }).click();
      await row.getByRole("button", { name: "Leave this project" }).click();
      await expect(page).toHaveURL(/\/projects$/);
      await expect(page.getByText("You have left")).toBeVisible();
      await page.goto(members);
      await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    });
  });

test("an inherited member is listed with the name of the group, and a direct membership can only raise the role", async ({
  page,
  instance,
}) => {
  const [ivo = "", hana = ""] = await users(instance, "by-group", "ivo", "hana");
  const call = await apiOf(instance, ivo);
  const group = await call("POST", "/groups", { name: "Upper", path: "upper" });
  const { id } = await call("POST", "/projects", { name: "Lower", namespace_id: group.id });
  await call("POST", `/groups/${group.id}/members`, { username: hana, access_level: 30 });
  await openAs(page, ivo, `/projects/${id}/members`);
  const row = page.getByRole("listitem").filter({ hasText: `@${hana}` });
  await expect(row).toContainText("Developer inherited from upper");
  await expect(row.getByRole("button")).toHaveCount(0);
  await page.getByLabel("Username").fill(hana);
  await page.getByLabel("Role").first().selectOption("Guest");
  await page.getByRole("button", { name: "Add member" }).click();
  await expect(page.getByText("This user inherits a higher role from a parent group.")).toBeVisible();
  await page.getByLabel("Role").first().selectOption("Maintainer");
  await page.getByRole("button", { name: "Add member" }).click();
  await expect(row).toContainText("Maintainer · Developer inherited from upper");
});

test("anyone can read a public project, and a hidden project returns the same page as an unknown project", async ({
  page,
  instance,
}) => {
  const [pia = "", stan = ""] = await users(instance, "seen", "pia", "stan");
  const call = await apiOf(instance, pia);
  const open = await call("POST", "/projects", { name: "Open", visibility: "public" });
  const closed = await call("POST", "/projects", { name: "Closed" });
  const status = async (path: string) => (await page.request.get(path, { maxRedirects: 0 })).status();

  await page.goto(`/projects/${open.id}`);
  await expect(page.getByRole("heading", { name: "Open" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Members" })).toHaveCount(0);
  for (const id of [closed.id, 99_999]) {
    await page.goto(`/projects/${id}`);
    await expect(page).toHaveURL(`/users/sign_in?return_to=%2Fprojects%2F${id}`);
    expect(await status(`/${pia}/${id === closed.id ? "closed" : "nothing"}`)).toBe(404);
  }

  await openAs(page, stan, `/projects/${open.id}`);
  for (const id of [String(closed.id), "99999", "0", "-1", "1e1", "9".repeat(40), "a%2Fb"])
    for (const below of ["", "/members", "/settings", "/settings/error_tracking", "/errors", "/errors/1"])
      expect(await status(`/projects/${id}${below}`), `${id}${below}`).toBe(404);
  for (const below of ["/settings", "/settings/error_tracking", "/errors", "/errors/1"])
    expect(await status(`/projects/${open.id}${below}`), below).toBe(404);
  expect(await status(`/${pia}/closed`)).toBe(404);
  expect(await status(`/${pia}/open`)).toBe(307);
});

test("each page of search results has a URL, and the list of projects fits on a phone", async ({
  page,
  instance,
}) => {
  const [walt = ""] = await users(instance, "list", "walt");
  const call = await apiOf(instance, walt);
  for (let number = 1; number <= 22; number++) await call("POST", "/projects", { name: `Many ${number}` });
  await call("POST", "/projects", { name: "z".repeat(255), path: "wide" });
  await openAs(page, walt, "/projects");
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await page.getByLabel("Find a project").fill("many");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(20);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(2);
  await expect(page).toHaveURL(/search=many&page=2/);
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL(/\/projects$/);
  for (const path of [
    "?page=500",
    "?page=x&search=%00",
    `?search=${"a".repeat(3000)}`,
    "?scope=all&scope=yours",
  ])
    expect((await page.goto(`/projects${path}`))?.status(), path).toBe(200);
});
