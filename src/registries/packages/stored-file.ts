import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, opendir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@/kernel/config/config";
import type { Deps } from "@/kernel/deps/deps";
import { createFolderDurably, sync } from "@/kernel/disk/durable-file";

/** The database columns that identify a file on the disk: its digest, and a unique key of the upload. */
export type StoredFile = Readonly<{ sha256: string; key: string }>;

/** A completely received file that is not part of a package yet. */
export type ReceivedFile = StoredFile & Readonly<{ path: string; sizeBytes: number }>;

/** The reason why an upload failed. */
export type UploadFailure = "too_large" | "too_slow" | "ended_early";

type StorageConfig = Pick<Config, "dataDir">;

/**
 * Returns the folder of package files, which contains a folder for each project id, and a folder for uploads in
 * progress.
 */
export const packagesFolder = ({ dataDir }: StorageConfig): string => join(dataDir, "packages");
const uploadsFolder = (config: StorageConfig): string => join(packagesFolder(config), "arriving");
export const folderOfProject = (config: StorageConfig, projectId: number): string =>
  join(packagesFolder(config), String(projectId));

/** Returns the name of a file on the disk. The name contains no text from users. */
export const storedName = ({ sha256, key }: StoredFile): string => `${sha256}.${key}`;

/** Parses a name that `storedName` created. @returns null for any other name. */
export function parseStoredName(name: string): StoredFile | null {
  const [, sha256, key] = /^([0-9a-f]{64})\.([0-9a-f]{32})$/.exec(name) ?? [];
  return sha256 === undefined || key === undefined ? null : { sha256, key };
}

/** The time after which an upload that sends no data is aborted. */
const SILENCE_MS = 60_000;

/**
 * Streams a request body to the disk and computes its digest. Only one chunk at a time is held in memory.
 * @returns the received file, or the reason for the failure. A failed upload leaves no file behind.
 * @throws the system's error if the disk cannot be written.
 */
export async function receiveFile(
  { config, randomBytes }: Pick<Deps, "config" | "randomBytes">,
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<ReceivedFile | UploadFailure> {
  const key = Buffer.from(randomBytes(16)).toString("hex");
  const path = join(uploadsFolder(config), key);
  createFolderDurably(uploadsFolder(config));
  const file = await open(path, "wx", 0o600);
  let arrived: ReceivedFile | null = null;
  try {
    const hash = createHash("sha256");
    const received = await writeAll(body, { file, hash, bytesMax });
    if (typeof received === "string") return received;
    await file.sync();
    arrived = { path, key, sha256: hash.digest("hex"), sizeBytes: received };
    return arrived;
  } finally {
    await file.close();
    if (arrived === null) await rm(path, { force: true });
  }
}

type Target = Readonly<{ file: FileHandle; hash: Hash; bytesMax: number }>;

async function writeAll(
  body: ReadableStream<Uint8Array> | null,
  { file, hash, bytesMax }: Target,
): Promise<number | UploadFailure> {
  const reader = body?.getReader();
  if (reader === undefined) return 0;
  let bytes = 0;
  for (;;) {
    const next = await nextPiece(reader);
    if (next === "too_slow" || next === "ended_early") return next;
    if (next.done) return bytes;
    bytes += next.value.byteLength;
    if (bytes > bytesMax) {
      // The cancellation is not awaited: a cancellation that never completes must not delay the error response.
      reader.cancel().catch(() => undefined);
      return "too_large";
    }
    hash.update(next.value);
    await file.writeFile(next.value);
  }
}

async function nextPiece(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"too_slow">((resolve) => {
    timer = setTimeout(() => resolve("too_slow"), SILENCE_MS);
  });
  try {
    const next = await Promise.race([reader.read(), silence]);
    if (next === "too_slow") reader.cancel().catch(() => undefined);
    return next;
  } catch {
    return "ended_early";
  } finally {
    clearTimeout(timer);
  }
}

/** Deletes a received file, unless the file was moved to a project. */
export const discard = ({ path }: ReceivedFile): Promise<void> => rm(path, { force: true });

/** Moves a received file to the folder of its project, and syncs the folder to the disk. @returns the new path. */
export async function moveIntoProject(
  config: StorageConfig,
  projectId: number,
  arrived: ReceivedFile,
): Promise<string> {
  const folder = folderOfProject(config, projectId);
  createFolderDurably(folder);
  const path = join(folder, storedName(arrived));
  await rename(arrived.path, path);
  // The file must be synced before its row is committed.
  await sync(folder);
  return path;
}

/** Opens a stored file. @returns null if the file does not exist. */
export async function openStoredFile(
  config: StorageConfig,
  projectId: number,
  stored: StoredFile,
): Promise<FileHandle | null> {
  try {
    return await open(join(folderOfProject(config, projectId), storedName(stored)), "r");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

/** Whether an error means that a file or folder does not exist. */
export const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT";

/** Deletes files whose rows were deleted. Failures are only logged: `sweepFiles` deletes these files later. */
export async function removeStoredFiles(
  deps: Pick<Deps, "config" | "log">,
  projectId: number,
  files: readonly StoredFile[],
): Promise<void> {
  for (const stored of files)
    await remove(deps, join(folderOfProject(deps.config, projectId), storedName(stored)));
}

/** Deletes the files of deleted projects. */
export async function removeProjectFolders(
  deps: Pick<Deps, "config" | "log">,
  projectIds: readonly number[],
): Promise<void> {
  for (const id of projectIds) await remove(deps, folderOfProject(deps.config, id));
}

async function remove({ log }: Pick<Deps, "log">, path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (cause) {
    log.error({ event: "package.file_not_removed", path }, cause);
  }
}

/** Yields the names in a folder in batches. No batch is yielded if the folder does not exist. */
export async function* listNames(folder: string, atOnce: number): AsyncGenerator<readonly string[]> {
  const entries = await opendir(folder).catch((cause: unknown) => {
    if (isMissing(cause)) return null;
    throw cause;
  });
  if (entries === null) return;
  let names: string[] = [];
  for await (const { name } of entries) {
    names.push(name);
    if (names.length < atOnce) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
}

/** Deletes a file if it was last written before the given time. @returns whether the file was deleted. */
export async function removeOldFile(path: string, before: Date): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || !stats.isFile() || stats.mtime >= before) return false;
  await rm(path, { force: true });
  return true;
}

export const uploadPath = (config: StorageConfig, name = ""): string => join(uploadsFolder(config), name);
