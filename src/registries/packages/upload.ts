import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Config } from "@/kernel/config/config";
import type { Deps } from "@/kernel/deps/deps";
import { createFolderDurably } from "@/kernel/disk/durable-file";
import type { LocalFile } from "@/kernel/objects/file-storage";
import type { StoredFile } from "./stored-file";

/** A file that was received completely and is not part of a package yet. */
export type ReceivedFile = StoredFile & LocalFile;

/** The reason why an upload failed. */
export type UploadFailure = "too_large" | "too_slow" | "ended_early";

/**
 * Returns the folder of uploads in progress. Every upload is first stored on the disk. The name of a stored
 * file contains the digest of the content, which is known only at the end of the upload. In addition, a slow
 * client must not occupy a connection to the object storage.
 */
export const uploadsFolder = ({ dataDir }: Pick<Config, "dataDir">): string =>
  join(dataDir, "packages", "arriving");

/** The time after which an upload that sends no data is aborted. */
const SILENCE_MS = 60_000;

/**
 * Streams a request body to the disk, and computes the digest of the body. Only one chunk at a time is kept
 * in memory.
 * @returns the received file, or the reason for the failure. After a failed upload, the partial file is
 * deleted.
 * @throws the error of the operating system if the file cannot be written.
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
      // The cancellation of the request body is not awaited, because a cancellation that never completes
      // would delay the error response forever.
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

/**
 * Deletes a received file. If the storage contains a hard link to this file, the content stays in the
 * storage.
 */
export const discard = ({ path }: Pick<ReceivedFile, "path">): Promise<void> => rm(path, { force: true });

/**
 * Deletes the files of uploads that a crash interrupted.
 * @param before the function deletes only uploads that received their last byte before this time.
 * @returns the number of deleted files.
 */
export async function removeAbandonedUploads(config: Pick<Config, "dataDir">, before: Date): Promise<number> {
  let removed = 0;
  for await (const { name } of await opendir(uploadsFolder(config)).catch(noneIfMissing)) {
    const path = join(uploadsFolder(config), name);
    const stats = await stat(path).catch(() => null);
    if (stats === null || !stats.isFile() || stats.mtime >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

function noneIfMissing(cause: unknown): AsyncIterable<Readonly<{ name: string }>> {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return Readable.from([]);
  throw cause;
}
