import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { readiness } from "./readiness.ts";

const deps = await openTestDeps();
const readinessWith = (dataDir: string) => readiness({ ...deps, config: { ...deps.config, dataDir } });

it.skipIf(!existsSync("/proc/self"))(
  "[SC-09] readiness warns about a file system without free space, and does not fail",
  async () => {
    // The proc file system reports that none of its blocks are free.
    expect(await readinessWith("/proc")).toMatchObject({ status: "ok", warnings: ["disk_space"] });
  },
);

it("[SC-09] readiness does not warn when the free space is not known", async () => {
  expect(await readinessWith("/nothing/is/here")).toMatchObject({ status: "ok", warnings: [] });
});
