import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const SHARED_MEMORY = "/dev/shm";
const BYTES_MIN = 2 * 1024 ** 3;

/**
 * Returns the folder for the files of tests: a file system in memory if it has enough space, otherwise the
 * temporary folder of the system. On a disk, SQLite transactions and Git commands would spend most of their
 * time waiting for writes.
 */
export const temporaryPlace = () => (isUsable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir());

/**
 * Returns whether `folder` is a file system in memory that is large enough and allows Git to execute hooks.
 * @param {string} folder
 */
function isUsable(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const [, , type, options = ""] = mounts.find((line) => line.split(" ")[1] === folder)?.split(" ") ?? [];
    return type === "tmpfs" && !options.split(",").includes("noexec") && bavail * bsize >= BYTES_MIN;
  } catch {
    return false;
  }
}
