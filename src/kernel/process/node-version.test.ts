import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { checkNodeVersion } from "./node-version.ts";

it.each(["20.19.0", "20.20.2", "22.23.3", "24.18.0", "26.10.0"])(
  conformance("SC-18", "the Node version %s is accepted"),
  (version) => {
    expect(checkNodeVersion(version, "sqlite")).toEqual({});
  },
);

it(
  conformance(
    "SC-18",
    "a Node version before 20.19 is refused, as the field engines of package.json requires",
  ),
  () => {
    for (const version of ["18.20.8", "20.18.3"])
      expect(checkNodeVersion(version, "postgresql").problem).toContain("use 20.19 or newer");
    const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(engines).toEqual({ node: ">=20.19" });
  },
);

it(
  conformance(
    "SC-18",
    "Node 24.19 and later versions of Node 24 cause a warning with SQLite, and are accepted with PostgreSQL",
  ),
  () => {
    expect(checkNodeVersion("24.21.0", "sqlite").warning).toContain("better-sqlite3");
    expect(checkNodeVersion("24.21.0", "postgresql")).toEqual({});
  },
);
