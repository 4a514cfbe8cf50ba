import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { processWide } from "../process/process-wide";

/**
 * The reason why a file below `DATA_DIR` could not be written: no space is left, or the disk accepts no
 * writes.
 */
export type StorageFailure = "full" | "unwritable";

/** Raised when Git could not write; the disk was probed for the reason. */
export class StorageFailed extends Error {
  readonly reason: StorageFailure;
  constructor(reason: StorageFailure, message: string) {
    super(message);
    this.name = "StorageFailed";
    this.reason = reason;
  }
}

const CODES: Readonly<Record<string, StorageFailure>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "unwritable",
  EIO: "unwritable",
};

/** The messages that Git prints for the same errors. */
const TEXTS = /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error/;

/**
 * Returns whether the output of Git mentions such an error. It is a hint, not a proof, because Git also
 * prints paths and objects of the caller; `probeStorage` decides.
 */
export const mentionsStorageFailure = (text: string): boolean => TEXTS.test(text);

/**
 * Returns the storage failure behind an error, or null. Errors of a database server have no `syscall`: its
 * disk is another one.
 */
export function storageFailureOf(cause: unknown): StorageFailure | null {
  if (!(cause instanceof Error)) return null;
  if (cause.name === "StorageFailed" && "reason" in cause)
    return cause.reason === "full" ? "full" : "unwritable";
  return "syscall" in cause && "code" in cause ? (CODES[String(cause.code)] ?? null) : null;
}

/**
 * How long a failed write counts before the disk is probed, and how long the result is reused, because
 * anybody may call the probe.
 */
const FRESH_MS = 5_000;

/** More than the last free bytes of a full disk. */
const PROBE_BYTES = 65_536;

type State = { failedAtMs: number | null; probedAtMs: number; probe: Promise<StorageFailure | null> };

/** All requests within `FRESH_MS` share one probe. */
const state = processWide<State>("storage", () => ({
  failedAtMs: null,
  probedAtMs: Number.NEGATIVE_INFINITY,
  probe: Promise.resolve(null),
}));

/** Records for the readiness probe that a write below `DATA_DIR` has just failed. */
export function recordFailedWrite(now: Date): void {
  state().failedAtMs = now.getTime();
}

/** Records that a write below `DATA_DIR` has succeeded. */
export function recordWrite(): void {
  state().failedAtMs = null;
}

/** Uses the absolute difference, because a clock may be set back. */
const isFresh = (atMs: number, now: Date): boolean => Math.abs(now.getTime() - atMs) < FRESH_MS;

/**
 * Returns whether the folder can be written; false for a few seconds after a failed write, unless a later
 * write succeeded.
 */
export async function storageWorks(folder: string, now: Date): Promise<boolean> {
  const { failedAtMs } = state();
  if (failedAtMs !== null && isFresh(failedAtMs, now)) return false;
  return (await recentStorageFailure(folder, now)) === null;
}

/** Returns why the folder cannot be written, as probed at most a few seconds ago; null when it can. */
export async function recentStorageFailure(folder: string, now: Date): Promise<StorageFailure | null> {
  const current = state();
  if (!isFresh(current.probedAtMs, now) || current.failedAtMs !== null) {
    current.probedAtMs = now.getTime();
    current.probe = probeStorage(folder);
  }
  const failure = await current.probe;
  if (failure === null) recordWrite();
  else recordFailedWrite(now);
  return failure;
}

/**
 * Tests whether a folder can be written: writes, syncs and removes a small file.
 * @returns the reason of the failure; null on success.
 */
export async function probeStorage(folder: string): Promise<StorageFailure | null> {
  const path = join(folder, `.storage-probe.${process.pid}.${performance.now()}`);
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.write(Buffer.alloc(PROBE_BYTES));
      await file.sync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
    return null;
  } catch (cause) {
    return storageFailureOf(cause) ?? "unwritable";
  }
}
