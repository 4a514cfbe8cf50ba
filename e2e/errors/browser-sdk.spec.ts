import { build } from "esbuild";
import { expect, test } from "../fixtures.ts";
import { listenOnLoopback } from "../loopback.ts";
import { collectingProject } from "./collecting.ts";

/** Opens a page of another origin, whose script reports its errors with the SDK. */
async function openShopSite(dsn: string) {
  const program = `
    import * as Sentry from "@sentry/browser";
    Sentry.init({ dsn: ${JSON.stringify(dsn)}, environment: "production", release: "shop@4.1.0" });
    function openCart(cart) { return cart.items.length; }
    document.querySelector("button").addEventListener("click", () => openCart({}));
    window.flushed = () => Sentry.flush(5000);`;
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    format: "iife",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  return listenOnLoopback((request, response) => {
    const isScript = request.url === "/shop.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(
      isScript
        ? script
        : '<!DOCTYPE html><title>Shop</title><button>Cart</button><script src="/shop.js"></script>',
    );
  });
}

test("an unmodified @sentry/browser reports errors from another origin without console errors", async ({
  page,
  instance,
}) => {
  const shop = await collectingProject(instance, "acme/web-shop");
  const site = await openShopSite(shop.dsn);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  const methods: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(instance.baseUrl)) methods.push(request.method());
  });
  const answered = page.waitForResponse(
    (response) =>
      response.url().includes("/envelope/") && (response.request().postData() ?? "").includes("TypeError"),
  );
  await page.goto(site.origin);
  await page.getByRole("button", { name: "Cart" }).click();
  const response = await answered;
  expect(response.status()).toBe(200);
  await page.evaluate("window.flushed()");
  // The browser sends no CORS preflight for these simple requests.
  expect(new Set(methods)).toEqual(new Set(["POST"]));
  expect(complaints).toEqual([]);
  const [error, ...otherErrors] = await shop.errors();
  expect(otherErrors).toEqual([]);
  expect(error).toMatchObject({ name: "TypeError", count: 1, culprit: expect.stringContaining("openCart") });
  const [event] = await shop.events(error?.id ?? 0);
  const shown = JSON.stringify(event);
  for (const part of [site.origin, "openCart", "shop@4.1.0", "sentry.javascript.browser"])
    expect(shown).toContain(part);
  await site.close();
});
