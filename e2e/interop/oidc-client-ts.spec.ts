import { readFile } from "node:fs/promises";
import type { UserManager } from "oidc-client-ts";
import { conformance } from "../../src/testing/conformance.ts";
import { type LoopbackServer, listenOnLoopback } from "../loopback.ts";
import { open, register } from "../oauth/fixtures.ts";
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
</script>
<button onclick="manager.signinRedirect()">Sign in</button>`;

let site: LoopbackServer;
let settings: object;

test.beforeAll(async ({ instance }) => {
  const library = await readFile("node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js");
  site = await listenOnLoopback((request, response) =>
    request.url === "/oidc-client-ts.js"
      ? response.setHeader("content-type", "text/javascript").end(library)
      : response.setHeader("content-type", "text/html").end(appPage(settings)),
  );
  const redirect_uri = `${site.origin}/callback`;
  const scope = "openid email read_user";
  const { client_id } = await register(
    instance,
    ...["--name", "Acme Map", "--owner", "root", "--public"],
    ...["--redirect-uri", redirect_uri, "--scopes", scope],
  );
  settings = { authority: instance.baseUrl, client_id, redirect_uri, scope };
});

test.afterAll(() => site.close());

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
    await page.goto(site.origin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/oauth\/consent\?.*dpop_jkt=/);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${site.origin}/callback?**`);

    const signedIn = await page.evaluate(async () => {
      const { manager } = window as unknown as AppWindow;
      const user = await manager.signinCallback();
      return { type: user?.token_type, token: user?.access_token, sub: user?.profile.sub };
    });
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
