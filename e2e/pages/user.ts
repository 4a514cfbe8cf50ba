import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { Secret, TOTP } from "otpauth";
import type { Instance } from "../instance.ts";
import { startSession } from "../oauth/fixtures.ts";
import { expect } from "./journey.ts";

export const PASSWORD = "a long password";

/** Creates a user with the command line. */
export async function makeUser(instance: Instance, username: string): Promise<void> {
  const user = ["--username", username, "--email", `${username}@example.com`, "--password", PASSWORD];
  const { code, stderr } = await instance.cli("user", "create", ...user);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

/**
 * Signs a user in by posting the sign-in form, without loading the sign-in page, and opens `path`. The
 * cookies of the previous user are removed before the sign-in.
 */
export async function openAs(page: Page, login: string, path: string, password = PASSWORD): Promise<void> {
  await page.context().clearCookies();
  await startSession(page, "", login, password);
  await page.goto(path);
  await expect(page).not.toHaveURL(/\/users\/sign_in/);
}

export async function givePassword(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Username or e-mail").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/**
 * Returns the one-time code of an authenticator app with this secret, for the current time step or a later
 * time step.
 */
export function codeOf(secret: string, stepsLater = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
  return totp.generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

export async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel(/^(Code|Recovery code)$/).fill(code);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/**
 * Sets up an authenticator app on the two-factor page, with the one-time code of the current time step. The
 * one-time code of the next time step remains unused.
 * @returns the secret and the recovery codes.
 */
export async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = (await page.locator("main code").textContent()) ?? "";
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  const codes = page.locator("main li:not(nav li)");
  await expect(codes).toHaveCount(10);
  return { secret, recoveryCodes: await codes.allTextContents() };
}

/** Returns the error message of a form, without the alert that Next.js adds for screen readers. */
export const errorOn = (page: Page): Locator => page.locator("[role=alert]:not(#__next-route-announcer__)");

/** Adds a virtual authenticator that stores passkeys, verifies the user, and responds to every request. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/**
 * Changes the times of all sign-ins and re-authentications in the database to the past, so that the next
 * sensitive action requires a re-authentication.
 */
export function ageAuthentications(instance: Instance, minutes: number): void {
  const database = new Sqlite(join(instance.dataDir, "gatehouse.db"), { timeout: 5_000 });
  try {
    const rows = database.prepare(`SELECT "id", "createdAt", "provenAt" FROM "Session"`).all() as {
      id: number;
      createdAt: string;
      provenAt: string | null;
    }[];
    const older = (time: string | null) =>
      time === null ? null : new Date(new Date(time).getTime() - minutes * 60_000).toISOString();
    const update = database.prepare(`UPDATE "Session" SET "createdAt" = ?, "provenAt" = ? WHERE "id" = ?`);
    for (const row of rows) update.run(older(row.createdAt), older(row.provenAt), row.id);
  } finally {
    database.close();
  }
}

/** Asserts that no content is wider than the window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  await page.waitForLoadState();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, page.url()).toBeLessThanOrEqual(0);
}
