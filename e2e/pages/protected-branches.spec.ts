import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { hasGit } from "../git/git.ts";
import { pushCode } from "./code-world.ts";
import { expect, test } from "./journey.ts";
import { apiOf } from "./project-world.ts";
import { expectNoOverflow, givePassword, makeUser } from "./user.ts";

test.skip(!hasGit(), notRunnableWithout("git"));

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(
      conformance(
        "SC-02",
        "a maintainer protects and unprotects branches, and a developer cannot merge into a protected branch",
      ),
      async ({ page, instance }) => {
        const [owner, dev] = javaScriptEnabled ? ["paula", "pavel"] : ["paulina", "pascal"];
        for (const name of [owner, dev]) await makeUser(instance, name);
        const call = await apiOf(instance, owner);
        const { id } = await call("POST", "/projects", { name: "Pier", path: "pier" });
        await pushCode(instance, owner, `${owner}/pier`);
        await call("POST", `/projects/${id}/members`, { username: dev, access_level: 30 });
        await call("POST", `/projects/${id}/repository/branches`, { branch: "stable", ref: "v1" });
        const mergeRequest = { source_branch: "main", target_branch: "stable", title: "Ship it" };
        await call("POST", `/projects/${id}/merge_requests`, mergeRequest);
        const settings = `/projects/${id}/settings`;
        const becomes = async (name: string, path: string) => {
          await page.context().clearCookies();
          await page.goto(path);
          await givePassword(page, name);
          await page.waitForURL(`**${path}`);
        };

        await page.setViewportSize({ width: 390, height: 800 });
        await becomes(owner, settings);
        await page.getByRole("link", { name: "Protected branches" }).last().click();
        await expect(page.getByRole("heading", { name: "main", exact: true })).toBeVisible();
        await expectNoOverflow(page);
        await page.getByLabel("Branch", { exact: true }).fill("a branch");
        await page.getByLabel("Allowed to merge").selectOption("No one");
        await page.getByRole("button", { name: "Protect branch" }).press("Enter");
        await expect(page.getByText("Enter a branch name, with at most 3 wildcards (*).")).toBeVisible();
        await expect(page.getByLabel("Branch", { exact: true })).toHaveValue("a branch");
        await expect(page.getByLabel("Allowed to merge")).toHaveValue("0");
        await page.getByLabel("Branch", { exact: true }).fill("main");
        await page.getByRole("button", { name: "Protect branch" }).click();
        await expect(page.getByText("This branch is already protected.")).toBeVisible();
        await page.getByLabel("Branch", { exact: true }).fill("st*");
        await page.getByLabel("Allowed to merge").selectOption("Maintainers");
        await page.getByLabel("Allow force push").check();
        await page.getByRole("button", { name: "Protect branch" }).click();
        await expect(page.getByText("The branch is protected.")).toBeVisible();
        await expectNoOverflow(page);
        expect(await call("GET", `/projects/${id}/protected_branches/st%2A`)).toMatchObject({
          push_access_levels: [{ access_level: 40 }],
          merge_access_levels: [{ access_level: 40 }],
          allow_force_push: true,
        });

        await becomes(dev, `/projects/${id}/merge_requests/1`);
        await expect(page.getByText("The target branch is protected. Ask a maintainer")).toBeVisible();
        await expect(page.getByRole("button", { name: "Merge", exact: true })).toHaveCount(0);
        expect((await page.goto(`${settings}/protected_branches`))?.status()).toBe(404);

        await becomes(owner, `${settings}/protected_branches`);
        const rules = page
          .getByRole("main")
          .getByRole("listitem")
          .filter({ has: page.getByRole("heading") });
        await expect(rules).toHaveCount(2);
        await rules.last().getByRole("button", { name: "Unprotect…" }).press("Enter");
        await page.getByRole("button", { name: "Unprotect st*" }).press("Enter");
        await expect(page.getByText("The branch is no longer protected.")).toBeVisible();
        await expect(rules).toHaveCount(1);

        await becomes(dev, `/projects/${id}/merge_requests/1`);
        await page.getByRole("button", { name: "Merge", exact: true }).click();
        await expect(page.getByRole("heading", { name: "This merge request is merged" })).toBeVisible();
      },
    );
  });
