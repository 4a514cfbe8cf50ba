import type { BrowserContext, ConsoleMessage, Page } from "@playwright/test";

/**
 * Collects the errors of a browser: script errors, console errors, violations of the content security policy,
 * and secrets in the URL of a page. Responses with a 4xx status do not count as errors, because tests expect
 * such responses.
 * @param origin of the instance.
 * @param complaints the list to which the errors are added.
 */
export function watch(context: BrowserContext, origin: string, complaints: string[]): void {
  const watchPage = (page: Page): void => {
    page.on("framenavigated", (frame) => {
      const url = frame.url();
      if (url.startsWith(origin) && SECRET.test(url) && !TRIAL.test(url))
        complaints.push(`a secret in a URL: ${url}`);
    });
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      if (isComplaint(message)) complaints.push(`${page.url()}: ${message.text()}`);
    });
  };
  for (const page of context.pages()) watchPage(page);
  context.on("page", watchPage);
}

/**
 * The URL parameters that contain a secret, and the prefixes of Gatehouse's tokens. A `user_code` in a URL is
 * allowed.
 */
const SECRET =
  /[?&](?:code|access_token|refresh_token|private_token|client_secret|device_code|password|form_token|totp)=|\bgh[a-z]{2}_|\bgloas-/;

/**
 * The redirect URI of a trial authorization, whose page has already exchanged the authorization code in its
 * URL when the browser shows the page.
 */
const TRIAL = /\/user_settings\/applications\/\d+\/try\/callback\?code=[\w-]+&state=[\w-]+(?:&iss=[^&]+)?$/;

/** Ignores 4xx statuses, which the console also reports as errors. */
const isComplaint = (message: ConsoleMessage): boolean =>
  (message.type() === "error" || /Content Security Policy|Report Only/i.test(message.text())) &&
  !/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
