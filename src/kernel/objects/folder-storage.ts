import { constants } from "node:fs";
import { copyFile, type FileHandle, link, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { createFolderDurably, sync } from "../disk/durable-file.ts";
import type { FileStorage, LinkOptions } from "./file-storage.ts";

const NAMES_AT_ONCE = 1_000;

/**
 * The error codes of a file system that cannot link two paths: the paths are on different disks, or the file
 * system does not support links.
 */
const NO_LINKS: ReadonlySet<string> = new Set(["EXDEV", "EPERM", "ENOTSUP", "EMLINK"]);

/** Opens the storage in a folder. The name of a file in the storage is the path of the file in the folder. */
export function openFolder(root: string): FileStorage {
  const pathOf = (name: string): string => join(root, name);
  return {
    kind: "folder",
    place: root,
    put: async (name, { path }, options) => {
      const target = pathOf(name);
      createFolderDurably(dirname(target));
      if (!(options.mayLink && (await linked(path, target)))) {
        const unfinished = `${target}.unfinished`;
        await copyFile(path, unfinished, constants.COPYFILE_FICLONE);
        await sync(unfinished);
        await rename(unfinished, target);
      }
      await sync(dirname(target));
    },
    open: (name, range) =>
      unlessMissing(async () => {
        const file = await open(pathOf(name), "r");
        return streamOf(file, range === null ? {} : { start: range.begin, end: range.end });
      }),
    sizeOf: (name) => unlessMissing(async () => (await stat(pathOf(name))).size),
    copyTo: async (name, path, options) =>
      (await unlessMissing(() => copy(pathOf(name), path, options))) !== null,
    list: (folder) => namesIn(root, folder),
    remove: (name) => rm(pathOf(name), { force: true }),
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
    removeIfOlder: async (name, before) => {
      const stats = await stat(pathOf(name)).catch(() => null);
      if (stats === null || !stats.isFile() || stats.mtime >= before) return false;
      await rm(pathOf(name), { force: true });
      return true;
    },
    check: async () => {
      await stat(root);
    },
  };
}

const streamOf = (file: FileHandle, range: Readonly<{ start?: number; end?: number }>) =>
  Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>;

async function copy(from: string, to: string, { mayLink }: LinkOptions): Promise<true> {
  if (!(mayLink && (await linked(from, to)))) await copyFile(from, to, constants.COPYFILE_FICLONE);
  return true;
}

/** Creates a hard link. @returns false if the file system cannot link the two paths. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return true;
    if (NO_LINKS.has(codeOf(cause))) return false;
    throw cause;
  }
}

/**
 * Yields the names of the files in a folder, one folder after the other. A missing folder has no files,
 * because a project may be deleted at any time.
 */
async function* namesIn(root: string, folder: string): AsyncGenerator<readonly string[]> {
  const entries = await unlessMissing(() => opendir(join(root, folder)));
  if (entries === null) return;
  const folders: string[] = [];
  let names: string[] = [];
  for await (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) folders.push(name);
    else names.push(name);
    if (names.length < NAMES_AT_ONCE) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
  for (const child of folders) yield* namesIn(root, child);
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "";

async function unlessMissing<Result>(run: () => Promise<Result>): Promise<Result | null> {
  try {
    return await run();
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null;
    throw cause;
  }
}
