import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, newRun, open, register, signIn, test, withPkce } from "./fixtures.ts";

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

const servers: Server[] = [];
test.afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}

/**
 * Starts a client whose callback redirects to another origin, as clients do that receive the authorization code for
 * another application.
 * @returns the redirect URI, and the URL to which the callback redirects.
 */
async function startBroker() {
  const application = await listen((_, response) => response.end("<title>The application</title>"));
  const destination = `http://localhost:${application}/`;
  const port = await listen((_, response) => response.writeHead(303, { location: destination }).end());
  return { redirectUri: `http://127.0.0.1:${port}/callback`, destination };
}

for (const mode of ["query", "form_post"])
  test(
    conformance(
      "AZ-39",
      `the browser follows the redirect of a client to another origin after consent and after sign-in with response_mode=${mode}`,
    ),
    async ({ page, instance }) => {
      const { redirectUri, destination } = await startBroker();
      const client = await register(
        instance,
        ...["--name", `Broker ${mode}`, "--owner", "root", "--scopes", "read_user"],
        ...["--redirect-uri", redirectUri],
      );
      const parameters = { redirect_uri: redirectUri, response_mode: mode };
      const { url } = withPkce(await newRun(instance, client, parameters));
      const reports = reportsOf(page);
      await open(page, instance, url);
      await page.getByRole("button", { name: "Allow" }).click();
      await expect(page).toHaveURL(destination);

      // The form of the sign-in page leads to the client when the user has allowed the application before.
      await page.context().clearCookies();
      await page.goto(url);
      await signIn(page, instance);
      await expect(page).toHaveURL(destination);
      expect(reports()).toEqual([]);
    },
  );

test(
  conformance("AZ-39", "the browser follows the redirect of the consent form to a native app"),
  async ({ page, instance }) => {
    const client = await register(
      instance,
      ...["--name", "Acme Everywhere", "--public", "--owner", "root", "--scopes", "read_user"],
      ...["--redirect-uri", "com.acme.app:/callback"],
    );
    const run = withPkce(await newRun(instance, client, { redirect_uri: "com.acme.app:/callback" }));
    await open(page, instance, run.url);
    const reports = reportsOf(page);
    await page.getByRole("button", { name: "Allow" }).click({ noWaitAfter: true });
    await page.waitForTimeout(1000);
    expect(reports()).toEqual([]);
  },
);

test("the form of a page that leads to no client cannot be posted to another site", async ({
  page,
  instance,
}) => {
  await page.goto(`${instance.baseUrl}/users/sign_in`);
  const reports = reportsOf(page);
  await page.evaluate(() => {
    const form = Object.assign(document.createElement("form"), { action: "https://evil.example/" });
    document.body.append(form);
    setTimeout(() => form.submit());
  });
  await expect.poll(reports).toEqual([expect.stringContaining("form-action")]);
});
