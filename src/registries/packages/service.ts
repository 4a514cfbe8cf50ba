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
import { type FileAddress, isNoteworthy, LEFT_BEHIND_MS, type Package, type PackageFile } from "./rules";
import * as store from "./store";
import {
  arrivingPath,
  type BrokenUpload,
  discard,
  keepFile,
  namesIn,
  openStored,
  packagesFolder,
  type ReceivedFile,
  receiveFile,
  removeOld,
  removeStored,
  type StoredFile,
  storedIn,
} from "./stored-file";

/** A file with the package and the project that it is of. */
export type Published = Readonly<{ project: AuthorizedProject; from: Package; file: PackageFile }>;

/**
 * Publishes a file of a generic package; it takes the place of one of that name. Whoever asks for the file gets the old
 * one until all of the new one is on the disk.
 * @param address names that are valid.
 * @param body is read as it comes, and not whole.
 * @returns why not: `gone` is a project that was removed meanwhile.
 */
export async function publishFile(
  deps: Deps,
  project: AuthorizedProject,
  user: User,
  address: FileAddress,
  body: ReadableStream<Uint8Array> | null,
): Promise<Published | BrokenUpload | "gone"> {
  const { generic_package_file_size_max: bytesMax } = await readSettings(deps);
  const arrived = await receiveFile(deps, body, bytesMax);
  if (typeof arrived === "string") return arrived;
  const outcome = await recorded(deps, project, user, address, arrived);
  if (outcome === "gone") return "gone";
  recordWrite();
  const { before, ...published } = outcome;
  if (before !== null) await removeStored(deps, project.id, [before]);
  recordActivity(deps, project);
  return published;
}

/** The row and the file, both or neither: the file is in its place before the row can be seen. */
async function recorded(
  deps: Deps,
  project: AuthorizedProject,
  user: User,
  address: FileAddress,
  arrived: ReceivedFile,
): Promise<(Published & Readonly<{ before: StoredFile | null }>) | "gone"> {
  const now = deps.clock();
  try {
    return await deps.transaction(async (within) => {
      if (!(await lockProject(within, project.id))) return "gone";
      const from = await store.takePackage(within.db, project, address, now);
      const { file, before } = await store.putFile(within.db, from.id, address.fileName, arrived, now);
      await audit.record(
        within,
        "package.file_published",
        { ...about(project, from), file: file.name, sha256: file.sha256, replaced: before !== null },
        { userId: user.id },
      );
      await keepFile(within.config, project.id, arrived);
      return { project, from, file, before };
    });
  } finally {
    // Where it was moved and its row may not be there, only the sweep can judge.
    await discard(arrived);
  }
}

const about = (project: AuthorizedProject, { name, version }: Package) => ({
  id: project.id,
  path: project.fullPath,
  name,
  version,
});

/** A part of the packages of a project. */
export const listPackages = (
  deps: Deps,
  project: AuthorizedProject,
  filter: store.PackageFilter,
  paging: Paging,
): Promise<Page<Package>> => store.listPackages(deps.db, project, filter, paging);

/** Null: the project has no such package. */
export const findPackage = (deps: Deps, project: AuthorizedProject, id: number): Promise<Package | null> =>
  store.findPackage(deps.db, project, id);

export const listFiles = (deps: Deps, from: Package, paging: Paging): Promise<Page<PackageFile>> =>
  store.listFiles(deps.db, from, paging);

/**
 * A file, opened for reading: whoever gets it closes it.
 * @returns null when there is no such file.
 * @throws an Error when its row is there and its content is not.
 */
export async function openFile(
  deps: Deps,
  project: AuthorizedProject,
  address: FileAddress,
): Promise<Readonly<{ file: PackageFile; content: FileHandle }> | null> {
  let missed = "";
  for (;;) {
    const found = await store.findByAddress(deps.db, project, address);
    if (found === null) return null;
    const { from, file } = found;
    const content = await openStored(deps.config, project.id, file);
    if (content !== null) {
      noteDownload(deps, from);
      return { file, content };
    }
    // It was replaced between the two looks; twice the same is a file that somebody has taken away.
    if (missed === file.key) throw new Error(`The content of the package file ${file.id} is not there.`);
    missed = file.key;
  }
}

/** When a package was last downloaded is not worth failing for. */
function noteDownload(deps: Deps, from: Package): void {
  const now = deps.clock();
  if (!isNoteworthy(from.lastDownloadedAt, now)) return;
  store.noteDownload(deps.db, from, now).catch((cause: unknown) => {
    deps.log.warn({ event: "package.download_lost" }, cause);
  });
}

/** Removes a package with its files. False: it was gone. */
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
  await removeStored(deps, project.id, removed);
  return true;
}

/** Removes one file; its package stays. False: there is no such file. */
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
  await removeStored(deps, project.id, [removed]);
  return true;
}

const FILES_AT_ONCE = 200;

/**
 * Removes what no row speaks of: uploads that broke off with their server, and files whose row went without them.
 * @param pace.signal ends it early.
 * @returns how many files.
 */
export async function sweepFiles(deps: Deps, pace: Readonly<{ signal?: AbortSignal }> = {}): Promise<number> {
  const before = new Date(deps.clock().getTime() - LEFT_BEHIND_MS);
  let removed = 0;
  const removeAll = async (paths: readonly string[]) => {
    for (const path of paths) if (await removeOld(path, before)) removed += 1;
  };
  for await (const names of namesIn(arrivingPath(deps.config), FILES_AT_ONCE))
    await removeAll(names.map((name) => arrivingPath(deps.config, name)));
  const folder = packagesFolder(deps.config);
  for await (const projects of namesIn(folder, FILES_AT_ONCE))
    for (const project of projects.filter((name) => /^\d+$/.test(name)))
      for await (const names of namesIn(join(folder, project), FILES_AT_ONCE)) {
        if (pace.signal?.aborted) return removed;
        const keys = names.flatMap((name) => storedIn(name)?.key ?? []);
        const known = await store.knownKeys(deps.db, keys, FILES_AT_ONCE);
        const strays = names.filter((name) => !known.has(storedIn(name)?.key ?? ""));
        await removeAll(strays.map((name) => join(folder, project, name)));
      }
  return removed;
}
