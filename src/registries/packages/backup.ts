import { createHash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { copyFile, link, mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
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
 * @param options.reuse uses a file of the previous backup again; false if the previous backup does not have the file.
 * @param options.links whether to link the files instead of copying them. Package files never change.
 */
export async function backUpFiles(
  config: Pick<Config, "dataDir">,
  folder: string,
  { reuse, links }: Readonly<{ reuse: (path: string) => Promise<boolean>; links: boolean }>,
): Promise<void> {
  const from = packagesFolder(config);
  const projects = existsSync(from) ? (await readdir(from)).filter((name) => /^\d+$/.test(name)) : [];
  for (const project of projects) {
    const to = folderOfProject(inBackup(folder), Number(project));
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const name of await namesOf(join(from, project)))
      if (parseStoredName(name) !== null && !existsSync(join(to, name)))
        if (!(await reuse(relative(folder, join(to, name)))))
          await copied(join(from, project, name), join(to, name), links);
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
async function copied(from: string, to: string, links = false): Promise<boolean> {
  try {
    if (links) await link(from, to);
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
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

/** Returns the paths of the package files whose content does not match the digest in their names. */
export async function damagedFiles(config: Pick<Config, "dataDir">): Promise<readonly string[]> {
  const damaged: string[] = [];
  const folder = packagesFolder(config);
  for (const project of await namesOf(folder))
    for (const name of await namesOf(join(folder, project))) {
      const hash = createHash("sha256");
      await pipeline(createReadStream(join(folder, project, name)), hash);
      if (parseStoredName(name)?.sha256 !== hash.digest("hex")) damaged.push(join(project, name));
    }
  return damaged;
}
