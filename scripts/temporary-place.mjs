import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const SHARED_MEMORY = "/dev/shm";
const BYTES_MIN = 2 * 1024 ** 3;

/**
 * The folder for the files of tests: in memory where the system has room there, for each transaction of SQLite and each
 * command of Git waits for the disk, which takes longer than most of them; else the usual one.
 */
export const temporaryPlace = () => (isUsable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir());

/**
 * Whether a file system in memory is there, large enough, and lets Git run its hooks.
 * @param {string} folder
 */
function isUsable(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const [, , type, options = ""] = mounts.find((line) => line.split(" ")[1] === folder)?.split(" ") ?? [];
    return type === "tmpfs" && !options.split(",").includes("noexec") && bavail * bsize >= BYTES_MIN;
  } catch {
    // There is none.
    return false;
  }
}
