import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { UserManager } from "oidc-client-ts";
import { conformance } from "../../src/testing/conformance.ts";
import { type LoopbackServer, listenOnLoopback } from "../loopback.ts";
import { open, register, startSession } from "../oauth/fixtures.ts";
import { expect, test } from "./fixtures.ts";

/** The global variables in the page of the single-page application. */
type AppWindow = Readonly<{
  manager: UserManager;
  fetchBound: (url: string) => Promise<{ status: number; body: Record<string, unknown> }>;
}>;

/**
 * The single-page application. The library stores the tokens, and stores a private key that no script can
 * export.
 */
const appPage = (settings: object): string => `<!DOCTYPE html><title>The single-page application</title>
<script src="/oidc-client-ts.js"></script>
<script>
window.manager = new oidc.UserManager({
  ...${JSON.stringify(settings)},
  redirect_uri: location.origin + "/callback",
  silentRequestTimeoutInSeconds: 120,
  dpop: { bind_authorization_code: true, store: new oidc.IndexedDbDPoPStore() },
});
window.fetchBound = async (url) => {
  const user = await manager.getUser();
  const send = async (nonce) =>
    fetch(url, {
      headers: {
        Authorization: "DPoP " + user.access_token,
        DPoP: await manager.dpopProof(url, user, "GET", nonce),
      },
    });
  const first = await send();
  const nonce = first.headers.get("DPoP-Nonce");
  const response = first.status === 401 && nonce ? await send(nonce) : first;
  return { status: response.status, body: await response.json() };
};
// The hidden frame of a silent request loads this page at the redirect URI.
if (window.parent !== window) manager.signinCallback();
</script>
<button onclick="manager.signinRedirect()">Sign in</button>`;

let site: LoopbackServer;
/** The origin of the site on the host of the instance. A browser sends cookies of the instance to frames of this site. */
let sameSiteOrigin: string;
let settings: object;

test.beforeAll(async () => {
  const library = await readFile("node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js");
  site = await listenOnLoopback((request, response) =>
    request.url === "/oidc-client-ts.js"
      ? response.setHeader("content-type", "text/javascript").end(library)
      : response.setHeader("content-type", "text/html").end(appPage(settings)),
  );
  sameSiteOrigin = site.origin.replace("127.0.0.1", "localhost");
});

// Each test has its own application, because the consent of a user remains valid.
test.beforeEach(async ({ instance }) => {
  const scope = "openid email read_user";
  const { client_id } = await register(
    instance,
    ...["--name", "Acme Map", "--owner", "root", "--public", "--scopes", scope],
    ...["--redirect-uri", `${site.origin}/callback`, `${sameSiteOrigin}/callback`],
  );
  settings = { authority: instance.baseUrl, client_id, scope };
});

test.afterAll(() => site.close());

/** Opens the single-page application and signs a user in, who allows access. Returns the tokens of the user. */
async function signInWithRedirect(page: Page, origin: string) {
  await page.goto(origin);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/oauth\/consent\?.*dpop_jkt=/);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${origin}/callback?**`);
  return page.evaluate(async () => {
    const user = await (window as unknown as AppWindow).manager.signinCallback();
    return { type: user?.token_type, token: user?.access_token, sub: user?.profile.sub };
  });
}

test(
  conformance(
    "CO-03",
    "PK-01",
    "RT-02",
    "DP-01",
    "DP-02",
    "DP-04",
    "oidc-client-ts signs a user in with PKCE and DPoP, calls userinfo and the API, and renews the DPoP-bound token silently",
  ),
  async ({ page, instance }) => {
    await open(page, instance, `${instance.baseUrl}/user_settings/applications`);
    const signedIn = await signInWithRedirect(page, site.origin);
    expect(signedIn).toMatchObject({ type: "DPoP", sub: "1" });

    const fetchBound = (path: string) =>
      page.evaluate((url) => (window as unknown as AppWindow).fetchBound(url), instance.baseUrl + path);
    expect(await fetchBound("/oauth/userinfo")).toMatchObject({ status: 200, body: { sub: "1" } });
    expect(await fetchBound("/api/v4/user")).toMatchObject({ status: 200, body: { username: "root" } });
    const stolen = { headers: { authorization: `Bearer ${signedIn.token}` } };
    expect((await fetch(`${instance.baseUrl}/api/v4/user`, stolen)).status).toBe(401);

    const renewed = await page.evaluate(async () => {
      const user = await (window as unknown as AppWindow).manager.signinSilent();
      return { type: user?.token_type, token: user?.access_token };
    });
    expect(renewed.type).toBe("DPoP");
    expect(renewed.token).not.toBe(signedIn.token);
    expect(await fetchBound("/oauth/userinfo")).toMatchObject({ status: 200, body: { sub: "1" } });
  },
);

/**
 * Sends an authorization request with `prompt=none` in a hidden frame, and exchanges the code. The library would
 * otherwise use the refresh token. Returns the error of the server if the server refuses the request.
 */
const silently = (page: Page) =>
  page.evaluate(async () => {
    const { manager } = window as unknown as AppWindow;
    try {
      const user = await manager.signinSilent({ forceIframeAuth: true });
      return { type: user?.token_type, token: user?.access_token, sub: user?.profile.sub };
    } catch (cause) {
      return { error: (cause as { error?: unknown }).error };
    }
  });

test(
  conformance(
    "AZ-24",
    "AZ-25",
    "AZ-46",
    "oidc-client-ts signs the user in silently in a hidden frame after consent, and receives login_required before sign-in and consent_required before consent",
  ),
  async ({ page, instance }) => {
    await page.goto(sameSiteOrigin);
    expect(await silently(page)).toEqual({ error: "login_required" });
    await startSession(page, instance.baseUrl, "root", instance.rootPassword);
    expect(await silently(page)).toEqual({ error: "consent_required" });

    const signedIn = await signInWithRedirect(page, sameSiteOrigin);
    const renewed = await silently(page);
    expect(renewed).toMatchObject({ type: "DPoP", sub: "1", token: expect.any(String) });
    expect(renewed.token).not.toBe(signedIn.token);
    const url = `${instance.baseUrl}/oauth/userinfo`;
    const userinfo = page.evaluate((target) => (window as unknown as AppWindow).fetchBound(target), url);
    expect(await userinfo).toMatchObject({ status: 200, body: { sub: "1" } });

    // The session cookie has `SameSite=Lax`, so a browser does not send the cookie in a frame on another site.
    await page.goto(site.origin);
    expect(await silently(page)).toEqual({ error: "login_required" });
  },
);
