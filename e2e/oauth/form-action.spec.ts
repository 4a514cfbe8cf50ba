import type { Page } from "@playwright/test";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, newRun, open, register, test, withPkce } from "./fixtures.ts";

/**
 * Returns a function that lists the violations of the content security policy that the browser reports for a
 * page.
 */
function reportsOf(page: Page): () => readonly string[] {
  const reports: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) reports.push(message.text());
  });
  return () => reports;
}

const TARGETS = {
  "https://client.example/callback": "https://client.example",
  "com.acme.app:/callback": "com.acme.app:",
};

for (const [redirect_uri, source] of Object.entries(TARGETS))
  test(
    conformance(
      "CO-05",
      `the content security policy of the consent page allows its form to redirect only to ${source}`,
    ),
    async ({ page, instance }) => {
      const client = await register(
        instance,
        ...["--name", "Acme Everywhere", "--public", "--owner", "root", "--scopes", "read_user"],
        ...["--redirect-uri", redirect_uri],
      );
      const run = withPkce(await newRun(instance, client, { redirect_uri }));
      await open(page, instance, run.url);
      const allow = page.getByRole("button", { name: "Allow" });
      await expect(allow).toBeVisible();
      const policy = (await page.request.get(page.url())).headers()["content-security-policy"] ?? "";
      expect(policy.split("; ")).toContain(`form-action 'self' ${source}`);

      const elsewhere = await page.context().newPage();
      const refused = reportsOf(elsewhere);
      await elsewhere.goto(run.url);
      await elsewhere.evaluate(() => {
        const form = Object.assign(document.createElement("form"), { action: "https://evil.example/" });
        document.body.append(form);
        setTimeout(() => form.submit());
      });
      await expect.poll(refused).toEqual([expect.stringContaining("form-action")]);
      await elsewhere.close();

      // No server listens at the redirect URIs. A request for a redirect URI shows that the content security
      // policy allowed the navigation.
      const reports = reportsOf(page);
      const visited: string[] = [];
      page.on("request", (request) => visited.push(request.url()));
      await allow.click({ noWaitAfter: true });
      if (source.startsWith("https:"))
        await expect.poll(() => visited.filter((url) => url.startsWith(redirect_uri))).toHaveLength(1);
      else await page.waitForTimeout(1000);
      expect(reports()).toEqual([]);
    },
  );
