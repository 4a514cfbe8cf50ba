import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import {
  dataFolders,
  diskSpaceOf,
  diskSpaceText,
  isDiskSpaceExhausted,
  isDiskSpaceLow,
} from "./disk-space.ts";

const GB = 1_000_000_000;

describe("disk space", () => {
  it.each([
    [0.9 * GB, 2 * GB, true],
    [1.1 * GB, 2 * GB, false],
    [9 * GB, 100 * GB, true],
    [10 * GB, 100 * GB, false],
    [0, 0, true],
  ])(
    conformance("SC-09", "free disk space of %d out of %d bytes counts as low: %s"),
    (freeBytes, totalBytes, isLow) => {
      expect(isDiskSpaceLow({ freeBytes, totalBytes })).toBe(isLow);
    },
  );

  it.each([
    [64 * 1_024 * 1_024 - 1, 1_000 * GB, true],
    [64 * 1_024 * 1_024, 1_000 * GB, false],
    [1_000_000, 64_000_000, true],
    [2_000_000, 64_000_000, false],
    [0, 20 * GB, true],
    [0, 0, false],
  ])(
    conformance("SC-09", "free disk space of %d out of %d bytes counts as exhausted: %s"),
    (freeBytes, totalBytes, isExhausted) => {
      expect(isDiskSpaceExhausted({ freeBytes, totalBytes })).toBe(isExhausted);
    },
  );

  it("the data folders contain the folder of an SQLite file only if this folder is not DATA_DIR", () => {
    const sqlite = (file: string) =>
      dataFolders({ dataDir: "/data", database: { provider: "sqlite", file } });
    expect(sqlite("/data/gatehouse.db")).toEqual([{ disk: "data", folder: "/data" }]);
    expect(sqlite("/ssd/gatehouse.db")).toEqual([
      { disk: "data", folder: "/data" },
      { disk: "database", folder: "/ssd" },
    ]);
    const database = { provider: "postgresql", url: "postgresql://localhost/gatehouse" } as const;
    expect(dataFolders({ dataDir: "/data", database })).toEqual([{ disk: "data", folder: "/data" }]);
  });

  it(conformance("SC-09", "the free disk space is read from the file system of a folder"), async () => {
    const space = await diskSpaceOf(tmpdir());
    expect(space.totalBytes).toBeGreaterThan(space.freeBytes);
    expect(space.freeBytes).toBeGreaterThan(0);
    expect(diskSpaceText({ freeBytes: 1.26 * GB, totalBytes: 20 * GB })).toBe("1.3 of 20.0 GB are free");
  });
});
