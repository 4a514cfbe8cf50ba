import type { Page } from "@playwright/test";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { hasGit } from "../git/git.ts";
import type { Instance } from "../instance.ts";
import { HOSTILE, pushCode } from "./code-world.ts";
import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { expectNoOverflow, makeUser, openAs } from "./user.ts";

test.skip(!hasGit(), notRunnableWithout("git"));

/** Creates a project with source code. Usernames must be unique in the instance. */
async function projectWithCode(instance: Instance, owner: string, visibility: string): Promise<string> {
  await makeUser(instance, owner);
  const call = await apiOf(instance, owner);
  const { id } = await call("POST", "/projects", { name: "Shop", path: "shop", visibility });
  await pushCode(instance, owner, `${owner}/shop`);
  return `/projects/${id}`;
}

const statusOf = async (page: Page, path: string) => (await page.goto(path))?.status();

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("an anonymous user opens a public project, a folder, a file, its history and the diff of a commit", async ({
      page,
      instance,
    }) => {
      const home = await projectWithCode(instance, javaScriptEnabled ? "cora" : "coralie", "public");
      await page.goto(home);
      await page.getByRole("main").getByRole("link", { name: "Code", exact: true }).click();
      await expect(page.getByRole("heading", { name: "Code", level: 1 })).toBeVisible();
      await expect(page.getByLabel("Project").getByRole("link", { name: "Code" })).toHaveAttribute(
        "aria-current",
        "page",
      );
      const readme = page.getByRole("region", { name: "README.md" });
      await expect(readme.getByRole("heading", { name: "Shop", level: 3 })).toBeVisible();
      await expect(readme.locator("b")).toHaveText("buy");
      expect(await readme.locator("b").getAttribute("onclick")).toBeNull();
      const till = readme.getByRole("img", { name: "Till" });
      await till.scrollIntoViewIfNeeded();
      await expect.poll(() => till.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
      await expect(readme.getByRole("link", { name: "Build" })).toHaveAttribute(
        "href",
        "https://ci.example/badge.svg",
      );
      await expect(readme.getByRole("listitem")).toHaveText(["☑ Pay", "☐ Pay back"]);
      await readme.getByRole("link", { name: "all" }).click();
      await expect(page).toHaveURL(/\/tree\?path=src$/);
      await page.goBack();
      await readme.getByRole("link", { name: "the payment" }).click();
      await expect(page.locator(":target")).toHaveText("2");
      await page.goBack();

      await page.getByRole("link", { name: "src/" }).click();
      await page.getByRole("link", { name: "pay.js" }).click();
      await expect(page.getByText("3 lines")).toBeVisible();
      await expect(page.getByRole("region", { name: "Text of the file" })).toContainText("charge(cart);");
      await page.getByLabel("Branch or tag").selectOption("v1");
      await page.getByRole("button", { name: "Show" }).click();
      await expect(page.getByText("4 lines")).toBeVisible();
      const raw = await page.request.get(
        (await page.getByRole("link", { name: "Raw" }).getAttribute("href")) ?? "",
      );
      expect(await raw.text()).toBe("function pay(cart) {\n  charge(cart);\n  charge(cart);\n}\n");

      await page.getByRole("link", { name: "All commits of this file" }).click();
      const commits = page.getByRole("list", { name: "Commits" }).getByRole("listitem");
      await expect(commits).toHaveCount(1);
      await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "shop" }).click();
      await page.getByRole("link", { name: "Commits" }).click();
      await expect(commits).toHaveCount(1);
      await page.getByLabel("Branch or tag").selectOption("main");
      await page.getByRole("button", { name: "Show" }).click();
      await expect(commits).toHaveCount(3);
      await page.getByRole("link", { name: "Pay once" }).click();
      await expect(page.getByRole("heading", { name: "Pay once", level: 1 })).toBeVisible();
      await expect(page.getByText("Nobody wants to pay twice.")).toBeVisible();
      await expect(page.locator("del")).toHaveText("-  charge(cart);");
      await expect(page.getByText("0 added, 1 removed")).toBeVisible();
      await expect(page.getByText("This file has no text changes")).toBeVisible();
      await page.getByRole("link", { name: "Files at this commit" }).click();
      await expect(page.getByRole("link", { name: "logo.bin" })).toBeVisible();
      await expect(page.getByRole("link", { name: "<b" })).toHaveCount(0);
      await page.goBack();
      await page.locator("dd ul").getByRole("link").click();
      await expect(page.getByRole("heading", { name: "Begin", level: 1 })).toBeVisible();
      await expect(page.getByText("None: this is the first commit.")).toBeVisible();
      await expect(page.locator("ins").last()).toContainText("+function pay(cart) {");
    });
  });

test("the code pages return 404 for a missing revision or path, and show the source code of a private project only to Reporters and higher roles", async ({
  page,
  instance,
}) => {
  const home = await projectWithCode(instance, "carlotta", "private");
  for (const name of ["gwen", "rita"]) await makeUser(instance, name);
  const call = await apiOf(instance, "carlotta");
  const member = (username: string, access_level: number) =>
    call("POST", `${home}/members`, { username, access_level });
  await member("gwen", 10);
  await member("rita", 20);

  await openAs(page, "rita", `${home}/tree?ref=main&path=src`);
  await expect(page.getByRole("link", { name: "pay.js" })).toBeVisible();
  for (const absent of [
    "tree?ref=absent",
    "tree?path=absent",
    "tree?path=..",
    "tree?path=src/pay.js",
    "tree?ref=--all",
    "file",
    "file?path=src",
    "file?path=src/pay.js%00",
    "file?path=absent",
    "commits?ref=absent",
    "commits?page=9",
    "commits/0000000000000000000000000000000000000000",
    "commits/main",
    "commits/HEAD",
  ])
    expect(await statusOf(page, `${home}/${absent}`), absent).toBe(404);
  expect(await statusOf(page, `${home}/tree?path=src&path=absent`)).toBe(200);

  await page.goto(`${home}/file?path=README.md`);
  await expect(page.getByRole("heading", { name: "Shop", level: 2 })).toBeVisible();
  await page.getByRole("link", { name: "Source" }).click();
  await expect(page.getByRole("region", { name: "Text of the file" })).toContainText("# Shop");
  await page.goto(`${home}/file?path=img/a+till.png`);
  await expect(page.getByRole("img", { name: "Content of img/a till.png" })).toBeVisible();
  await page.goto(`${home}/file?path=logo.bin`);
  await expect(page.getByText("This file is binary")).toBeVisible();
  const raw = await page.getByRole("link", { name: "Raw" }).getAttribute("href");
  const file = await page.request.get(raw ?? "");
  expect([file.headers()["content-disposition"], await file.body()]).toEqual([
    "attachment; filename*=UTF-8''logo.bin",
    Buffer.from([0, 1, 255]),
  ]);

  await openAs(page, "gwen", home);
  await expect(page.getByLabel("Project").getByRole("link", { name: "Code" })).toHaveCount(0);
  for (const closed of ["tree", "file?path=src/pay.js", "commits"])
    expect(await statusOf(page, `${home}/${closed}`), closed).toBe(404);
});

test("GitLab URLs that contain /-/ open the corresponding pages, after a sign-in if necessary", async ({
  page,
  instance,
}) => {
  const home = await projectWithCode(instance, "lina", "private");
  await openAs(page, "lina", home);
  const call = await apiOf(instance, "lina");
  await call("POST", `${home}/repository/branches`, { branch: "feature/100%-ü", ref: "main" });
  const project = "/lina/shop/-";
  const branch = "feature/100%25-%C3%BC";
  const ref = new URLSearchParams({ ref: "feature/100%-ü" });
  for (const [url, target] of [
    [`${project}/tree/main`, `${home}/tree?ref=main`],
    [`${project}/tree/HEAD/src`, `${home}/tree?path=src`],
    [`${project}/tree/${branch}/src`, `${home}/tree?${ref}&path=src`],
    [`${project}/blob/v1/src/pay.js#L2`, `${home}/file?ref=v1&path=src%2Fpay.js#L2`],
    [`${project}/raw/${branch}/src/pay.js`, `${home}/raw?${ref}&path=src%2Fpay.js`],
    [`${project}/commits/main`, `${home}/commits?ref=main`],
    [`${project}/merge_requests?state=merged`, `${home}/merge_requests?state=merged`],
    [`${project}/settings/repository`, `${home}/settings/protected_branches`],
  ] as const) {
    expect(await statusOf(page, url), url).toBe(200);
    await expect(page).toHaveURL(target);
  }
  await page.goto(`${project}/blob/${branch}/src/pay.js#L2`);
  await expect(page.locator(":target")).toHaveText("2");
  for (const absent of ["tree/absent", "blob/main/absent", "absent", "merge_requests/9", "commit/main"])
    expect(await statusOf(page, `${project}/${absent}`), absent).toBe(404);
  await page.context().clearCookies();
  for (const hidden of [`${project}/blob/${branch}/src/pay.js`, "/lina/absent/-/blob/main/a"]) {
    await page.goto(hidden);
    await expect(page).toHaveURL(`/users/sign_in?return_to=${encodeURIComponent(hidden)}`);
  }
});

test("the code pages escape malicious file names and contents", async ({ page, instance }) => {
  const home = await projectWithCode(instance, "hugo", "public");
  await page.goto(`${home}/tree`);
  await page.getByRole("link", { name: `${HOSTILE.folder}/` }).click();
  await page.getByRole("link", { name: "<img src=x onerror=owned()> [U+202E]txt.exe" }).click();
  await expect(page.getByText("characters that change the direction of text")).toBeVisible();
  const text = page.getByRole("region", { name: "Text of the file" });
  await expect(text).toContainText('<script>document.title = "owned"</script>');
  await expect(text).toContainText("if (admin) { [U+202E] } // مرحبا");
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await page.getByRole("link", { name: HOSTILE.title }).click();
  await expect(page.getByRole("heading", { name: HOSTILE.title, level: 1 })).toBeVisible();
  await expect(page.locator("ins")).toContainText("[U+202E]");
  await expect(page.getByText("characters that change the direction of text")).toBeVisible();
  await expectNoOverflow(page);
  expect(await page.locator("main").locator("script, img, b").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  await expect(page.locator("main")).not.toContainText(/[\u202A-\u202E]/);
});

test("the page of an empty repository shows instructions, and a long history is paginated", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "emilia");
  const call = await apiOf(instance, "emilia");
  const { id } = await call("POST", "/projects", { name: "Empty", path: "empty", visibility: "public" });
  for (const place of ["tree", "commits"]) {
    expect(await statusOf(page, `/projects/${id}/${place}`)).toBe(200);
    await expect(page.getByText("The repository is empty")).toBeVisible();
  }
  await pushCode(instance, "emilia", "emilia/empty", 31);
  await page.goto(`/projects/${id}/commits`);
  await expect(page.getByRole("listitem").filter({ hasText: "Ann" })).toHaveCount(25);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByRole("link", { name: "Begin" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  await page.getByRole("link", { name: "Newer" }).click();
  await expect(page.getByRole("link", { name: "Older" })).toBeVisible();
});
