import { fileURLToPath } from "node:url";
import { freePort, startProgram, untilItAnswers } from "../../scripts/program.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { signIn } from "../oauth/fixtures.ts";
import { expect, registerConfidential, test } from "./fixtures.ts";

const SITE = fileURLToPath(new URL("next-auth-site.mjs", import.meta.url));

let url: string;
let output: () => string;
const undo: (() => unknown)[] = [];

test.beforeAll(async ({ instance }, testInfo) => {
  // The web site and Gatehouse use the same host name. The two servers receive each other's cookies, because
  // cookies ignore ports.
  url = `http://${new URL(instance.baseUrl).hostname}:${await freePort()}`;
  const callback = `${url}/api/auth/callback/gitlab`;
  const { client_id, client_secret } = await registerConfidential(
    instance,
    "--name",
    "Acme Board",
    "--scopes",
    "read_user",
    "--redirect-uri",
    callback,
  );
  const env = { GATEHOUSE_URL: instance.baseUrl, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  const site = startProgram([SITE, url], { env, logFile: testInfo.outputPath("next-auth-site.log") });
  undo.push(site.stop);
  await untilItAnswers(`${url}/api/auth/providers`, site);
  output = site.output;
});

test.afterAll(async () => {
  for (const end of undo.splice(0)) await end();
});

test(
  conformance(
    "SC-20",
    "AC-01",
    "PK-02",
    "US-01",
    "next-auth's GitLab provider, configured as documented without an issuer, signs a user in to a web site",
  ),
  async ({ page, instance }) => {
    await page.goto(url);
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with GitLab" }).click();
    await signIn(page, instance);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${url}/**`);
    expect(output()).not.toContain("[next-auth][error]");
    await expect(page.getByRole("heading", { name: /^Hello, Administrator \(.+@.+\)$/ })).toBeVisible();
  },
);

test(
  conformance(
    "SC-21",
    "a next-auth client on the host of Gatehouse does not overwrite the session cookie of Gatehouse, and Gatehouse does not overwrite the cookie of the client",
  ),
  async ({ page, instance }) => {
    const greeting = page.getByRole("heading", { name: /^Hello, Administrator/ });
    const signOut = page.getByRole("button", { name: "Sign out" });
    await page.goto(url);
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with GitLab" }).click();
    await signIn(page, instance);
    await page.waitForURL(`${url}/**`);
    await expect(greeting).toBeVisible();

    await page.goto(`${instance.baseUrl}/user_settings/sessions`);
    await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeVisible();
    await page.goto(url);
    await expect(greeting).toBeVisible();

    await page.goto(`${url}/api/auth/signout`);
    await signOut.click();
    await page.goto(url);
    await expect(page.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
    await page.goto(`${instance.baseUrl}/user_settings/sessions`);
    await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeVisible();

    await page.goto(url);
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with GitLab" }).click();
    await expect(greeting).toBeVisible();
    await page.goto(instance.baseUrl);
    await page.getByRole("button", { name: /^Account of/ }).click();
    await signOut.click();
    await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
    await page.goto(url);
    await expect(greeting).toBeVisible();
  },
);
