import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { readiness } from "./readiness.ts";

const deps = await openTestDeps();

it(
  conformance("SC-09", "the readiness probe warns about a file system without free space, and does not fail"),
  async () => {
    const full = { freeBytes: 0, totalBytes: 1_000_000_000_000 };
    expect(await readiness(deps, async () => full)).toMatchObject({ status: "ok", warnings: ["disk_space"] });
  },
);

it(conformance("SC-09", "the readiness probe does not warn when the free space is unknown"), async () => {
  const unknown = () => Promise.reject(new Error("ENOENT: no such file or directory, statfs"));
  expect(await readiness(deps, unknown)).toMatchObject({ status: "ok", warnings: [] });
});
