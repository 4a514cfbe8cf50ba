import { expect } from "vitest";

/**
 * Checks that a response is an error page without redirect, caching, framing or external resources.
 * @returns the HTML of the page.
 */
export async function expectErrorPage(response: Response, status = 400): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.has("location")).toBe(false);
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("referrer-policy")).toBe("same-origin");
  const html = await response.text();
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  return html;
}
