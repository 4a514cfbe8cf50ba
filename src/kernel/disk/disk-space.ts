import { statfs } from "node:fs/promises";

export type DiskSpace = Readonly<{ freeBytes: number; totalBytes: number }>;

const FREE_SHARE_MIN = 0.1;
const FREE_BYTES_MIN = 1_000_000_000;

/** Returns the free space that is available to this process, and the size of the file system of a folder. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns whether less than a tenth of the space or less than 1 GB is free. */
export const isDiskSpaceLow = ({ freeBytes, totalBytes }: DiskSpace): boolean =>
  freeBytes < FREE_BYTES_MIN || freeBytes < totalBytes * FREE_SHARE_MIN;

export const diskSpaceText = ({ freeBytes, totalBytes }: DiskSpace): string =>
  `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} GB are free`;

const gigabytes = (bytes: number): string => (bytes / 1_000_000_000).toFixed(1);
