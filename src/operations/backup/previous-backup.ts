import { copyFile, link, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The previous backup of an instance. A new backup reuses the files of the previous backup that have not
 * changed.
 */
export type PreviousBackup = Readonly<{
  /** Returns the content of a text file; null if the previous backup does not contain the file. */
  read: (path: string) => Promise<string | null>;
  /**
   * Adds a file of the previous backup to the new backup in `folder`.
   * @returns false if the previous backup does not contain the file.
   */
  reuse: (path: string, folder: string) => Promise<boolean>;
}>;

export const NO_PREVIOUS_BACKUP: PreviousBackup = {
  read: () => Promise.resolve(null),
  reuse: () => Promise.resolve(false),
};

/**
 * Returns the previous backup in a folder. If both folders are on the same file system, reused files are hard
 * links.
 */
export const backupInFolder = (previous: string): PreviousBackup => ({
  read: (path) => readFile(join(previous, path), "utf8").catch(ifMissing(null)),
  reuse: async (path, folder) => {
    const to = join(folder, path);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    try {
      await link(join(previous, path), to).catch((cause) => {
        if (!hasCode(cause, "EXDEV")) throw cause;
        return copyFile(join(previous, path), to);
      });
      return true;
    } catch (cause) {
      return ifMissing(false)(cause);
    }
  },
});

const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code;

const ifMissing =
  <Value>(value: Value) =>
  (cause: unknown): Value => {
    if (hasCode(cause, "ENOENT")) return value;
    throw cause;
  };
