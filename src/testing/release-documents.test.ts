import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { releaseDocuments } from "../../scripts/release-files.mjs";

/** The files of a release that documents may link to. npm adds `README.md` and `LICENSE` to every package. */
const SHIPPED: readonly string[] = ["README.md", "LICENSE", "deploy", ...releaseDocuments()].flatMap(
  (path) =>
    statSync(path).isDirectory() ? [path, ...readdirSync(path).map((name) => join(path, name))] : [path],
);

/** Returns the relative targets of the links and pictures of a document that are not in `shipped`. */
function missingTargets(document: string, text: string, shipped = SHIPPED): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
    .filter((target) => !shipped.includes(normalize(join(dirname(document), target)).replace(/\/$/, "")));
}

describe("the documents of a release", () => {
  const documents = SHIPPED.filter((path) => path.endsWith(".md"));

  it("the documents of a release contain the README, the pages for operators and the decisions", () => {
    expect(documents).toEqual(
      expect.arrayContaining(["README.md", "docs/operations.md", "docs/operations/metrics.md"]),
    );
    expect(documents.length).toBeGreaterThan(100);
  });

  it.each(documents)("each relative link in %s points to a file of the release", (document) => {
    expect(missingTargets(document, readFileSync(document, "utf8"))).toEqual([]);
  });

  it("a link to a source file, or to a document of the checkout alone, is found", () => {
    const text = "[a](../src/a.ts) ![b](operations/b.png#c) [d](https://example.com) [e](#e) [f](data.md#f)";
    expect(missingTargets("docs/page.md", text)).toEqual(["../src/a.ts", "operations/b.png"]);
  });
});
