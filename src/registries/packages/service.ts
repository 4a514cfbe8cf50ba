import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { recordWrite } from "@/kernel/disk/storage";
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
import * as store from "./store";
import {
  discard,
  listNames,
  moveIntoProject,
  openStoredFile,
  packagesFolder,
  parseStoredName,
  type ReceivedFile,
  receiveFile,
  removeOldFile,
  removeStoredFiles,
  type StoredFile,
  type UploadFailure,
  uploadPath,
} from "./stored-file";

/** A published file with its package and its project. */
export type PublishedFile = Readonly<{ project: AuthorizedProject; from: Package; file: PackageFile }>;

/**
 * Publishes a file of a generic package. A file with the same name is replaced: downloads return the old file until the
 * new file is completely stored.
 * @param coordinates the names of the package and the file, which must be valid.
 * @param body the content, which is streamed to the disk.
 * @returns the published file, or the reason for the failure; `gone` if the project was deleted during the upload.
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
 * Stores the row and the file atomically. The file is moved to its final folder before the transaction with the row is
 * committed.
 */
async function storeFile(
  deps: Deps,
  project: AuthorizedProject,
  user: User,
  coordinates: FileCoordinates,
  upload: ReceivedFile,
): Promise<(PublishedFile & Readonly<{ before: StoredFile | null }>) | "gone"> {
  const now = deps.clock();
  try {
    return await deps.transaction(async (within) => {
      if (!(await lockProject(within, project.id))) return "gone";
      const from = await store.findOrCreatePackage(within.db, project, coordinates, now);
      const { file, before } = await store.putFile(within.db, from.id, coordinates.fileName, upload, now);
      await audit.record(
        within,
        "package.file_published",
        { ...about(project, from), file: file.name, sha256: file.sha256, replaced: before !== null },
        { userId: user.id },
      );
      await moveIntoProject(within.config, project.id, upload);
      return { project, from, file, before };
    });
  } finally {
    // If the commit fails after the file was moved, `sweepFiles` deletes the file later.
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
): Promise<Page<Package>> => store.listPackages(deps.db, project, filter, paging);

/** Returns a package; null if the project has no package with this id. */
export const findPackage = (deps: Deps, project: AuthorizedProject, id: number): Promise<Package | null> =>
  store.findPackage(deps.db, project, id);

export const listFiles = (deps: Deps, from: Package, paging: Paging): Promise<Page<PackageFile>> =>
  store.listFiles(deps.db, from, paging);

/**
 * Opens a published file for reading. The caller must close the file.
 * @returns null if the file does not exist.
 * @throws Error if the row of the file exists but its content is missing.
 */
export async function openFile(
  deps: Deps,
  project: AuthorizedProject,
  coordinates: FileCoordinates,
): Promise<Readonly<{ file: PackageFile; content: FileHandle }> | null> {
  let missingKey = "";
  for (;;) {
    const stored = await store.findFileByCoordinates(deps.db, project, coordinates);
    if (stored === null) return null;
    const { from, file } = stored;
    const content = await openStoredFile(deps.config, project.id, file);
    if (content !== null) {
      recordDownload(deps, from);
      return { file, content };
    }
    // The content is missing.
    // If the file was replaced after the query, the repeated query returns another key.
    // If the repeated query returns the same key, the content was deleted from the disk.
    if (missingKey === file.key) throw new Error(`The content of package file ${file.id} is missing.`);
    missingKey = file.key;
  }
}

/** Records the time of a download. A failure is only logged. */
function recordDownload(deps: Deps, from: Package): void {
  const now = deps.clock();
  if (!isDownloadTimeOutdated(from.lastDownloadedAt, now)) return;
  store.recordDownload(deps.db, from, now).catch((cause: unknown) => {
    deps.log.warn({ event: "package.download_lost" }, cause);
  });
}

/** Deletes a package with its files. @returns false if the package no longer exists. */
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

/** Deletes a file and keeps its package. @returns false if the file does not exist. */
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
 * Deletes package files that have no database row. Such files result from uploads that a crash interrupted, and from
 * deletions that did not delete the file.
 * @param options.signal ends the function early.
 * @returns the number of deleted files.
 */
export async function sweepFiles(
  deps: Deps,
  options: Readonly<{ signal?: AbortSignal }> = {},
): Promise<number> {
  const before = new Date(deps.clock().getTime() - ABANDONED_AFTER_MS);
  let removed = 0;
  const removeAll = async (paths: readonly string[]) => {
    for (const path of paths) if (await removeOldFile(path, before)) removed += 1;
  };
  for await (const names of listNames(uploadPath(deps.config), FILES_AT_ONCE))
    await removeAll(names.map((name) => uploadPath(deps.config, name)));
  const folder = packagesFolder(deps.config);
  for await (const projects of listNames(folder, FILES_AT_ONCE))
    for (const project of projects.filter((name) => /^\d+$/.test(name)))
      for await (const names of listNames(join(folder, project), FILES_AT_ONCE)) {
        if (options.signal?.aborted) return removed;
        const keys = names.flatMap((name) => parseStoredName(name)?.key ?? []);
        const referenced = await store.existingKeys(deps.db, keys, FILES_AT_ONCE);
        const strays = names.filter((name) => !referenced.has(parseStoredName(name)?.key ?? ""));
        await removeAll(strays.map((name) => join(folder, project, name)));
      }
  return removed;
}
