import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { expect, test } from "./fixtures.ts";

/** Opens a page. Next.js adds its own listener for HTTP upgrade requests when it renders the first page. */
async function renderPage(page: Page, instance: Instance): Promise<void> {
  await page.goto(`${instance.baseUrl}/users/sign_in`);
  await expect(page.getByLabel("Password")).toBeVisible();
}

test(
  conformance(
    "SC-19",
    "Java's HttpClient with its defaults gets a token and receives responses of the API and of pages",
  ),
  async ({ page, instance, applications: { confidential } }) => {
    const isMissing = spawnSync("javac", ["-version"]).status !== 0;
    test.skip(isMissing, notRunnableWithout("jdk"));
    await renderPage(page, instance);
    const program = fileURLToPath(new URL("HttpClients.java", import.meta.url));
    const { client_id, client_secret } = confidential;
    const args = [program, instance.baseUrl, client_id, client_secret, instance.rootPassword];
    const { stdout, stderr } = spawnSync("java", args, { encoding: "utf8", timeout: 300_000 });
    expect([stdout.trim().split("\n"), stderr]).toEqual([
      ["token 200 HTTP_1_1", "user 200 HTTP_1_1", "page 200 HTTP_1_1", "keys 200 HTTP_1_1"],
      "",
    ]);
  },
);

test(
  conformance(
    "SC-19",
    "after the server has rendered a page, curl gets a response to a request that offers HTTP/2",
  ),
  async ({ page, instance }) => {
    const features = spawnSync("curl", ["--version"], { encoding: "utf8" }).stdout ?? "";
    test.skip(!features.includes("HTTP2"), notRunnableWithout("curl-http2"));
    await renderPage(page, instance);
    for (const [path, expected] of [
      ["/users/sign_in", "200"],
      ["/api/v4/user", "401"],
      ["/oauth/discovery/keys", "200"],
    ] as const) {
      const url = `${instance.baseUrl}${path}`;
      const args = ["--http2", "--silent", "--max-time", "60", "--output", "/dev/null"];
      const { stdout } = spawnSync("curl", [...args, "--write-out", "%{http_code}", url], {
        encoding: "utf8",
      });
      expect(stdout, path).toBe(expected);
    }
    const form = ["--data", "grant_type=nothing", `${instance.baseUrl}/oauth/token`];
    const { stdout } = spawnSync("curl", ["--http2", "--silent", "--max-time", "60", ...form], {
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toMatchObject({ error: "unsupported_grant_type" });
  },
);
