import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "@/kernel/config/config";
import { parseBucket } from "@/kernel/config/object-storage";
import { createFolderDurably } from "@/kernel/disk/durable-file";
import { type ObjectStorage, openBucket } from "@/kernel/objects/s3";
import {
  backupInObjects,
  downloadBackup,
  newestBackup,
  removeOldBackups,
  uploadBackup,
} from "./object-backup";
import { backupInFolder, NO_PREVIOUS_BACKUP } from "./previous-backup";
import { BackupRefused } from "./refusal";
import { backUp, type Done, readManifest } from "./service";

/** The location of a backup: a folder, or a prefix in object storage. */
export type BackupPlace = Readonly<{ folder: string }> | Readonly<{ url: string; storage: ObjectStorage }>;

/**
 * Opens the backup location that the operator named.
 * @param workingFolder the folder of a relative path.
 * @throws BackupRefused for a URL that is not the URL of a bucket, or if the access keys for the URL are not set.
 */
export function openPlace(config: Config, place: string, workingFolder: string): BackupPlace {
  if (!/^(?:s3:|[a-z][a-z0-9+.-]*:\/\/)/i.test(place)) return { folder: resolve(workingFolder, place) };
  const bucket = parseBucket(place);
  if (bucket === null)
    throw new BackupRefused(`${place} is not the URL of a bucket. Write s3://BUCKET/PREFIX.`);
  if (config.objectStorage === null)
    throw new BackupRefused("Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and S3_ENDPOINT or S3_REGION.");
  return { url: place, storage: openBucket(config.objectStorage, bucket) };
}

/**
 * Returns the folder for a backup that is being sent to object storage. The folder is in DATA_DIR, because
 * hard links to package files work only on the same file system.
 */
const stageOf = ({ dataDir }: Config): string => join(dataDir, "backup-in-progress");

export type PlacedBackup = Done &
  Readonly<{
    /** The number of bytes that were sent to the object storage; null for a folder. */
    sentBytes: number | null;
  }>;

/**
 * Creates a backup in a folder or in object storage. In object storage, the backup refers to the objects of
 * the earlier backups.
 * @param since the folder of the previous backup, whose unchanged files are reused; null for none.
 * @throws BackupRefused if the folder of the previous backup contains no complete backup.
 */
export async function createBackup(
  config: Config,
  place: BackupPlace,
  about: Readonly<{ version: string; now: Date }>,
  since: string | null,
): Promise<PlacedBackup> {
  if ("folder" in place) {
    // A file of an interrupted backup can be incomplete.
    if (since !== null) await readManifest(since);
    const previous = since === null ? NO_PREVIOUS_BACKUP : backupInFolder(since);
    return { ...(await backUp(config, place.folder, about, { previous })), sentBytes: null };
  }
  const { storage } = place;
  const newest = await newestBackup(storage);
  const { previous, reused } = backupInObjects(storage, newest);
  const stage = stageOf(config);
  await rm(stage, { recursive: true, force: true });
  try {
    const done = await backUp(config, stage, about, { previous, links: true });
    const { sentBytes } = await uploadBackup(storage, stage, newest, { reused, now: about.now });
    return { ...done, sentBytes };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/**
 * Deletes all backups in object storage except for the newest ones.
 * @param keep the number of backups to keep.
 * @returns the number of deleted backups, which is 0 for a folder.
 */
export const removeOlderBackups = async (place: BackupPlace, keep: number): Promise<number> =>
  "folder" in place ? 0 : removeOldBackups(place.storage, keep);

/**
 * Returns a folder with the files of a backup.
 * @param name the name of the backup in the object storage; null for the newest.
 * @param folder the folder into which files from object storage are written.
 */
export async function fetchBackup(place: BackupPlace, name: string | null, folder: string): Promise<string> {
  if ("folder" in place) return place.folder;
  createFolderDurably(folder);
  await downloadBackup(place.storage, name, folder);
  return folder;
}
