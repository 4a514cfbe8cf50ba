import type { Page } from "@playwright/test";
import { test as base, expect } from "../fixtures.ts";
import type { Instance } from "../instance.ts";
import { type ClientSite, openClientSite } from "../oauth/client-site.ts";
import { open, type Registered, register } from "../oauth/fixtures.ts";

export { expect } from "../fixtures.ts";

export type Confidential = Required<Registered>;

type Applications = Readonly<{ site: ClientSite; confidential: Confidential; publicClient: Registered }>;

const SCOPES = "openid profile email read_user api";

/** One running instance with two applications whose redirect URI belongs to a site that records what it receives. */
export const test = base.extend<object, { applications: Applications }>({
  applications: [
    async ({ instance }, use) => {
      const site = await openClientSite();
      const common = ["--redirect-uri", site.redirectUri, "--scopes", SCOPES];
      const [confidential, publicClient] = await Promise.all([
        registerConfidential(instance, "--name", "Acme Portal", ...common),
        register(instance, "--name", "Acme Terminal", "--owner", "root", "--public", ...common),
      ]);
      await use({ site, confidential, publicClient });
      await site.close();
    },
    { scope: "worker" },
  ],
});

/** Registers an application that keeps a secret. */
export async function registerConfidential(
  instance: Instance,
  ...args: readonly string[]
): Promise<Confidential> {
  const { client_id, client_secret } = await register(instance, "--owner", "root", ...args);
  if (client_secret === undefined) throw new Error("The application has no secret.");
  return { client_id, client_secret };
}

/** Follows a client's address as a person who signs in and allows; what asks for neither is passed by. */
export async function signInAndAllow(page: Page, instance: Instance, url: string): Promise<void> {
  await open(page, instance, url);
  const allow = page.getByRole("button", { name: "Allow" });
  const back = page.getByRole("heading", { name: "Back at the client" });
  // A confidential application that was allowed before is not asked about again.
  await expect(allow.or(back)).toBeVisible();
  if (await allow.isVisible()) await allow.click();
  await expect(back).toBeVisible();
}

/** Lets the person allow the request at `url`, and gives back what then arrived at the redirect URI. */
export async function callbackOf(
  page: Page,
  instance: Instance,
  site: ClientSite,
  url: string,
): Promise<URL> {
  site.received();
  await signInAndAllow(page, instance, url);
  const [callback] = site.received();
  if (callback === undefined) throw new Error("Nothing arrived at the client.");
  return callback.url;
}

/** The status of `GET /api/v4/user` with this token: whether it works. */
export async function statusOf(instance: Instance, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${instance.baseUrl}/api/v4/user`, { headers })).status;
}
