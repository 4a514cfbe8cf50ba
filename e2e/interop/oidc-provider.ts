import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { freePort, startProgram, untilItAnswers } from "../../scripts/program.mjs";
import type { Instance } from "../instance.ts";

const SITE = fileURLToPath(new URL("oidc-provider-site.mjs", import.meta.url));

/** An instance of oidc-provider with one client: Gatehouse, with the provider name `acme`. */
export type OidcProvider = Readonly<{
  issuer: string;
  clientSecret: string;
  redirectUri: string;
  stop: () => Promise<void>;
}>;

/** Starts oidc-provider on a free port. */
export async function startOidcProvider(
  { baseUrl }: Pick<Instance, "baseUrl">,
  logFile: string,
): Promise<OidcProvider> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const clientSecret = randomUUID();
  const redirectUri = `${baseUrl}/users/auth/acme/callback`;
  const env = { CLIENT_ID: "gatehouse", CLIENT_SECRET: clientSecret, REDIRECT_URI: redirectUri };
  const program = startProgram([SITE, issuer], { env, logFile });
  await untilItAnswers(`${issuer}/.well-known/openid-configuration`, program);
  return { issuer, clientSecret, redirectUri, stop: program.stop };
}

/** Fills in the form of a new sign-in provider with these settings, on the page of the administrator. */
export async function describeProvider(
  page: Page,
  { issuer, clientSecret }: Pick<OidcProvider, "issuer" | "clientSecret">,
): Promise<void> {
  await page.getByLabel("Name in URLs").fill("acme");
  await page.getByLabel("Label").fill("Acme");
  await page.getByLabel("Issuer").fill(issuer);
  await page.getByLabel("Client ID").fill("gatehouse");
  await page.getByLabel("Client secret").fill(clientSecret);
  await page.getByRole("checkbox", { name: "Create accounts" }).check();
}

/** Enters a login name on the sign-in page of oidc-provider. */
export async function enterLogin(page: Page, issuer: string, login: string): Promise<void> {
  await page.waitForURL(`${issuer}/**`);
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any password");
  await page.locator("button[type=submit]").click();
}

/** Enters a login name on the sign-in page of oidc-provider, and consents. */
export async function signInAtProvider(page: Page, issuer: string, login: string): Promise<void> {
  await enterLogin(page, issuer, login);
  await page.locator("button[type=submit]", { hasText: "Continue" }).click();
}
