import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import type { Response } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { conformance } from "../../src/testing/conformance.ts";
import { FONT_URL } from "../../src/ui/font.ts";
import { expect, test } from "../fixtures.ts";
import { startInstance } from "../instance.ts";

for (const path of ["/help/connect", "/nothing/here"])
  test(`the script and style elements of ${path} contain the nonce of the content security policy`, async ({
    page,
  }) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      // The browser also logs the 404 response of the page itself as an error.
      if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
    });
    const response = await page.goto(path);
    await page.waitForLoadState("networkidle");
    const headers = response?.headers() ?? {};
    expect(headers["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["referrer-policy"]).toBe("same-origin");
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(complaints).toEqual([]);
  });

/**
 * The maximum compressed size of the scripts of a page that is shown before sign-in, without the scripts of
 * Next.js.
 */
const SCRIPT_BYTES_MAX = 20 * 1024;

for (const path of ["/users/sign_in", "/users/sign_up"])
  test(`${path} loads one small script, which browsers may cache permanently`, async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    const scripts: Response[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response);
    });
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    expect(complaints).toEqual([]);
    expect(scripts).toHaveLength(1);
    for (const script of scripts) {
      expect(script.status()).toBe(200);
      expect(script.headers()).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "content-encoding": "gzip",
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
      });
      expect((await script.request().sizes()).responseBodySize).toBeLessThan(SCRIPT_BYTES_MAX);
    }
  });

test("the script of a page is served only under the file name that contains the digest of its content", async ({
  request,
}) => {
  const html = await (await request.get("/users/sign_in")).text();
  const [url = ""] = /\/-\/assets\/page-[0-9a-f]{16}\.js/.exec(html) ?? [];
  const plain = await request.get(url, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers()["content-encoding"]).toBeUndefined();
  expect(await plain.text()).toContain("navigator.credentials");
  const other = await request.get("/-/assets/page-0000000000000000.js");
  expect([other.status(), other.headers()["cache-control"]]).toEqual([404, "no-store"]);
});

test("the stylesheet for pages that are rendered without Next.js has a fixed URL", async ({ request }) => {
  const response = await request.get("/gatehouse.css");
  expect(response.status()).toBe(200);
  expect(response.headers()["content-type"]).toContain("text/css");
});

test("pages of Next.js and static documents preload the font, their content security policy allows the font, and browsers cache the font permanently", async ({
  page,
}) => {
  for (const path of ["/help/connect", "/oauth/authorize"]) {
    await page.goto(path);
    await expect(page.locator(`link[rel="preload"][as="font"]`)).toHaveAttribute("href", FONT_URL);
    // `load` fetches a font, or fails if the content security policy forbids the font.
    expect(await page.evaluate(async () => (await document.fonts.load("16px Inter")).length)).toBe(1);
  }
  const { status, headers } = await fetch(new URL(FONT_URL, page.url()));
  expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
    200,
    "font/woff2",
    "public, max-age=31536000, immutable",
  ]);
});

test("a second server on the same port exits with an error message", async ({ instance }) => {
  const { code, stderr } = await instance.program("serve");
  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${new URL(instance.baseUrl).port} on 127.0.0.1 is already in use.`);
  expect(stderr).not.toContain("    at ");
});

test("the server stops immediately despite an idle connection, and starts again with the stored data", async () => {
  const instance = await startInstance();
  const agent = new Agent({ keepAlive: true });
  const [response] = await once(httpRequest(`${instance.baseUrl}/-/health`, { agent }).end(), "response");
  await once(response.resume(), "end");
  // The server would exit with status 1 if it waited for open connections until the time limit.
  expect(await instance.kill("SIGTERM")).toBe(0);
  agent.destroy();
  await instance.restart();
  expect(await (await fetch(`${instance.baseUrl}/-/health`)).json()).toEqual({ status: "ok" });
  await instance.stop();
});

test("the server logs an internal error with the id of the request, but without the query", async () => {
  const instance = await startInstance();
  const database = new Sqlite(join(instance.dataDir, "gatehouse.db"));
  database.pragma("foreign_keys = OFF");
  database.exec(`DROP TABLE "Project"`);
  database.close();
  const id = "0123456789abcdef";
  for (const path of ["/projects?search=hunter2", "/api/v4/projects?search=hunter2"]) {
    const response = await fetch(instance.baseUrl + path, { headers: { "x-request-id": id } });
    expect([response.status, response.headers.get("x-request-id")]).toEqual([500, id]);
  }
  const lines = () => instance.log().split("\n");
  await expect.poll(() => lines().filter((line) => line.includes(id))).toHaveLength(4);
  const events = lines().flatMap((line) => (line.includes(".failed") ? [JSON.parse(line)] : []));
  const reason = expect.stringContaining("Project");
  expect(events).toMatchObject([
    { event: "page.failed", request_id: id, reason },
    { event: "api.failed", request_id: id, reason },
  ]);
  // The output contains only log lines and the two messages of a server start.
  expect(lines().filter((line) => !line.startsWith("{")).length).toBeLessThan(5);
  expect(instance.log()).not.toContain("hunter2");
  await instance.stop();
});

test(conformance("SC-72", "the server does not scale pictures at /_next/image"), async ({ request }) => {
  for (const path of ["/_next/image", "/_next/image/x", "/_next/%69mage"]) {
    const response = await request.get(`${path}?url=%2Fapi%2Fv4%2Favatar&w=640&q=75`);
    expect([path, response.status()]).toEqual([path, 404]);
  }
});
