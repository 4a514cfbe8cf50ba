import { describe, expect, it } from "vitest";
import { PLACES, type Place } from "./catalog.ts";
import { findPlaces } from "./rules.ts";

const ADMINISTRATOR = { signedIn: true, admin: true };
const USER = { signedIn: true, admin: false };
const VISITOR = { signedIn: false, admin: false };

const NAMED: readonly Place[] = [
  { label: "Open sessions", href: "/a", audience: "users", detail: "Page" },
  { label: "Sessions", href: "/b", audience: "users", detail: "Page", words: "browsers" },
];

const hrefs = (search: string, viewer: Parameters<typeof findPlaces>[1], places = NAMED) =>
  findPlaces(places, viewer, search).map(({ href }) => href);

describe("the search for pages", () => {
  it.each([
    ["sess", ["/b", "/a"]],
    ["SESSIONS open", ["/a"]],
    ["browser", ["/b"]],
    ["sessions nothing", []],
    ["", ["/a", "/b"]],
  ])(
    "the search finds pages that contain every word of %j, and lists pages that begin with the search text first",
    (search, expected) => {
      expect(hrefs(search, USER)).toEqual(expected);
    },
  );

  it("the search finds the settings of the instance by key and by description, but only for administrators", () => {
    for (const search of ["oauth_code_expires_in", "code expires", "visitors can create"]) {
      expect(hrefs(search, ADMINISTRATOR, PLACES).join(" "), search).toContain("/admin/settings#");
      expect(hrefs(search, USER, PLACES).join(" "), search).not.toContain("/admin");
    }
  });

  it("the search never returns administration pages to users who are not administrators, or pages for signed-in users to visitors", () => {
    expect(hrefs("", USER, PLACES).filter((href) => href.startsWith("/admin"))).toEqual([]);
    const visible = hrefs("", VISITOR, PLACES);
    expect(visible).toEqual(expect.arrayContaining(["/help/connect", "/projects"]));
    expect(visible.filter((href) => /^\/(?:admin|user_settings)/.test(href))).toEqual([]);
  });
});
