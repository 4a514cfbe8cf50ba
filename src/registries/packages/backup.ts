import { constants, existsSync } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@/kernel/config/config";
import type { Db } from "@/kernel/db/db";
import * as store from "./store";
import { folderOfProject, isMissing, packagesFolder, parseStoredName, storedName } from "./stored-file";

const FILES_AT_ONCE = 200;

/** Returns a configuration for a backup folder, which has the same layout as DATA_DIR. */
const inBackup = (folder: string) => ({ dataDir: folder });

/**
 * Copies package files that are missing in the backup. The function is called before and after the database is copied.
 * The first call also copies files that are deleted while the backup is created. The second call copies files that are
 * added while the backup is created.
 */
export async function backUpFiles(config: Pick<Config, "dataDir">, folder: string): Promise<void> {
  const from = packagesFolder(config);
  const projects = existsSync(from) ? (await readdir(from)).filter((name) => /^\d+$/.test(name)) : [];
  for (const project of projects) {
    const to = folderOfProject(inBackup(folder), Number(project));
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const name of await namesOf(join(from, project)))
      if (parseStoredName(name) !== null && !existsSync(join(to, name)))
        await copied(join(from, project, name), join(to, name));
  }
}

/**
 * Returns the names in a folder. The result is empty if the folder does not exist, because a project may be deleted at
 * any time.
 */
const namesOf = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((cause: unknown) => {
    if (isMissing(cause)) return [];
    throw cause;
  });

/** Copies a file. @returns false if the file no longer exists. */
async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw cause;
  }
}

/**
 * Restores the package files of the restored database. Database rows without a file are deleted, because their files
 * were added and deleted while the backup was created.
 * @returns the number of restored files.
 */
export async function restoreFiles(config: Pick<Config, "dataDir">, db: Db, folder: string): Promise<number> {
  let count = 0;
  let after = 0;
  for (;;) {
    const files = await store.filesAfter(db, after, FILES_AT_ONCE);
    const missing: number[] = [];
    for (const file of files) {
      const to = folderOfProject(config, file.projectId);
      await mkdir(to, { recursive: true, mode: 0o700 });
      const from = folderOfProject(inBackup(folder), file.projectId);
      if (await copied(join(from, storedName(file)), join(to, storedName(file)))) count += 1;
      else missing.push(file.id);
    }
    if (missing.length > 0) await store.removeFiles(db, missing);
    if (files.length < FILES_AT_ONCE) return count;
    after = files.at(-1)?.id ?? after;
  }
}
