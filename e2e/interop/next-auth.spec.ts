import { freePort } from "../../scripts/program.mjs";
import { signIn } from "../oauth/fixtures.ts";
import { expect, registerConfidential, test } from "./fixtures.ts";
import { buildNextApp, startNextApp } from "./next-site.ts";

// Cookies know no ports: under the instance's own host name the two would overwrite each other's sessions.
const HOST = "127.0.0.1";

let url: string;
let output: () => string;
const undo: (() => unknown)[] = [];

test.beforeAll(async ({ instance }, testInfo) => {
  testInfo.setTimeout(240_000);
  url = `http://${HOST}:${await freePort()}`;
  const callback = `${url}/api/auth/callback/gitlab`;
  const [{ client_id, client_secret }] = await Promise.all([
    registerConfidential(
      instance,
      "--name",
      "Acme Board",
      "--scopes",
      "read_user",
      "--redirect-uri",
      callback,
    ),
    buildNextApp((stop) => undo.push(stop)),
  ]);
  const env = { GATEHOUSE_URL: instance.baseUrl, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  const site = await startNextApp(url, { env, logFile: testInfo.outputPath("next-app.log") });
  undo.push(site.close);
  output = site.output;
});

test.afterAll(async () => {
  for (const end of undo.splice(0)) await end();
});

test("next-auth's GitLab provider signs a person in to a Next application [AC-01, PK-02, US-01]", async ({
  page,
  instance,
}) => {
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Sign in with GitLab" }).click();
  await signIn(page, instance);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${url}/**`);
  expect(output()).not.toContain("[next-auth][error]");
  await expect(page.getByRole("heading", { name: /^Hello, Administrator \(.+@.+\)$/ })).toBeVisible();
});
