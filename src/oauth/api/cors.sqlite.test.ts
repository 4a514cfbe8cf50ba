import { readdirSync } from "node:fs";
import * as unknownRoute from "@app/api/[...path]/route.ts";
import * as userRoute from "@app/api/v4/user/route.ts";
import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";

await openTestDeps();
const url = await serveRoutes({ "/api/v4/user": userRoute, "/api/[...path]": unknownRoute });

const ORIGINS = ["https://spa.example.com", "null", "file://"];
const send = (path: string, init: RequestInit = {}, origin = "https://spa.example.com") =>
  fetch(url + path, { ...init, headers: { ...init.headers, origin } });

it.each(ORIGINS)(
  conformance(
    "CO-06",
    "AT-39",
    "the API allows a page of the origin %s to read every response, but does not allow cookies",
  ),
  async (origin) => {
    const responses = [
      await send("/api/v4/user", {}, origin),
      await send("/api/v5/user", {}, origin),
      await send("/api/v4/user", { method: "DELETE" }, origin),
      await send("/api/v4/user?access_token=a&private_token=b", {}, origin),
      await send("/api/v4/no/such/thing", {}, origin),
      await send("/api/v4/user", { headers: { cookie: "gatehouse_session=x" } }, origin),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 405, 400, 404, 401]);
    for (const { headers } of responses) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.has("access-control-allow-credentials")).toBe(false);
      expect(headers.get("access-control-expose-headers")).toContain("Link, X-Total, ");
      expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    }
  },
);

it.each(["/api/v4", "/api/v4/", "/api/v5/"])(
  "the path %s names no resource of the API, so the server responds with 404",
  async (path) => {
    const response = await fetch(url + path);
    expect([response.status, await response.json()]).toEqual([404, { error: "404 Not Found" }]);
  },
);

it.each(["/api/v4/user", "/api/v5/user", "/api/v4/no/such/thing"])(
  conformance(
    "CO-06",
    "a preflight response allows a page of another origin to send any method and any header to %s",
  ),
  async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      const preflightHeaders = {
        "access-control-request-method": method,
        "access-control-request-headers": "authorization, private-token,x-requested-with",
      };
      const { status, headers } = await send(path, { method: "OPTIONS", headers: preflightHeaders });
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
      expect(headers.get("access-control-allow-headers")).toBe(
        "authorization, private-token, x-requested-with",
      );
      expect(headers.has("access-control-allow-credentials")).toBe(false);
      expect(headers.get("vary")).toContain("Access-Control-Request-Headers");
    }
  },
);

it("a preflight response allows only those requested headers whose names are valid", async () => {
  const { OPTIONS } = userRoute;
  const headers = { "access-control-request-headers": "x-a, <script>, é, x b,, x-c" };
  const response = OPTIONS(new Request("http://localhost/", { method: "OPTIONS", headers }));
  expect(response.headers.get("access-control-allow-headers")).toBe("x-a, x-c");
});

it("every route of the API responds to preflight requests", async () => {
  const routes = readdirSync("app/api/v4", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("route.ts"),
  );
  expect(routes.length).toBeGreaterThan(5);
  for (const name of routes) {
    const module: Record<string, unknown> = await import(`../../../app/api/v4/${name}`);
    expect(module["OPTIONS"], name).toBeTypeOf("function");
  }
});

it("an unknown route has the same response for every method and every caller", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    const response = await send("/api/v4/no/such/thing", { method });
    expect([response.status, await response.json()]).toEqual([404, { error: "404 Not Found" }]);
    expect(response.headers.get("cache-control")).toContain("no-store");
  }
});
