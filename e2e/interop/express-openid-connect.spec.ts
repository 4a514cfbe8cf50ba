import { freePort } from "../../scripts/program.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { signIn } from "../oauth/fixtures.ts";
import { openExpressSite } from "./express-site.mjs";
import { expect, registerConfidential, test } from "./fixtures.ts";

let origin: string;
let site: Awaited<ReturnType<typeof openExpressSite>>;

test.beforeAll(async ({ instance }) => {
  origin = `http://127.0.0.1:${await freePort()}`;
  const { client_id, client_secret } = await registerConfidential(
    instance,
    ...["--name", "Acme Desk", "--scopes", "openid profile email read_user"],
    ...["--redirect-uri", `${origin}/callback`, "--redirect-uri", origin, "--redirect-uri", `${origin}/`],
  );
  site = await openExpressSite({
    origin,
    issuer: instance.baseUrl,
    clientId: client_id,
    clientSecret: client_secret,
  });
});

test.afterAll(() => site.close());

test(
  conformance(
    "DC-01",
    "ID-03",
    "RT-01",
    "UI-01",
    "express-openid-connect signs a user in, refreshes the tokens and signs the user out of the site and of Gatehouse",
  ),
  async ({ page, instance }) => {
    await page.goto(origin);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, instance);
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { name: /^Hello, Administrator \(.+@.+\)$/ })).toBeVisible();
    const refreshed = await page.request.get(`${origin}/refresh`);
    expect(await refreshed.json()).toEqual({ sub: "1", before: 401, after: 200 });
    await page.getByRole("link", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Signed out" })).toBeVisible();
    expect(page.url()).toBe(`${origin}/`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await expect(page.getByLabel("Password")).toBeVisible();
  },
);
