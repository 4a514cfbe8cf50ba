import { expect, it } from "vitest";
import { apiUser } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { pageByFullPath } from "./full-path.ts";

const deps = await openTestDeps();
const { user: ann } = await apiUser(deps, "ann");
const { user: bob } = await apiUser(deps, "bob");
const acme = await groupOf(deps, ann, "acme");
const web = await groupOf(deps, ann, "web", { parent: acme });
const shop = await projectOf(deps, ann, "shop", { group: web, visibility: "public" });
const personal = await projectOf(deps, ann, "notes");

const page = (path: string, user = ann as typeof ann | null) => pageByFullPath(deps, path.split("/"), user);

it("pageByFullPath returns the page of a project or a group for its full path regardless of letter case", async () => {
  expect(await page("acme/web/shop")).toBe(`/projects/${shop.id}`);
  expect(await page("ACME/Web/SHOP", null)).toBe(`/projects/${shop.id}`);
  expect(await page("groups/acme/web")).toBe(`/groups/${web.id}`);
  expect(await page("ann/notes")).toBe(`/projects/${personal.id}`);
});

it(
  conformance("SC-34", "pageByFullPath returns the page of a group for its path without the prefix /groups"),
  async () => {
    expect(await page("acme")).toBe(`/groups/${acme.id}`);
    expect(await page("ACME", null)).toBe(`/groups/${acme.id}`);
    expect(await page("acme/web", null)).toBe(`/groups/${web.id}`);
    const closed = await groupOf(deps, ann, "closed", { visibility: "private" });
    expect(await page("closed")).toBe(`/groups/${closed.id}`);
    for (const viewer of [bob, null])
      for (const path of ["closed", "absent", "groups/closed", "closed/absent"])
        expect(await page(path, viewer)).toBeNull();
    // A path segment that is a number is not treated as an id.
    expect(await page(`${acme.id}`)).toBeNull();
  },
);

it(
  conformance("SC-22", "pageByFullPath returns the page of a project for the URL of its repository"),
  async () => {
    expect(await page("acme/web/shop.git", null)).toBe(`/projects/${shop.id}`);
    expect(await page("ann/notes.git")).toBe(`/projects/${personal.id}`);
    expect(await page("ann/notes.git", bob)).toBeNull();
    expect(await page("groups/acme/web.git")).toBeNull();
  },
);

it("pageByFullPath returns the page of a user for a username if the viewer is signed in", async () => {
  expect(await page("Bob")).toBe(`/users/${bob.id}`);
  expect(await page("bob", null)).toBeNull();
  expect(await page("nobody")).toBeNull();
});

it.each(["ann/notes", "ann/nothing", "groups/nothing/at/all"])(
  "pageByFullPath returns null for the hidden or unknown path %s",
  async (path) => {
    expect(await page(path, bob)).toBeNull();
    expect(await page(path, null)).toBeNull();
  },
);

it.each([
  "acme/web/shop/more",
  "acme//shop",
  "acme/web%2Fshop",
  "1/2",
  "groups/",
  `a/${"b".repeat(300)}`,
  Array.from({ length: 60 }, () => "a").join("/"),
])("pageByFullPath returns null for the invalid path %s", async (path) => {
  expect(await page(path)).toBeNull();
});
