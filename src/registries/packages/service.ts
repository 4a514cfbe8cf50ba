import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { recordWrite } from "@/kernel/disk/storage";
import { streamOf } from "@/kernel/objects/chunks";
import { type FileRange, fileStorageOf } from "@/kernel/objects/file-storage";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { lockProject, recordActivity } from "@/workspace/projects/service";
import {
  ABANDONED_AFTER_MS,
  type FileCoordinates,
  isDownloadTimeOutdated,
  type Package,
  type PackageFile,
} from "./rules";
import { claimStorage } from "./storage-owner";
import * as store from "./store";
import {
  PACKAGES_FOLDER,
  parseStoredName,
  removeStoredFiles,
  type StoredFile,
  storedName,
  verified,
} from "./stored-file";
import {
  discard,
  type ReceivedFile,
  receiveFile,
  removeAbandonedUploads,
  type UploadFailure,
} from "./upload";

/** A published file, with the package and the project of the file. */
export type PublishedFile = Readonly<{ project: AuthorizedProject; from: Package; file: PackageFile }>;

/**
 * Publishes a file of a generic package. An existing file with the same name is replaced. Downloads return
 * the old file until the new file is completely stored.
 * @param coordinates the package name, the version and the file name, which must be valid.
 * @param body the content, which is streamed to the disk.
 * @returns the published file, or the reason for the failure; `gone` if the project was deleted during the
 * upload.
 */
export async function publishFile(
  deps: Deps,
  project: AuthorizedProject,
  user: User,
  coordinates: FileCoordinates,
  body: ReadableStream<Uint8Array> | null,
): Promise<PublishedFile | UploadFailure | "gone"> {
  const { generic_package_file_size_max: bytesMax } = await readSettings(deps);
  const upload = await receiveFile(deps, body, bytesMax);
  if (typeof upload === "string") return upload;
  const outcome = await storeFile(deps, project, user, coordinates, upload);
  if (outcome === "gone") return "gone";
  recordWrite();
  const { before, ...published } = outcome;
  if (before !== null) await removeStoredFiles(deps, project.id, [before]);
  recordActivity(deps, project);
  return published;
}

/**
 * Stores the content of a file before the database row of the file, so that the content exists for every row.
 * If the transaction fails, the function does not delete the file, because the database may have committed
 * the row before the connection ended. If the database has no row, `sweepFiles` later deletes the file.
 */
async function storeFile(
  deps: Deps,
  project: AuthorizedProject,
  user: User,
  coordinates: FileCoordinates,
  upload: ReceivedFile,
): Promise<(PublishedFile & Readonly<{ before: StoredFile | null }>) | "gone"> {
  const now = deps.clock();
  const storage = fileStorageOf(deps.config);
  try {
    await claimStorage(deps, storage);
    await storage.put(storedName(project.id, upload), upload, { mayLink: true });
    const outcome = await deps.transaction(async (within) => {
      if (!(await lockProject(within, project.id))) return "gone" as const;
      const from = await store.findOrCreatePackage(within.db, project, coordinates, now);
      const { file, before } = await store.putFile(within.db, from.id, coordinates.fileName, upload, now);
      await audit.record(
        within,
        "package.file_published",
        { ...about(project, from), file: file.name, sha256: file.sha256, replaced: before !== null },
        { userId: user.id },
      );
      return { project, from, file, before };
    });
    if (outcome === "gone") await removeStoredFiles(deps, project.id, [upload]);
    return outcome;
  } finally {
    await discard(upload);
  }
}

const about = (project: AuthorizedProject, { name, version }: Package) => ({
  id: project.id,
  path: project.fullPath,
  name,
  version,
});

/** Returns a page of the packages of a project. */
export const listPackages = (
  deps: Deps,
  project: AuthorizedProject,
  filter: store.PackageFilter,
  paging: Paging,
): Promise<Page<Package>> => store.listPackages(deps, project, filter, paging);

/** Returns a package; null if the project has no package with this id. */
export const findPackage = (deps: Deps, project: AuthorizedProject, id: number): Promise<Package | null> =>
  store.findPackage(deps.reads, project, id);

export const listFiles = (deps: Deps, from: Package, paging: Paging): Promise<Page<PackageFile>> =>
  store.listFiles(deps, from, paging);

/**
 * The part of a package file that the response to a request contains: the whole file, a range, or no content.
 */
export type NeededPart = "whole" | "none" | FileRange;

/**
 * Opens a published file for reading. The caller must read the content stream to the end, or cancel the
 * stream.
 * @param partOf a function that returns the part of the file that the caller needs.
 * @returns the file and its content; null if the file does not exist. The content is null if the caller needs
 * no content.
 * @throws Error if the database row of the file exists but the content is missing in the storage.
 */
export async function openFile(
  deps: Deps,
  project: AuthorizedProject,
  coordinates: FileCoordinates,
  partOf: (file: PackageFile) => NeededPart,
): Promise<Readonly<{ file: PackageFile; content: ReadableStream<Uint8Array> | null }> | null> {
  let missingKey = "";
  for (;;) {
    const stored = await store.findFileByCoordinates(deps.reads, project, coordinates);
    if (stored === null) return null;
    const { from, file } = stored;
    const part = partOf(file);
    const content = part === "none" ? null : await openPart(deps, project, file, part);
    if (content !== null || part === "none") {
      recordDownload(deps, from);
      return { file, content };
    }
    // The storage does not contain the content. If the file was replaced after the row was read, the row now
    // has another storage key. If the row still has the same storage key when it is read again, the content
    // was lost.
    if (missingKey === file.key) throw new Error(`The content of package file ${file.id} is missing.`);
    missingKey = file.key;
  }
}

/**
 * Opens the requested part of the content of a package file. If the whole file is requested, the digest of
 * the content is verified while the content is read.
 */
async function openPart(
  deps: Deps,
  project: AuthorizedProject,
  file: PackageFile,
  part: "whole" | FileRange,
): Promise<ReadableStream<Uint8Array> | null> {
  const range = part === "whole" ? null : part;
  const content = await fileStorageOf(deps.config).open(storedName(project.id, file), range);
  if (content === null || range !== null) return content;
  return streamOf(logged(deps, file, verified(content, file.sha256)));
}

/**
 * Yields the chunks of a file content. A failure is logged, because the response has already begun and cannot
 * report the failure.
 */
async function* logged(
  { log }: Pick<Deps, "log">,
  { id }: PackageFile,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    log.error({ event: "package.download_failed", file_id: id }, cause);
    throw cause;
  }
}

/** Records the time of a download. If the time cannot be stored, the failure is only logged. */
function recordDownload(deps: Deps, from: Package): void {
  const now = deps.clock();
  if (!isDownloadTimeOutdated(from.lastDownloadedAt, now)) return;
  store.recordDownload(deps.db, from, now).catch((cause: unknown) => {
    deps.log.warn({ event: "package.download_lost" }, cause);
  });
}

/**
 * Deletes a package and all files of the package.
 * @returns false if the package no longer exists.
 */
export async function removePackage(
  deps: Deps,
  project: AuthorizedProject,
  from: Package,
  by: User,
): Promise<boolean> {
  const removed = await deps.transaction(async (within) => {
    await lockProject(within, project.id);
    const files = await store.removePackage(within.db, from);
    if (files !== null)
      await audit.record(within, "package.removed", about(project, from), { userId: by.id });
    return files;
  });
  if (removed === null) return false;
  await removeStoredFiles(deps, project.id, removed);
  return true;
}

/**
 * Deletes a file of a package, but not the package.
 * @returns false if the file does not exist.
 */
export async function removeFile(
  deps: Deps,
  project: AuthorizedProject,
  from: Package,
  fileId: number,
  by: User,
): Promise<boolean> {
  const removed = await deps.transaction(async (within) => {
    await lockProject(within, project.id);
    const file = await store.findFile(within.db, from, fileId);
    if (file === null || !(await store.removeFile(within.db, file))) return null;
    const details = { ...about(project, from), file: file.name };
    await audit.record(within, "package.file_removed", details, { userId: by.id });
    return file;
  });
  if (removed === null) return false;
  await removeStoredFiles(deps, project.id, [removed]);
  return true;
}

const FILES_AT_ONCE = 200;

/**
 * Deletes package files that have no database row. A file without a row remains after a crash during an
 * upload, or after a deletion that deleted the row but could not delete the file.
 * @param options.signal a signal that stops the function early.
 * @returns the number of deleted files.
 */
export async function sweepFiles(
  deps: Deps,
  options: Readonly<{ signal?: AbortSignal }> = {},
): Promise<number> {
  const before = new Date(deps.clock().getTime() - ABANDONED_AFTER_MS);
  let removed = await removeAbandonedUploads(deps.config, before);
  const storage = fileStorageOf(deps.config);
  await claimStorage(deps, storage, { again: true });
  for await (const listed of storage.list(PACKAGES_FOLDER)) {
    // The name of a project's folder is a number. The folder of uploads in progress is skipped, because its
    // name is not a number.
    const names = listed.filter((name) => /^packages\/\d+\//.test(name));
    for (let at = 0; at < names.length; at += FILES_AT_ONCE) {
      if (options.signal?.aborted) return removed;
      const batch = names.slice(at, at + FILES_AT_ONCE);
      const keys = batch.flatMap((name) => parseStoredName(name)?.key ?? []);
      const referenced = await store.existingKeys(deps.db, keys, FILES_AT_ONCE);
      const strays = batch.filter((name) => !referenced.has(parseStoredName(name)?.key ?? ""));
      for (const name of strays) if (await storage.removeIfOlder(name, before)) removed += 1;
    }
  }
  return removed;
}
