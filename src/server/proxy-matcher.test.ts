import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { config } from "../../proxy.ts";
import { PROXY_PATHS } from "./page-response.ts";

const [row] = config.matcher;
const matcher = new RegExp(`^${row?.source}$`);

/**
 * Returns the URL path of each file with the given name in the folder `app`, with a value for each path
 * parameter.
 */
const pathsOf = (name: string): readonly string[] =>
  readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => file === name || file.endsWith(`/${name}`))
    .map((file) =>
      `/${file.slice(0, -name.length)}`
        .replace(/(?<=.)\/$/, "")
        .replaceAll(/\/\[\[\.\.\.[^\]]+\]\]/g, "")
        .replaceAll(/\[[^\]]+\]/g, "x"),
    );

it("the matcher of the proxy excludes the paths of route files, because the proxy would truncate their request bodies", () => {
  const routes = pathsOf("route.ts");
  expect(routes.length).toBeGreaterThan(100);
  expect(routes.filter((path) => matcher.test(path))).toEqual([]);
});

it("the matcher of the proxy includes every page, so that each page gets its content security policy", () => {
  const pages = pathsOf("page.tsx");
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((path) => !matcher.test(path))).toEqual([]);
});

it("the server and the proxy have the same list of paths of pages, because the server itself prepares the responses of pages", () => {
  expect(row?.source).toBe(PROXY_PATHS);
});

it.each(["/projects/1/raw/x", "/uploads/-", "/uploads/-/x", "/uploads/-/system/user/avatar/1/x.png/y"])(
  "the matcher of the proxy includes %s, which has no route, so that the not-found page gets its content security policy",
  (path) => {
    expect(matcher.test(path)).toBe(true);
  },
);
