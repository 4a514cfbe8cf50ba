import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chapterPath } from "@/http-api/reference.ts";
import { apiReference } from "@/server/api-document.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { PLACES } from "./catalog.ts";

const deps = await openTestDeps();
const hrefs = PLACES.map(({ href }) => href);

describe("the pages that the search finds", () => {
  it.each(["admin", "user_settings"])("the search finds every page in the navigation of /%s", (folder) => {
    const pages = readdirSync(`app/${folder}`).filter((name) => existsSync(`app/${folder}/${name}/page.tsx`));
    expect(hrefs).toEqual(expect.arrayContaining(pages.map((name) => `/${folder}/${name}`)));
  });

  it("the search finds the reference page of each resource of the REST API", async () => {
    const { chapters } = await apiReference(deps);
    const pages = PLACES.filter(({ detail }) => detail === "REST API").map(({ label, href }) => [
      label,
      href,
    ]);
    expect(pages).toEqual(chapters.map((chapter) => [chapter.name, chapterPath(chapter)]));
  });
});
