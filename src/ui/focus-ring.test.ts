import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const components = ["app", "src"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => `${folder}/${path}`),
);

describe("the focus ring", () => {
  it("no component removes the outline of the focused element", () => {
    const removing = components.filter((path) => /outline-(?:none|hidden)/.test(readFileSync(path, "utf8")));
    expect(removing).toEqual([]);
  });
});
