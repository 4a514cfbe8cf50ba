import type { Page } from "@playwright/test";
import { expect } from "../fixtures.ts";
import type { Instance } from "../instance.ts";
import type { ClientSite } from "../oauth/client-site.ts";
import { open } from "../oauth/fixtures.ts";

export { type Confidential, expect, registerConfidential, test } from "../fixtures.ts";

/**
 * Opens a URL of a client, or the URL of an authorization request. Signs in if the instance shows the sign-in
 * page, and allows the request if it shows the consent page.
 */
export async function signInAndAllow(page: Page, instance: Instance, url: string): Promise<void> {
  await open(page, instance, url);
  const allow = page.getByRole("button", { name: "Allow" });
  const clientHeading = page.getByRole("heading", { name: "Back at the client" });
  // If the user consented to a confidential application earlier, the consent page is skipped.
  await expect(allow.or(clientHeading)).toBeVisible();
  if (await allow.isVisible()) await allow.click();
  await expect(clientHeading).toBeVisible();
}

/** Opens the authorization request at `url`, and allows it. @returns the request to the redirect URI. */
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

/** Returns the status of the response to `GET /api/v4/user` with this token. */
export async function statusOf(instance: Instance, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${instance.baseUrl}/api/v4/user`, { headers })).status;
}

/**
 * Enables the device grant and sets the polling interval to one second.
 * @returns a function that restores both settings, because other spec files share the instance.
 */
export async function offerDeviceGrant({ cli }: Instance): Promise<() => Promise<void>> {
  const apply = async (flag: "enable" | "disable", intervalSeconds: number): Promise<void> => {
    const done = await Promise.all([
      cli("feature", flag, "oauth2_device_grant_flow"),
      cli("setting", "set", "device_poll_interval", String(intervalSeconds)),
    ]);
    expect(done).toMatchObject([{ code: 0 }, { code: 0 }]);
  };
  await apply("enable", 1);
  return () => apply("disable", 5);
}
