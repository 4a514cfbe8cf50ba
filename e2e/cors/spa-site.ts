import type { Page } from "@playwright/test";
import { listenOnLoopback } from "../loopback.ts";

/** The site of a single-page application: an empty page at every URL. */
export type SpaSite = Readonly<{ origin: string; redirectUri: string; close: () => Promise<void> }>;

/** Opens the site on a loopback port, so that its origin differs from the origin of the instance. */
export async function openSpaSite(): Promise<SpaSite> {
  const { origin, close } = await listenOnLoopback((_request, response) => {
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end("<!DOCTYPE html><title>The single-page application</title>");
  });
  return { origin, redirectUri: `${origin}/callback`, close };
}

/**
 * Begins the authorization code flow in the page, which stores the code verifier.
 * @returns the authorization URL.
 */
export const begin = (
  page: Page,
  authorize: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> =>
  page.evaluate(
    async ({ authorize, parameters }) => {
      const encode = (bytes: Uint8Array): string =>
        btoa(String.fromCharCode(...bytes))
          .replaceAll("+", "-")
          .replaceAll("/", "_")
          .replaceAll("=", "");
      const verifier = encode(crypto.getRandomValues(new Uint8Array(32)));
      sessionStorage.setItem("verifier", verifier);
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
      const url = new URL(authorize);
      const challenge = { code_challenge: encode(new Uint8Array(hash)), code_challenge_method: "S256" };
      for (const [name, value] of Object.entries({ ...parameters, ...challenge }))
        url.searchParams.set(name, value);
      return url.href;
    },
    { authorize, parameters },
  );
