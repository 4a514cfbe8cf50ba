import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/**
 * Creates a file with mode 0600. After the function has returned, the file survives a power failure.
 * @returns false if the file already exists. An existing file is not changed.
 */
export function createDurably(file: string, text: string): boolean {
  const temporary = writeTemporary(file, text);
  try {
    linkSync(temporary, file);
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw cause;
  } finally {
    rmSync(temporary);
    // The folder is synced even if the file already exists, because the process that created the file may not
    // have synced the folder yet.
    syncFolder(dirname(file));
  }
}

/**
 * Replaces the content of a file, so that the file has either the old or the new content after a power
 * failure.
 */
export function replaceDurably(file: string, text: string, mode = 0o600): void {
  renameSync(writeTemporary(file, text, mode), file);
  syncFolder(dirname(file));
}

/** Deletes a file durably: the file stays deleted after a power failure. */
export function removeDurably(file: string): void {
  rmSync(file, { force: true });
  syncFolder(dirname(file));
}

/** Creates a folder with mode 0700 and its missing parents, which survive a power failure. */
export function createFolderDurably(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let path = resolve(folder); ; path = dirname(path)) {
    syncFolder(dirname(path));
    if (path === resolve(first)) return;
  }
}

function writeTemporary(file: string, text: string, mode = 0o600): string {
  const temporary = `${file}.${process.pid}`;
  const descriptor = openSync(temporary, "w", mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

/** Syncs a folder, so that new names in the folder survive a power failure. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs a file or a folder asynchronously, so that other requests are not blocked. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/** Syncs a folder with all files and folders in it, at every depth. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await sync(path);
  }
  await sync(folder);
}
