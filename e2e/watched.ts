import type { BrowserContext, ConsoleMessage, Page } from "@playwright/test";

/**
 * Notes whatever a browser complains of: errors of scripts, the console's errors, and what the content security
 * policy stopped. A status that a page was meant to have is no complaint; a secret in the address of a page is one.
 * @param origin of the instance.
 * @param complaints gets them.
 */
export function watch(context: BrowserContext, origin: string, complaints: string[]): void {
  const watchPage = (page: Page): void => {
    page.on("framenavigated", (frame) => {
      const url = frame.url();
      if (url.startsWith(origin) && SECRET.test(url)) complaints.push(`a secret in an address: ${url}`);
    });
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      if (isComplaint(message)) complaints.push(`${page.url()}: ${message.text()}`);
    });
  };
  for (const page of context.pages()) watchPage(page);
  context.on("page", watchPage);
}

/** Parameters that carry a secret, and the beginnings of our own tokens. A `user_code` may be seen. */
const SECRET =
  /[?&](?:code|access_token|refresh_token|private_token|client_secret|device_code|password|form_token|totp)=|\bgh[a-z]{2}_|\bgloas-/;

/** The console also repeats the status of every answer that is an error. */
const isComplaint = (message: ConsoleMessage): boolean =>
  (message.type() === "error" || /Content Security Policy|Report Only/i.test(message.text())) &&
  !/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
