import { conformance } from "../../src/testing/conformance.ts";
import { allow, callApi, exchange, expect, newRun, open, test, withPkce } from "./fixtures.ts";

test(
  conformance(
    "AZ-17",
    "AZ-39",
    "SC-29",
    "form_post sends the code in a form that submits itself to the client, and the form request has the instance as its Origin header",
  ),
  async ({ page, instance, clients: { site, publicClient } }) => {
    // Discards the requests that the site received during earlier specs.
    site.received();
    const blocked: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && blocked.push(message.text())));
    const parameters = { redirect_uri: site.redirectUri, response_mode: "form_post" };
    const run = withPkce(await newRun(instance, publicClient, parameters));
    const returning = page.waitForResponse(
      (response) => new URL(response.url()).pathname === "/oauth/authorize" && response.status() === 200,
    );
    await allow(page, instance, run);
    const headers = (await returning).headers();
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).toMatch(/script-src 'nonce-[^' ]+';/);
    expect(headers["cache-control"]).toContain("no-store");
    expect(blocked).toEqual([]);

    const [callback, ...furtherRequests] = site.received();
    expect(furtherRequests).toEqual([]);
    expect(callback).toMatchObject({ method: "POST", url: { search: "" } });
    expect(page.url()).toBe(site.redirectUri);
    // A client can check the origin of the posted form. The form request to the client does not reveal the
    // URL of the authorization request.
    expect(callback).toMatchObject({ origin: instance.baseUrl, referrer: `${instance.baseUrl}/` });
    const tokens = await exchange(instance, publicClient, {
      url: callback?.form ?? new URLSearchParams(),
      state: run.state,
      redirectUri: site.redirectUri,
      verifier: run.verifier,
    });
    expect((await callApi(instance, tokens.access_token)).status).toBe(200);
  },
);

test(
  conformance("AZ-04", "AZ-17", "form_post sends a denial in the form body, without parameters in a URL"),
  async ({ page, instance, clients: { site, publicClient } }) => {
    const parameters = { redirect_uri: site.redirectUri, response_mode: "form_post" };
    const run = withPkce(await newRun(instance, publicClient, parameters));
    await open(page, instance, run.url);
    await page.getByRole("button", { name: "Deny" }).click();
    await expect(page).toHaveTitle("The client");
    const [callback] = site.received();
    expect(callback).toMatchObject({ method: "POST", url: { search: "" } });
    const response = Object.fromEntries(callback?.form ?? []);
    expect(response).toMatchObject({ error: "access_denied", state: run.state });
    expect(response).not.toHaveProperty("code");
  },
);

test(
  conformance("AZ-17", "form_post shows a button when scripts are disabled"),
  async ({ browser, instance, clients: { site, publicClient } }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const parameters = { redirect_uri: site.redirectUri, response_mode: "form_post" };
    const run = withPkce(await newRun(instance, publicClient, parameters));
    await open(page, instance, run.url);
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { name: "Returning to the application" })).toBeVisible();
    expect(site.received()).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveTitle("The client");
    const [callback] = site.received();
    expect(callback).toMatchObject({ method: "POST", origin: instance.baseUrl });
    expect(callback?.form.get("code")).toBeTruthy();
    expect(callback?.form.get("state")).toBe(run.state);
    await context.close();
  },
);
