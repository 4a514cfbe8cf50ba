import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { processWide } from "../process/process-wide";

/**
 * The reason why a file in `DATA_DIR` could not be written: no space is left, or the disk or the permissions
 * of the folder allow no writes.
 */
export type StorageFailure = "full" | "unwritable";

/** Raised when Git could not write to the disk, and a probe of the disk found the reason. */
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
  // The system account under which the server runs has lost the permission to write.
  EACCES: "unwritable",
  EPERM: "unwritable",
};

/** System calls that do not access `DATA_DIR`: they start programs, open ports or connections, or send signals. */
const OTHER_SYSCALLS = /^(?:spawn|kill|listen|bind|connect|uv_)/;

/** The messages that Git prints for storage failures. */
const TEXTS =
  /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error|Permission denied|Operation not permitted/;

/**
 * Returns whether the output of Git mentions a storage failure. The result is only a hint, because Git also
 * prints texts that the caller chose, such as paths. `probeStorage` determines whether the disk has really
 * failed.
 */
export const mentionsStorageFailure = (text: string): boolean => TEXTS.test(text);

/**
 * Returns the storage failure that caused an error; null if the error has another cause. Errors of a database
 * server have no property `syscall`, because the server uses another disk.
 */
export function storageFailureOf(cause: unknown): StorageFailure | null {
  if (!(cause instanceof Error)) return null;
  if (cause.name === "StorageFailed" && "reason" in cause)
    return cause.reason === "full" ? "full" : "unwritable";
  if (!("syscall" in cause && "code" in cause) || OTHER_SYSCALLS.test(String(cause.syscall))) return null;
  return CODES[String(cause.code)] ?? null;
}

/** The time for which the storage counts as failed after a failed write. */
const FAILED_MS = 5_000;

/**
 * The time for which the result of a probe remains valid, which is also the delay before the readiness probe
 * reports a failure. The result is reused because any client may call the readiness probe.
 */
const PROBED_MS = 1_000;

/**
 * The number of bytes that the probe writes. On a full disk, a few bytes may still be free, so the probe writes more.
 */
const PROBE_BYTES = 65_536;

type State = { failedAtMs: number | null; probedAtMs: number; probe: Promise<StorageFailure | null> };

/** All requests within `PROBED_MS` share one probe. */
const state = processWide<State>("storage", () => ({
  failedAtMs: null,
  probedAtMs: Number.NEGATIVE_INFINITY,
  probe: Promise.resolve(null),
}));

/** Records for the readiness probe that a write in `DATA_DIR` has just failed. */
export function recordFailedWrite(now: Date): void {
  state().failedAtMs = now.getTime();
}

/** Records that a write in `DATA_DIR` has succeeded. */
export function recordWrite(): void {
  state().failedAtMs = null;
}

/**
 * Returns whether a time is less than `duration` milliseconds before or after `now`. The function compares
 * the absolute difference between the times, because the system clock may be set back.
 */
const isWithin = (duration: number, atMs: number, now: Date): boolean =>
  Math.abs(now.getTime() - atMs) < duration;

/**
 * Returns whether the folder can be written; false for a few seconds after a failed write, unless a later
 * write succeeded.
 */
export async function storageWorks(folder: string, now: Date): Promise<boolean> {
  const { failedAtMs } = state();
  if (failedAtMs !== null && isWithin(FAILED_MS, failedAtMs, now)) return false;
  return (await recentStorageFailure(folder, now)) === null;
}

/**
 * Returns the reason why the folder cannot be written; null when the folder can be written. The result of a
 * probe is reused for a second.
 */
export async function recentStorageFailure(folder: string, now: Date): Promise<StorageFailure | null> {
  const current = state();
  if (!isWithin(PROBED_MS, current.probedAtMs, now) || current.failedAtMs !== null) {
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
 * @returns the reason for the failure; null on success.
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
