import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "@/kernel/deps/deps";
import { createFolderDurably } from "@/kernel/disk/durable-file";
import type { FileStorage } from "@/kernel/objects/file-storage";
import { digestOf, digestOfFile } from "./content-digest";
import { claimStorage } from "./storage-owner";
import * as store from "./store";
import { type StoredFile, storedName } from "./stored-file";
import { uploadsFolder } from "./upload";

/** The state of a migration of all package files to another storage. */
export type MigrationProgress = Readonly<{
  /** The number of files in the database at the start of the migration. */
  total: number;
  copied: number;
  copiedBytes: number;
  /** The number of files that already existed in the target storage. */
  present: number;
  /**
   * The names of the files whose content is missing in the source storage, or does not match the digest in
   * the database.
   */
  failed: readonly string[];
}>;

type MigratedFile = StoredFile & Readonly<{ id: number; projectId: number; sizeBytes: number }>;

const FILES_AT_ONCE = 200;
const COPIES_AT_ONCE = 4;

/**
 * Copies the package files of all database rows to another storage. The function does not delete files. After
 * an interruption, the function can be called again: it does not copy files that already exist in the target
 * storage.
 * @param options.verify whether to verify the digests of the files that already exist in the target storage.
 */
export async function migrateFiles(
  deps: Deps,
  from: FileStorage,
  to: FileStorage,
  { verify, report }: Readonly<{ verify: boolean; report: (progress: MigrationProgress) => void }>,
): Promise<MigrationProgress> {
  await claimStorage(deps, to);
  const state = { total: await store.countFiles(deps.db), copied: 0, copiedBytes: 0, present: 0 };
  const failed: string[] = [];
  const one = async (file: MigratedFile): Promise<void> => {
    const outcome = await migrateFile(deps, from, to, file, verify);
    if (outcome === "copied") state.copiedBytes += file.sizeBytes;
    if (outcome === "failed") failed.push(storedName(file.projectId, file));
    else if (outcome !== "deleted") state[outcome] += 1;
    report({ ...state, failed });
  };
  for (let after = 0; ; ) {
    const files = await store.filesAfter(deps.db, after, FILES_AT_ONCE);
    for (let at = 0; at < files.length; at += COPIES_AT_ONCE)
      await Promise.all(files.slice(at, at + COPIES_AT_ONCE).map(one));
    const last = files.at(-1);
    if (last === undefined) return { ...state, failed };
    after = last.id;
  }
}

/**
 * Copies a file to the target storage. The digest of the content is compared with the digest in the database
 * before the file is stored in the target storage.
 * @returns `deleted` if the file was replaced or deleted during the migration.
 */
async function migrateFile(
  deps: Deps,
  from: FileStorage,
  to: FileStorage,
  file: MigratedFile,
  verify: boolean,
): Promise<"copied" | "present" | "failed" | "deleted"> {
  const name = storedName(file.projectId, file);
  const isPresent =
    (await to.sizeOf(name)) === file.sizeBytes && (!verify || (await digestOf(to, name)) === file.sha256);
  if (isPresent) return "present";
  createFolderDurably(uploadsFolder(deps.config));
  const path = join(uploadsFolder(deps.config), `${file.key}.migrating`);
  await rm(path, { force: true });
  try {
    const { sha256, sizeBytes } = file;
    if ((await from.copyTo(name, path, { mayLink: true })) && (await digestOfFile(path)) === sha256) {
      await to.put(name, { path, sha256, sizeBytes }, { mayLink: false });
      return (await to.sizeOf(name)) === sizeBytes ? "copied" : "failed";
    }
  } finally {
    await rm(path, { force: true });
  }
  return (await store.existingKeys(deps.db, [file.key], FILES_AT_ONCE)).has(file.key) ? "failed" : "deleted";
}

const SAMPLE = 50;

/**
 * Checks the newest package files, at most 50. Returns the number of checked files, and the number of files
 * that are missing in the storage or whose size differs from the size in the database.
 */
export async function newestMissingFiles(
  { db }: Pick<Deps, "db">,
  storage: FileStorage,
): Promise<Readonly<{ checked: number; missing: number }>> {
  const files = await store.newestFiles(db, SAMPLE);
  const sizes = await Promise.all(
    files.map(async (file) => (await storage.sizeOf(storedName(file.projectId, file))) === file.sizeBytes),
  );
  return { checked: files.length, missing: sizes.filter((isStored) => !isStored).length };
}
