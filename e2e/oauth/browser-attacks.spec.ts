import type { Page, Request } from "@playwright/test";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, register, signIn, test } from "./fixtures.ts";

const EVIL = "http://evil.example/";
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const FLAG = "oauth2_device_grant_flow";

// Restores the settings, because other specs of the worker share the instance.
test.beforeAll(async ({ instance }) => void (await instance.cli("feature", "enable", FLAG)));
test.afterAll(async ({ instance }) => void (await instance.cli("feature", "disable", FLAG)));

/**
 * Opens the site of an attacker, which responds with the given HTML. The list `arrived` collects the requests
 * to this site.
 */
async function openEvilSite(page: Page, html: string, arrived: Request[] = []): Promise<void> {
  await page.route(`${EVIL}**`, (route) => {
    arrived.push(route.request());
    return route.fulfill({ contentType: "text/html", body: html });
  });
}

const authorizationPath = (client: { readonly client_id: string }, redirectUri: string): string =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "read_user",
  })}`;

test(
  conformance("AT-16", "AZ-38", "no consent, device or sign-in page can be shown in a frame"),
  async ({ page, instance, clients }) => {
    // An authorization request with `prompt=consent` requires consent, even if the user has already allowed
    // the application.
    const consent = `${authorizationPath(clients.confidential, clients.site.redirectUri)}&prompt=consent`;
    await page.goto(consent);
    await signIn(page, instance);
    await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
    for (const path of [
      "/users/sign_in",
      consent,
      page.url().replace(instance.baseUrl, ""),
      "/oauth/device",
    ]) {
      const { headers } = await page.request.get(path).then((response) => ({ headers: response.headers() }));
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      const evil = await page.context().newPage();
      await openEvilSite(evil, `<iframe src="${instance.baseUrl}${path}"></iframe>`);
      await evil.goto(EVIL);
      await expect.poll(() => evil.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
      await evil.close();
    }
  },
);

test(
  conformance(
    "AT-17",
    "AZ-01",
    "after the sign-in form, the browser follows each redirect with a GET request, and the client receives no fields of the form",
  ),
  async ({ page, instance, clients }) => {
    const { site } = clients;
    const about = ["--name", "Trusted", "--redirect-uri", site.redirectUri, "--scopes", "read_user"];
    const trusted = await register(instance, ...about, "--owner", "root", "--trusted");
    const statuses: number[] = [];
    const toClient: Request[] = [];
    page.on("response", (response) => void statuses.push(response.status()));
    page.on("request", (request) => {
      if (request.url().startsWith(site.redirectUri)) toClient.push(request);
    });
    site.received();
    await page.goto(authorizationPath(trusted, site.redirectUri));
    await signIn(page, instance);
    await expect(page.getByRole("heading", { name: "Back at the client" })).toBeVisible();
    expect(site.received().map(({ method }) => method)).toEqual(["GET"]);
    expect(toClient.map((request) => request.postData())).toEqual([null]);
    expect(statuses).toContain(303);
    expect(statuses.filter((status) => status === 307 || status === 308)).toEqual([]);
  },
);

test(
  conformance("AT-36", "AZ-38", "no page sends its URL to another site in the Referer header"),
  async ({ page, instance, clients }) => {
    const { site } = clients;
    const uris = ["--redirect-uri", OUT_OF_BAND];
    const about = ["--name", "By hand", ...uris, "--scopes", "read_user", "--owner", "root"];
    const byHand = await register(instance, ...about);
    const arrived: Request[] = [];
    await openEvilSite(page, "<h1>Elsewhere</h1>", arrived);

    /** Adds a link to another site to the page, and follows the link. */
    async function leave(): Promise<void> {
      await page.evaluate((href) => {
        const link = document.createElement("a");
        link.href = href;
        document.body.append(link);
        link.click();
      }, EVIL);
      await page.waitForURL(EVIL);
    }

    await page.goto(authorizationPath(byHand, OUT_OF_BAND));
    await leave();
    await page.goto(authorizationPath(byHand, OUT_OF_BAND));
    await signIn(page, instance);
    await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
    await leave();
    await page.goto("/oauth/device?user_code=BCDF-GHJK");
    await leave();
    await page.goto(authorizationPath(byHand, OUT_OF_BAND));
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByText(/^ghac_/)).toBeVisible();
    await leave();
    expect(arrived).toHaveLength(4);
    for (const request of arrived) expect(await request.headerValue("referer")).toBeNull();

    const onClient = page.waitForRequest((request) => request.url().startsWith(site.redirectUri));
    await page.goto(authorizationPath(clients.confidential, site.redirectUri));
    const allow = page.getByRole("button", { name: "Allow" });
    if (await allow.isVisible()) await allow.click();
    expect(await (await onClient).headerValue("referer")).toBeNull();
  },
);

test(
  conformance(
    "AT-36",
    "AT-38",
    "responses to requests with a token cannot be cached, and URLs that look like files get 404",
  ),
  async ({ instance }) => {
    const login = { username: "ursula", password: "correct horse battery" };
    const user = [
      "--username",
      login.username,
      "--email",
      "ursula@example.com",
      "--password",
      login.password,
    ];
    expect((await instance.cli("user", "create", ...user)).code).toBe(0);
    const form = { grant_type: "password", ...login };
    const token = await fetch(`${instance.baseUrl}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    const { access_token } = await token.json();
    for (const path of ["/oauth/token/info", "/api/v4/user"]) {
      const query = `?access_token=${access_token}`;
      const response = await fetch(instance.baseUrl + path + query);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toContain("no-store");
      for (const file of ["/x.css", "%2fx.css", ";x.css", "/x.css/"]) {
        const disguised = await fetch(instance.baseUrl + path + file + query);
        expect([path + file, disguised.status]).toEqual([path + file, 404]);
        expect(disguised.headers.get("cache-control")).toContain("no-store");
        expect(await disguised.text()).not.toMatch(/"username"|"resource_owner_id"/);
      }
    }
  },
);

test(
  conformance(
    "AT-38",
    "AT-44",
    "XC-13",
    "responses that can be cached do not depend on the client or the Host header",
  ),
  async ({ instance }) => {
    const requestMetadata = async (
      query: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const response = await fetch(`${instance.baseUrl}/.well-known/openid-configuration${query}`, {
        headers,
      });
      return response.text();
    };
    const plain = await requestMetadata("");
    const forged = {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "host=evil",
    };
    expect(await requestMetadata("?x")).toBe(plain);
    expect(await requestMetadata("", { ...forged, cookie: "a=b", "accept-language": "de" })).toBe(plain);
  },
);
