import { expect, it } from "vitest";
import { lastRelease, tagProblem } from "../../e2e/upgrade/release-checkout.mjs";

const RELEASE = { tag: "v0.9.0", commit: "b".repeat(40) };

it("the upgrade test starts the last release of the list of releases", () => {
  const releases = { "0.8.0": { commit: "a".repeat(40) }, "0.9.0": { commit: RELEASE.commit } };
  expect(lastRelease(releases)).toEqual({ version: "0.9.0", ...RELEASE });
  expect(() => lastRelease({})).toThrow("no release");
});

it("if a clone lacks the tag of the last release, the upgrade test uses the commit in the list of releases", () => {
  expect(tagProblem(RELEASE, null)).toBeNull();
});

it("the upgrade test refuses a release tag that refers to another commit than the list of releases", () => {
  expect(tagProblem(RELEASE, RELEASE.commit)).toBeNull();
  expect(tagProblem(RELEASE, "c".repeat(40))).toContain(RELEASE.commit);
});
