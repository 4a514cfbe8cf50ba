import type { Config } from "../config/config.ts";
import { processWide } from "../process/process-wide.ts";
import { openFolder } from "./folder-storage.ts";
import { openS3Storage } from "./s3-storage.ts";

/** A local file with its size and digest. */
export type LocalFile = Readonly<{ path: string; sizeBytes: number; sha256: string }>;

/** A range of bytes of a file, which includes the first and the last byte. */
export type FileRange = Readonly<{ begin: number; end: number }>;

/**
 * Whether a local file may be a hard link instead of a copy. Only files that never change may be hard links.
 */
export type LinkOptions = Readonly<{ mayLink: boolean }>;

/**
 * The number of attempts of each request to a bucket, and the time limit of each attempt. The folder storage
 * ignores the number of attempts and the time limit.
 */
export type RequestLimits = Readonly<{ attempts: number; silenceMs: number }>;

/**
 * A storage of immutable files with names of letters, digits, `-`, `_`, `.` and `/`. Two implementations
 * exist: a folder and a bucket. All functions read and write streams, so that no file is loaded into memory
 * as a whole.
 */
export type FileStorage = Readonly<{
  kind: "folder" | "s3";
  /** The location of the files, for messages to the operator. */
  place: string;
  /**
   * Stores a file under a new name. The file is stored completely or not at all, and survives a power failure when the
   * promise has resolved.
   */
  put: (name: string, file: LocalFile, options: LinkOptions) => Promise<void>;
  /**
   * Returns the content of a file or a part of the content; null when the file does not exist. The caller
   * must read or cancel the stream.
   * @param range null for the whole file.
   */
  open: (name: string, range: FileRange | null) => Promise<ReadableStream<Uint8Array> | null>;
  /** Returns the size of a file; null when the file does not exist. */
  sizeOf: (name: string) => Promise<number | null>;
  /** Copies a file to a new local path. @returns false when the file does not exist. */
  copyTo: (name: string, path: string, options: LinkOptions) => Promise<boolean>;
  /** Yields the names of the files in a folder and in its subfolders, in batches of at most a thousand. */
  list: (folder: string) => AsyncGenerator<readonly string[]>;
  /** Deletes a file from the storage, if the file exists. */
  remove: (name: string, limits?: RequestLimits) => Promise<void>;
  /** Deletes the files in a folder and in its subfolders. */
  removeFolder: (folder: string, limits?: RequestLimits) => Promise<void>;
  /** Deletes a file if it was stored before the given time. @returns whether the file was deleted. */
  removeIfOlder: (name: string, before: Date) => Promise<boolean>;
  /**
   * Checks that the storage responds and accepts the configured key.
   * @param timeoutMs the time limit of the check, which is not repeated.
   */
  check: (timeoutMs: number) => Promise<void>;
}>;

const open = processWide("file-storages", () => new WeakMap<Config["files"], FileStorage>());

/** Returns the file storage that the configuration selects. The function opens no connection. */
export function fileStorageOf(config: Pick<Config, "dataDir" | "files">): FileStorage {
  if (config.files.kind === "folder") return openFolder(config.dataDir);
  const existing = open().get(config.files);
  if (existing !== undefined) return existing;
  const storage = openS3Storage(config.files);
  open().set(config.files, storage);
  return storage;
}
