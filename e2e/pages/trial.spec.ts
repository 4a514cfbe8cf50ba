import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Instance } from "../instance.ts";
import { register } from "../oauth/fixtures.ts";
import { expect, test } from "./journey.ts";
import { expectNoOverflow, openAs } from "./user.ts";

const HOME = "/user_settings/applications";
const CALLBACK = "https://app.example/callback";

/** Opens the page that starts the trial authorization of an application. @returns the authorization request. */
async function openTrial(page: Page, name: string): Promise<URL> {
  await page.goto(HOME);
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("link", { name: "Try the authorization" }).click();
  await expect(page.getByRole("heading", { name: `Try the authorization of ${name}` })).toBeVisible();
  const request = new URL((await textOf(page, "1. Authorization request", "GET")) ?? "");
  await page.getByRole("link", { name: "Start the authorization" }).click();
  return request;
}

/** Returns a request or a response on the page of a trial authorization. */
function textOf(page: Page, step: string, label: string): Promise<string | null> {
  const card = page.locator("section", { has: page.getByRole("heading", { name: step, exact: true }) });
  return card
    .locator("figure", { has: page.locator("figcaption", { hasText: label }) })
    .locator("pre")
    .textContent();
}

/** Returns the body of a response on the page, whose first line is the status. */
async function bodyOf(page: Page, step: string): Promise<Readonly<Record<string, unknown>>> {
  const [status, ...body] = ((await textOf(page, step, "Response")) ?? "").split("\n");
  expect(status, step).toBe("HTTP 200");
  return JSON.parse(body.join("\n"));
}

const userStatus = async (instance: Instance, token: unknown): Promise<number> =>
  (await fetch(`${instance.baseUrl}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    // Without JavaScript, the trial authorization also runs at the width of a phone.
    test.use({ javaScriptEnabled, ...(javaScriptEnabled ? {} : { viewport: { width: 390, height: 800 } }) });

    for (const kind of ["confidential", "public"])
      test(`the owner of a ${kind} application tries the authorization, and the page shows each step (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
        page,
        instance,
      }) => {
        const name = `Trial ${kind} ${javaScriptEnabled ? "One" : "Two"}`;
        const options = kind === "public" ? ["--public"] : [];
        const about = ["--redirect-uri", CALLBACK, "--scopes", "openid profile read_user", "--owner", "root"];
        const client = await register(instance, "--name", name, ...about, ...options);
        await openAs(page, "root", HOME, instance.rootPassword);
        const { searchParams: request } = await openTrial(page, name);
        expect(Object.fromEntries(request)).toMatchObject({
          client_id: client.client_id,
          response_type: "code",
          scope: "openid profile read_user",
          code_challenge_method: "S256",
        });
        await expect(page.getByRole("heading", { name })).toBeVisible();
        await expectNoOverflow(page);
        await page.getByRole("button", { name: "Allow" }).click();

        await expect(page.getByRole("heading", { name: `The authorization of ${name}` })).toBeVisible();
        await expectNoOverflow(page);
        const response = new URL((await textOf(page, "3. Authorization response", "Request")) ?? "");
        expect(response.pathname).toMatch(/\/try\/callback$/);
        expect(response.searchParams.get("state")).toBe(request.get("state"));
        const exchange = (await textOf(page, "4. Token response", "Request")) ?? "";
        expect(exchange).toContain(`code='${response.searchParams.get("code")}'`);
        expect(exchange.includes('client_secret="$CLIENT_SECRET"')).toBe(kind === "confidential");
        const verifier = /code_verifier='(.*)'/.exec(exchange)?.[1] ?? "";
        expect(createHash("sha256").update(verifier).digest("base64url")).toBe(request.get("code_challenge"));
        const token = await bodyOf(page, "4. Token response");
        expect(token).toMatchObject({ token_type: "bearer", scope: "openid profile read_user" });
        const decoded = (await textOf(page, "5. ID token, decoded", "Response")) ?? "";
        const claims = JSON.parse(decoded.slice(decoded.indexOf("\n{") + 1));
        expect(claims).toMatchObject({
          iss: instance.baseUrl,
          aud: client.client_id,
          nonce: request.get("nonce"),
        });
        expect(await bodyOf(page, "6. Userinfo")).toMatchObject({ sub: claims.sub, nickname: "root" });
        expect(await bodyOf(page, "7. GET /user")).toMatchObject({ username: "root" });
        expect(await textOf(page, "8. Revocation", "Request")).toContain("/oauth/revoke");
        expect(await userStatus(instance, token["access_token"])).toBe(401);
        expect((await page.content()).includes("ghcs_"), "the page contains no client secret").toBe(false);

        await page.reload();
        await expect(page.getByRole("heading", { name: "This trial authorization has ended" })).toBeVisible();
        const trail = page.getByRole("navigation", { name: "Breadcrumb" });
        await trail.getByRole("link", { name: "Try the authorization" }).click();
        await page.getByRole("link", { name: "Start the authorization" }).click();
        await page.getByRole("button", { name: "Deny" }).click();
        const refusal = new URL((await textOf(page, "3. Authorization response", "Request")) ?? "");
        expect(refusal.searchParams.get("error")).toBe("access_denied");
        await expect(page.getByRole("heading", { name: "4. Token response" })).toHaveCount(0);
      });
  });
