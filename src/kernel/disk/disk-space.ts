import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config";

export type DiskSpace = Readonly<{ freeBytes: number; totalBytes: number }>;

const FREE_SHARE_MIN = 0.1;
const FREE_BYTES_MIN = 1_000_000_000;

/** Returns the folders in which the instance stores data: DATA_DIR, and the folder of an SQLite file outside DATA_DIR. */
export function dataFolders({
  dataDir,
  database,
}: Pick<Config, "dataDir" | "database">): readonly Readonly<{ disk: "data" | "database"; folder: string }>[] {
  const data = { disk: "data", folder: dataDir } as const;
  if (database.provider !== "sqlite" || dirname(database.file) === dataDir) return [data];
  return [data, { disk: "database", folder: dirname(database.file) }];
}

/** Returns the free space that is available to this process, and the size of the file system of a folder. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns whether less than a tenth of the space or less than 1 GB is free. */
export const isDiskSpaceLow = ({ freeBytes, totalBytes }: DiskSpace): boolean =>
  freeBytes < FREE_BYTES_MIN || freeBytes < totalBytes * FREE_SHARE_MIN;

const EXHAUSTED_BYTES = 64 * 1_024 * 1_024;
const EXHAUSTED_SHARE = 0.02;

/**
 * Returns whether the free space is so small that writes are about to fail: less than 64 MiB, or less than 2 % of a disk
 * of at most 3 GiB. A disk whose size is unknown (0) never counts as exhausted.
 */
export const isDiskSpaceExhausted = ({ freeBytes, totalBytes }: DiskSpace): boolean =>
  freeBytes < Math.min(EXHAUSTED_BYTES, totalBytes * EXHAUSTED_SHARE);

export const diskSpaceText = ({ freeBytes, totalBytes }: DiskSpace): string =>
  `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} GB are free`;

const gigabytes = (bytes: number): string => (bytes / 1_000_000_000).toFixed(1);
