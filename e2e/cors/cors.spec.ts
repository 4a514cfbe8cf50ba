import type { Page } from "@playwright/test";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { expect, open, type Registered, register, test } from "../oauth/fixtures.ts";
import { BLOCKED, bearer, fetchIn, readable } from "./page-fetch.ts";
import { begin, openSpaSite, type SpaSite } from "./spa-site.ts";

let spa: Readonly<{ site: SpaSite; application: Registered }>;

test.beforeAll(async ({ instance }) => {
  const site = await openSpaSite();
  const application = await register(
    instance,
    ...["--name", "Acme Map", "--owner", "root", "--public"],
    ...["--redirect-uri", site.redirectUri, "--scopes", "openid profile read_user"],
  );
  spa = { site, application };
});

test.afterAll(() => spa.site.close());

/**
 * Signs in and allows the authorization request. The page receives the authorization code and exchanges it by
 * `fetch`.
 */
async function tokensFor(page: Page, instance: Instance, scope: string): Promise<Record<string, unknown>> {
  const { site, application } = spa;
  await page.goto(site.origin);
  const { body: metadata } = readAnswer(
    await fetchIn(page, `${instance.baseUrl}/.well-known/openid-configuration`),
  );
  const { client_id } = application;
  const parameters = { client_id, redirect_uri: site.redirectUri, response_type: "code", scope, state: "s" };
  const url = await begin(page, String(metadata["authorization_endpoint"]), parameters);
  await open(page, instance, url);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveTitle("The single-page application");
  const form = {
    grant_type: "authorization_code",
    client_id,
    redirect_uri: site.redirectUri,
    code: new URL(page.url()).searchParams.get("code") ?? "",
    code_verifier: await page.evaluate(() => sessionStorage.getItem("verifier") ?? ""),
  };
  return readAnswer(await fetchIn(page, String(metadata["token_endpoint"]), { form })).body;
}

function readAnswer(result: Awaited<ReturnType<typeof fetchIn>>): { body: Record<string, unknown> } {
  if (result.blocked || result.status !== 200 || result.body === null)
    throw new Error(`The page could not read a good answer: ${JSON.stringify(result)}`);
  return { body: result.body };
}

const TOKEN_ENDPOINTS = ["/oauth/token", "/oauth/revoke", "/oauth/userinfo", "/oauth/token/info"];

test(
  conformance(
    "CO-03",
    "CO-04",
    "CO-07",
    "a single-page application on another origin completes the PKCE flow with fetch",
  ),
  async ({ page, instance }) => {
    const at = (path: string): string => instance.baseUrl + path;
    const tokens = await tokensFor(page, instance, "openid profile read_user");
    const headers = bearer(tokens["access_token"]);
    expect(await fetchIn(page, at("/oauth/userinfo"), { headers })).toMatchObject(
      readable(200, { sub: "1", preferred_username: "root" }),
    );
    expect(await fetchIn(page, at("/oauth/userinfo"), { headers, method: "POST" })).toMatchObject(
      readable(200, { sub: "1" }),
    );
    expect(await fetchIn(page, at("/oauth/token/info"), { headers })).toMatchObject(
      readable(200, { resource_owner_id: 1, application: { uid: spa.application.client_id } }),
    );
    expect(await fetchIn(page, at("/api/v4/user"), { headers })).toMatchObject(
      readable(200, { username: "root" }),
    );
    expect(await fetchIn(page, at("/oauth/discovery/keys"))).toMatchObject(
      readable(200, { keys: [{ kty: "RSA" }] }),
    );
    const { client_id } = spa.application;
    const refresh = {
      grant_type: "refresh_token",
      client_id,
      refresh_token: String(tokens["refresh_token"]),
    };
    const renewed = readAnswer(await fetchIn(page, at("/oauth/token"), { form: refresh })).body;
    const revocation = { client_id, token: String(renewed["access_token"]) };
    expect(await fetchIn(page, at("/oauth/revoke"), { form: revocation })).toEqual(readable(200, {}));
    const dead = { headers: bearer(renewed["access_token"]) };
    for (const path of ["/oauth/userinfo", "/oauth/token/info", "/api/v4/user"])
      expect(await fetchIn(page, at(path), dead), path).toMatchObject(
        readable(401, { error: "invalid_token" }),
      );
  },
);

test(
  conformance("CO-03", "a single-page application can read the body of every error response"),
  async ({ page, instance }) => {
    const at = (path: string): string => instance.baseUrl + path;
    const tokens = await tokensFor(page, instance, "read_user");
    const { client_id } = spa.application;
    const wrong = {
      grant_type: "authorization_code",
      client_id,
      code: "x",
      redirect_uri: spa.site.redirectUri,
    };
    const { client_id: _, ...anonymous } = wrong;
    const unknown = { ...wrong, client_id: "unknown" };
    const basic = { authorization: `Basic ${btoa("unknown:secret")}` };
    const forms = [
      ["/oauth/token", {}, 400, "invalid_request"],
      ["/oauth/token", { ...wrong, code_verifier: "v".repeat(43) }, 400, "invalid_grant"],
      ["/oauth/token", unknown, 401, "invalid_client"],
      ["/oauth/revoke", { client_id }, 400, "invalid_request"],
      ["/oauth/revoke", { client_id: "unknown", token: "x" }, 403, "unauthorized_client"],
    ] as const;
    await page.goto(spa.site.origin);
    for (const [path, form, status, error] of forms)
      expect(await fetchIn(page, at(path), { form }), `${path} ${error}`).toMatchObject(
        readable(status, { error, error_description: expect.any(String) }),
      );
    expect(await fetchIn(page, at("/oauth/token"), { form: anonymous, headers: basic })).toMatchObject(
      readable(401, { error: "invalid_client" }),
    );
    const headers = bearer(tokens["access_token"]);
    expect(await fetchIn(page, at("/oauth/userinfo"), { headers })).toMatchObject(
      readable(403, { error: "insufficient_scope" }),
    );
    for (const path of ["/oauth/userinfo", "/oauth/token/info"])
      expect(await fetchIn(page, at(path)), path).toMatchObject(readable(401, { error: "invalid_token" }));
  },
);

test(
  conformance(
    "CO-02",
    "CO-07",
    "AT-39",
    "the browser blocks cross-origin requests with X-Requested-With or with credentials",
  ),
  async ({ page, instance }) => {
    await page.goto(spa.site.origin);
    const form = { client_id: spa.application.client_id };
    for (const path of TOKEN_ENDPOINTS) {
      const posts = path !== "/oauth/token/info";
      const call = posts ? { form } : {};
      const url = instance.baseUrl + path;
      expect(await fetchIn(page, url, call), `${path} itself`).toMatchObject({ blocked: false });
      const extra = { "x-requested-with": "XMLHttpRequest" };
      expect(await fetchIn(page, url, { ...call, headers: extra }), path).toEqual(BLOCKED);
      const csrf = { ...bearer("x"), "x-csrf-token": "x" };
      expect(await fetchIn(page, url, { ...call, headers: csrf }), path).toEqual(BLOCKED);
      expect(await fetchIn(page, url, { ...call, credentials: "include" }), path).toEqual(BLOCKED);
      expect(await fetchIn(page, url, { ...call, method: "DELETE" }), path).toEqual(BLOCKED);
    }
  },
);

test(
  conformance(
    "CO-05",
    "AT-39",
    "the browser blocks cross-origin requests to pages and to endpoints for servers and devices",
  ),
  async ({ page, instance }) => {
    await page.goto(spa.site.origin);
    const form = { client_id: spa.application.client_id, token: "x" };
    for (const path of ["/oauth/introspect", "/oauth/authorize_device"]) {
      const url = instance.baseUrl + path;
      expect(await fetchIn(page, url, { form }), path).toEqual(BLOCKED);
      expect(await fetchIn(page, url, { form, headers: bearer("x") }), path).toEqual(BLOCKED);
    }
    for (const path of [
      "/oauth/authorize",
      "/oauth/device",
      "/users/sign_in",
      "/user_settings/applications",
    ]) {
      expect(await fetchIn(page, instance.baseUrl + path), path).toEqual(BLOCKED);
      const headers = { origin: spa.site.origin };
      const response = await fetch(instance.baseUrl + path, { headers, redirect: "manual" });
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  },
);

test(
  conformance(
    "CO-06",
    "a page whose origin is null can read the same responses as a page of any other origin, but only if the requests contain no credentials",
  ),
  async ({ page, instance }) => {
    await page.goto(spa.site.origin);
    await page.evaluate(() => {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts");
      frame.srcdoc = "<title>Nowhere</title>";
      document.body.append(frame);
      return new Promise((resolve) => {
        frame.onload = resolve;
      });
    });
    const nowhere = page.frames().find((frame) => frame !== page.mainFrame());
    if (nowhere === undefined) throw new Error("The page has no frame.");
    expect(await nowhere.evaluate(() => origin)).toBe("null");
    const url = `${instance.baseUrl}/oauth/token`;
    const form = { grant_type: "none of ours" };
    expect(await fetchIn(nowhere, url, { form })).toMatchObject(
      readable(400, { error: "unsupported_grant_type" }),
    );
    expect(await fetchIn(nowhere, url, { form, credentials: "include" })).toEqual(BLOCKED);
  },
);
