import { describe, expect, it } from "vitest";
import { compileRoutes, type RouteFile } from "./routes.ts";

const answer = (text: string) => () => new Response(text);
const file = (path: string, methods: readonly string[] = ["GET"]): RouteFile => ({
  segments: path.split("/").filter((segment) => segment !== ""),
  module: Object.fromEntries(methods.map((method) => [method, answer(path)])),
});

const match = compileRoutes([
  file("/"),
  file("/projects/[id]"),
  file("/projects/mine"),
  file("/projects/[id]/keys/[key]"),
  file("/projects/mine/settings"),
  file("/git/[...path]", ["GET", "POST"]),
  file("/docs/[[...path]]"),
  file("/api/v4/user", ["GET", "PUT"]),
]);

async function matchedRoute(path: string): Promise<[string, object] | null> {
  const hit = match(path);
  if (hit === null) return null;
  const context = { params: Promise.resolve(hit.params) };
  const response = await hit.route.handlers.get("GET")?.(new Request("http://localhost/"), context);
  return [(await response?.text()) ?? "", hit.params];
}

describe("compileRoutes", () => {
  it.each<[string, [string, object] | null]>([
    ["/", ["/", {}]],
    ["/projects/7", ["/projects/[id]", { id: "7" }]],
    ["/projects/7/", ["/projects/[id]", { id: "7" }]],
    ["/projects/mine", ["/projects/mine", {}]],
    ["/projects/g%2Fp", ["/projects/[id]", { id: "g/p" }]],
    ["/projects/mine/keys/k", ["/projects/[id]/keys/[key]", { id: "mine", key: "k" }]],
    ["/projects", null],
    ["/projects/7/keys", null],
    ["/git/a/b.git/info%20refs", ["/git/[...path]", { path: ["a", "b.git", "info refs"] }]],
    ["/git", null],
    [
      "/a/b.git/info/lfs/objects/batch",
      ["/git/[...path]", { path: "a b.git info lfs objects batch".split(" ") }],
    ],
    ["/a/b/info/lfs/locks", ["/git/[...path]", { path: ["a", "b", "info", "lfs", "locks"] }]],
    ["/a/b/info/lfs", null],
    ["/api/v4/info/lfs/objects", null],
    ["/docs", ["/docs/[[...path]]", {}]],
    ["/docs/a/b", ["/docs/[[...path]]", { path: ["a", "b"] }]],
    ["/api/v5/user", ["/api/v4/user", {}]],
    ["/api/v4/us%65r", ["/api/v4/user", {}]],
    ["/nothing", null],
  ])("compileRoutes returns the route of %s", async (path, expected) => {
    expect(await matchedRoute(path)).toEqual(expected);
  });

  it("a route handles HEAD like GET, and responds to OPTIONS with the allowed methods", () => {
    const route = match("/api/v4/user")?.route;
    expect(route?.handlers.get("HEAD")).toBe(route?.handlers.get("GET"));
    expect(route?.allow).toBe("GET, HEAD, OPTIONS, PUT");
    expect(route?.handlers.has("POST")).toBe(false);
  });

  it("compileRoutes throws an error when two folders of one level have different parameter names", () => {
    expect(() => compileRoutes([file("/a/[id]"), file("/a/[name]/b")])).toThrow("different parameter names");
  });
});
