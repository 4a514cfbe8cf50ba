import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { hasGit } from "../git/git.ts";
import { pushBranch, pushCode } from "./code-world.ts";
import { replaceText } from "./hydration.ts";
import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { errorOn, expectNoOverflow, givePassword, makeUser } from "./user.ts";

test.skip(!hasGit(), notRunnableWithout("git"));

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("an author creates a merge request, and an owner approves and merges the merge request", async ({
      page,
      instance,
    }) => {
      const [author, owner] = javaScriptEnabled ? ["nils", "nora"] : ["nilsson", "noreen"];
      for (const name of [author, owner]) await makeUser(instance, name);
      const call = await apiOf(instance, owner);
      const { id } = await call("POST", "/projects", { name: "Boat", path: "boat" });
      await pushCode(instance, owner, `${owner}/boat`);
      await call("POST", `/projects/${id}/members`, { username: author, access_level: 30 });
      await call("POST", `/projects/${id}/repository/branches`, { branch: "stable", ref: "v1" });
      const home = `/projects/${id}/merge_requests`;
      const settings = `/projects/${id}/settings/merge_requests`;
      const becomes = async (name: string, path: string) => {
        await page.context().clearCookies();
        await page.goto(path);
        await givePassword(page, name);
        await page.waitForURL(`**${path}`);
      };

      await becomes(owner, `/projects/${id}/settings`);
      await page.getByRole("link", { name: "Merge requests" }).last().click();
      await page.getByLabel("Fast-forward").check();
      await page.getByRole("button", { name: "Save merge method" }).click();
      await expect(page.getByText("The merge method is saved.")).toBeVisible();
      await page.getByLabel("Required approvals").fill("many");
      await page.getByLabel("Committers cannot approve").check();
      await page.getByRole("button", { name: "Save approval settings" }).click();
      await expect(page.getByText("Enter a whole number from 0 to 100.")).toBeVisible();
      await page.getByLabel("Required approvals").fill("1");
      await page.getByRole("button", { name: "Save approval settings" }).click();
      await expect(page.getByText("The approval settings are saved.")).toBeVisible();
      expect(await call("GET", `/projects/${id}/approvals`)).toMatchObject({
        approvals_before_merge: 1,
        merge_requests_disable_committers_approval: true,
        reset_approvals_on_push: true,
      });
      for (const name of ["<i>Captain</i>", "Nobody"]) {
        await page.getByRole("link", { name: "Add rule" }).click();
        await page.getByLabel("Name").fill(name);
        await page.getByLabel("Approvers").fill(`stowaway, @${author.toUpperCase()}`);
        await page.getByRole("button", { name: "Add rule" }).click();
        await expect(page.getByText("@stowaway is not a member of this project.")).toBeVisible();
        await expect(page.getByLabel("Name")).toHaveValue(name);
        await page.getByLabel("Approvers").fill(`${author} ${author}`);
        await page.getByRole("button", { name: "Add rule" }).click();
        await expect(page.getByText("The rule is added.")).toBeVisible();
      }
      const rules = page
        .getByRole("main")
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading") });
      await rules.last().getByRole("button", { name: "Delete…" }).press("Enter");
      await page.getByRole("button", { name: "Delete this rule" }).press("Enter");
      await expect(page.getByText("The rule is deleted.")).toBeVisible();
      await page.getByRole("link", { name: "Edit <i>Captain</i>" }).click();
      await page.getByLabel("Approvers").fill("");
      await page.getByRole("button", { name: "Save rule" }).click();
      await expect(page.getByText("Enter at least one username")).toBeVisible();
      await page.getByLabel("Approvers").fill(owner);
      await page.getByRole("button", { name: "Save rule" }).click();
      await expect(page.getByText("The rule is saved.")).toBeVisible();
      await expect(rules).toHaveText([new RegExp(`<i>Captain</i>\\s*1 approval by @${owner}`)]);
      await expect(page.getByLabel("Fast-forward")).toBeChecked();

      await becomes(author, home);
      expect((await page.goto(settings))?.status()).toBe(404);
      await page.goto(home);
      await page.getByRole("link", { name: "New merge request" }).click();
      await page.getByLabel("Source branch", { exact: true }).selectOption("main");
      await page.getByLabel("Target branch", { exact: true }).selectOption("main");
      await page.getByLabel("Title").fill("Draft: <b>Ship</b> it");
      await page.getByRole("button", { name: "Create merge request" }).click();
      await expect(errorOn(page)).toContainText("The merge request was not created");
      await page.getByLabel("Target branch", { exact: true }).selectOption("stable");
      await page.getByLabel("Description").fill("It is done. ".repeat(20_000));
      await page.getByRole("button", { name: "Create merge request" }).click();
      await expect(page.getByText("Shorten the description to at most 200,000 characters.")).toBeVisible();
      await expect(page.getByLabel("Description")).toHaveValue(/^It is done\..{200000}/);
      await replaceText(page.getByLabel("Description"), "It is **done**.\n\n<script>owned()</script>");
      await page.getByRole("button", { name: "Create merge request" }).click();
      await expect(page.getByRole("heading", { name: "Draft: <b>Ship</b> it !1", level: 1 })).toBeVisible();
      await expect(page.locator("main strong")).toHaveText("done");
      await expect(page.getByRole("heading", { name: "This merge request is a draft" })).toBeVisible();
      await expect(page.getByRole("list", { name: "Commits" }).getByRole("listitem")).toHaveCount(2);
      await expect(page.getByRole("heading", { name: "3 changed files" })).toBeVisible();
      await expect(page.getByText("0 added, 1 removed")).toBeVisible();
      const files = page.getByRole("navigation", { name: "Changed files" });
      await files.getByRole("link", { name: "src/pay.js" }).click();
      const pay = page.getByRole("region", { name: "src/pay.js", exact: true });
      await expect(pay).toBeInViewport();
      await expect(pay.locator("div:has(> del) > span").first()).toHaveText("3");

      await page.getByRole("link", { name: "Edit", exact: true }).click();
      const other = { title: "Draft: <b>Ship</b> it", description: "Changed by the owner." };
      await call("PUT", `${home}/1`, other);
      await page.getByLabel("Title").fill("");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByText("Enter a title.")).toBeVisible();
      await page.getByLabel("Title").fill("Draft: <b>Ship</b> it");
      await replaceText(page.getByLabel("Description"), "# Edited\n\nby the *author*");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(errorOn(page)).toContainText("Another user has changed the title or the description");
      await expect(page.getByLabel("Description")).toHaveValue("# Edited\n\nby the *author*");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByRole("heading", { name: "Edited", level: 2 })).toBeVisible();

      await page.getByRole("button", { name: "Mark as ready" }).click();
      await expect(page.getByRole("heading", { name: "Approval required" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Reopen" }).click();
      await expect(page.getByText("1 more approval, 1 more approval for <i>Captain</i>.")).toBeVisible();

      await page.setViewportSize({ width: 390, height: 800 });
      await becomes(owner, home);
      await expectNoOverflow(page);
      await page.getByRole("link", { name: "<b>Ship</b> it" }).click();
      await expectNoOverflow(page);
      // The owner pushed the commits of this merge request, so the owner may not approve it.
      await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
      await call("POST", `/projects/${id}/approvals`, { merge_requests_disable_committers_approval: false });
      await page.reload();
      await page.getByRole("button", { name: "Approve" }).press("Enter");
      await expect(page.getByText(`Approved by ${owner}.`)).toBeVisible();
      await page.getByLabel("Squash commits").check();
      await page.getByRole("button", { name: "Merge", exact: true }).press("Enter");
      await expect(page.getByRole("heading", { name: "This merge request is merged" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Merge", exact: true })).toHaveCount(0);
      await expect(page.getByText(`Approved by ${owner}.`)).toBeVisible();
      const merged = await call("GET", `/projects/${id}/merge_requests/1`);
      expect(merged).toMatchObject({
        state: "merged",
        merge_commit_sha: null,
        squash_commit_sha: expect.any(String),
      });
      await page.goto(`${home}?state=merged`);
      await expect(page.getByRole("table")).toContainText("!1 main into stable");
      expect((await page.goto(`${home}/2`))?.status()).toBe(404);
    });
  });

test("the page of a merge request shows the reason that blocks a merge, and a page number that is too high redirects to the last page", async ({
  page,
  instance,
}) => {
  await makeUser(instance, "nessa");
  const call = await apiOf(instance, "nessa");
  const { id } = await call("POST", "/projects", { name: "Raft", path: "raft" });
  const home = `/projects/${id}/merge_requests`;
  await page.goto(`${home}/new`);
  await givePassword(page, "nessa");
  await expect(page.getByText("There is no branch to merge yet")).toBeVisible();

  await pushCode(instance, "nessa", "nessa/raft");
  const packages = {
    "node_modules/<i>rope</i>": { license: "GPL-3.0" },
    "node_modules/oar": { license: "MIT" },
  };
  const files = { "package-lock.json": JSON.stringify({ lockfileVersion: 3, packages }) };
  await pushBranch(instance, "nessa", "nessa/raft", { branch: "ropes", files });
  await page.goto(`/projects/${id}`);
  await expect(page.getByRole("heading", { name: "You pushed ropes" })).toBeVisible();
  await page.getByRole("link", { name: "Create merge request" }).click();
  await expect(page.getByLabel("Source branch", { exact: true })).toHaveValue("ropes");

  const policies = `/projects/${id}/license_approval_policies`;
  await call("POST", policies, { name: "<b>No</b> copyleft", deny_list: ["GPL-3.0"] });
  await call("POST", policies, { name: "Asked for", allow_list: ["Apache-2.0"], approvals_required: 2 });
  const mergeRequest = { source_branch: "ropes", target_branch: "main", title: "Tie it" };
  await call("POST", `/projects/${id}/merge_requests`, mergeRequest);
  await call("POST", `/projects/${id}/approvals`, {
    require_password_to_approve: true,
    merge_requests_author_approval: true,
  });

  await page.goto(`${home}?page=2`);
  await expect(page).toHaveURL(home);
  await expect(page.getByRole("table")).toContainText("License not allowed");
  await page.getByRole("link", { name: "Tie it" }).click();
  await expect(page.getByRole("list", { name: "Licenses" }).getByRole("listitem")).toHaveText([
    "GPL-3.0 in <i>rope</i>. The policy <b>No</b> copyleft does not permit the merge.",
    "GPL-3.0 in <i>rope</i>. The policy Asked for requires 2 more approvals.",
    "MIT in oar. The policy Asked for requires 2 more approvals.",
  ]);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Enter your password to approve.")).toBeVisible();

  const settings = `/projects/${id}/settings/merge_requests`;
  await page.goto(`${settings}?page=2`);
  await expect(page).toHaveURL(settings);
  await call("DELETE", `/projects/${id}/repository/branches/ropes`);
  await page.goto(`${home}/1`);
  await expect(page.getByRole("heading", { name: "There is nothing to merge" })).toBeVisible();
  await expect(page.getByRole("link", { name: "main", exact: true })).toHaveCount(1);
  await expect(page.getByRole("link", { name: "ropes", exact: true })).toHaveCount(0);
  await page.goto("/user_settings/api_v5?page=2");
  await expect(page).toHaveURL("/user_settings/api_v5");
  await expect(page.getByRole("table")).toContainText("merge request field merge_status");
});
