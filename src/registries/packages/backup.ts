import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "@/kernel/config/config";
import type { Db } from "@/kernel/db/db";
import { type FileStorage, fileStorageOf } from "@/kernel/objects/file-storage";
import { digestOf } from "./content-digest";
import * as store from "./store";
import { PACKAGES_FOLDER, parseStoredName, storedName } from "./stored-file";

const FILES_AT_ONCE = 200;

type StorageConfig = Pick<Config, "dataDir" | "files">;

/**
 * Copies the package files that a backup does not contain yet. A backup calls this function before and after
 * it copies the database. The first call copies all files, so that the backup also contains files that are
 * deleted during the backup. The second call copies the files that were added during the backup.
 * @param options.reuse a function that reuses a file of the previous backup. `reuse` returns false if the
 * previous backup does not contain the file.
 * @param options.links whether to create hard links instead of copies, which is safe because package files
 * never change.
 */
export async function backUpFiles(
  config: StorageConfig,
  folder: string,
  { reuse, links }: Readonly<{ reuse: (path: string) => Promise<boolean>; links: boolean }>,
): Promise<void> {
  const storage = fileStorageOf(config);
  for await (const names of storage.list(PACKAGES_FOLDER))
    for (const name of names.filter((listed) => parseStoredName(listed) !== null)) {
      // The backup has the same layout as DATA_DIR.
      const path = join(folder, name);
      if (existsSync(path) || (await reuse(name))) continue;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Another process may have deleted the file during the backup.
      await storage.copyTo(name, path, { mayLink: links });
    }
}

/**
 * Returns whether the storage contains no package file. A backup is restored only if the storage is empty,
 * because two instances must not share a storage.
 */
export async function isStorageEmpty(storage: FileStorage): Promise<boolean> {
  for await (const names of storage.list(PACKAGES_FOLDER))
    if (names.some((name) => parseStoredName(name) !== null)) return false;
  return true;
}

/**
 * Restores the package files of the restored database. If the backup does not contain the file of a database
 * row, the row is deleted. Such a file was added and deleted while the backup was created, or the backup was
 * created with the settings of another instance, for example without `STORAGE`.
 * @returns the number of restored files, and the number of files that the backup does not contain.
 */
export async function restoreFiles(
  config: StorageConfig,
  db: Db,
  folder: string,
): Promise<Readonly<{ restored: number; missing: number }>> {
  const storage = fileStorageOf(config);
  let restored = 0;
  let missingFiles = 0;
  let after = 0;
  for (;;) {
    const files = await store.filesAfter(db, after, FILES_AT_ONCE);
    const missing: number[] = [];
    for (const file of files) {
      const name = storedName(file.projectId, file);
      const path = join(folder, name);
      const stats = await stat(path).catch(() => null);
      if (stats === null) {
        missing.push(file.id);
        continue;
      }
      const { sha256 } = file;
      await storage.put(name, { path, sha256, sizeBytes: stats.size }, { mayLink: false });
      restored += 1;
    }
    if (missing.length > 0) await store.removeFiles(db, missing);
    missingFiles += missing.length;
    if (files.length < FILES_AT_ONCE) return { restored, missing: missingFiles };
    after = files.at(-1)?.id ?? after;
  }
}

/** Returns the names of the stored files whose content does not match the digest in the file name. */
export async function damagedFiles(config: StorageConfig): Promise<readonly string[]> {
  const storage = fileStorageOf(config);
  const damaged: string[] = [];
  for await (const names of storage.list(PACKAGES_FOLDER))
    for (const name of names) {
      const expected = parseStoredName(name)?.sha256;
      if (expected !== undefined && (await digestOf(storage, name)) !== expected) damaged.push(name);
    }
  return damaged;
}
