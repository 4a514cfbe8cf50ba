import { afterEach, describe, expect, it } from "vitest";
import { logged, send, start, stopAll } from "@/testing/http-server.ts";

afterEach(stopAll);

describe("a mounted route", () => {
  it("gets its parameters, its request id and its client's address", async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/api/v4/item/g%2Fp`)).json()).toEqual({ id: "g/p" });
    const headers = {
      "x-request-id": "0123456789abcdef",
      "x-client-address": "9.9.9.9",
      "x-forwarded-for": "198.51.100.7",
    };
    const answer = await fetch(`${url}/who`, { headers });
    expect(await answer.json()).toEqual(["0123456789abcdef", "198.51.100.7"]);
    expect(answer.headers.get("x-request-id")).toBe("0123456789abcdef");
  });

  it("has the headers of its prefix", async () => {
    const { url } = await start();
    const [api, other] = await Promise.all([fetch(`${url}/api/v4/item/1`), fetch(`${url}/who`)]);
    expect(api.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(other.headers.get("x-frame-options")).toBe("DENY");
    expect(other.headers.get("x-content-type-options")).toBe("nosniff");
    expect(other.headers.get("referrer-policy")).toBe("same-origin");
    expect(other.headers.get("x-powered-by")).toBeNull();
  });

  it("answers HEAD, OPTIONS and wrong methods by itself", async () => {
    const { port } = await start();
    expect(await send(port, "/who", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    const allow = "GET, HEAD, OPTIONS";
    expect(await send(port, "/who", { method: "OPTIONS" })).toMatchObject({
      status: 204,
      headers: { allow },
    });
    expect(await send(port, "/who", { method: "DELETE" })).toMatchObject({ status: 405, headers: { allow } });
    expect(await send(port, "/who", { method: "PROPFIND" })).toMatchObject({ status: 400 });
    expect(await send(port, "/who", { method: "TRACE" })).toMatchObject({ status: 400 });
  });

  it("hides what went wrong and logs it without its secrets", async () => {
    const { port, lines } = await start();
    const { status, body } = await send(port, "/broken");
    expect(status).toBe(500);
    expect(JSON.parse(body)).toEqual({ error: "server_error", error_description: expect.any(String) });
    expect(body).not.toContain("no such row");
    expect(logged(lines)).toContainEqual(
      expect.objectContaining({ event: "http.failed", reason: "no such row: [redacted]" }),
    );
  });

  it("refuses a body over its limit, declared or not", async () => {
    const { url } = await start();
    const post = (body: BodyInit) =>
      fetch(`${url}/echo`, { method: "POST", body, duplex: "half" } as RequestInit);
    const chunked = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let count = 0; count < chunks; count++) controller.enqueue(new Uint8Array(512));
          controller.close();
        },
      });
    expect(await (await post("x".repeat(1024))).json()).toBe(1024);
    expect(await (await post(chunked(2))).json()).toBe(1024);
    expect((await post("x".repeat(1025))).status).toBe(413);
    expect((await post(chunked(3))).status).toBe(413);
  });
});

it.each([
  "//",
  "//evil.example/",
  "/a/./b",
  "/a/../b",
  "/a%2f..%2e/%2e%2e/b",
  "/a\\b",
  "/who/%zz",
  "/who%00",
  "http://evil.example/who",
])("answers 400 to %s before any route or page", async (path) => {
  const { port } = await start();
  const { status, headers, body } = await send(port, path, { method: "POST" });
  expect(status).toBe(400);
  expect(headers["content-type"]).toBe("application/json");
  expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
});

it("keeps requests waiting until the database is open", async () => {
  let open: () => void = () => undefined;
  const { url } = await start({
    opened: new Promise<void>((resolve) => {
      open = resolve;
    }),
  });
  let answered = false;
  const early = fetch(`${url}/who`).then((response) => {
    answered = true;
    return response.status;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(answered).toBe(false);
  open();
  expect(await early).toBe(200);
});
