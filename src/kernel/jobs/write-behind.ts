import { type Deps, depsAreOpen, systemDeps } from "../deps/deps";
import { processWide } from "../process/process-wide";

/** The default time between adding an entry and the batch that writes the entry. */
const WRITTEN_AFTER_MS = 10_000;

type Waiting<Entries> = { entries: Entries; timer: NodeJS.Timeout | null; writing: Promise<void> };

const all = processWide("write_behind", () => new Map<string, Waiting<unknown>>());

/**
 * A write-behind buffer: requests add entries in memory, so that no request waits for the database, and a
 * batch writes the entries later.
 */
export type WriteBehindBuffer<Entries> = Readonly<{
  /** Returns the entries in the buffer. Callers add an entry by changing the returned value. */
  waiting: () => Entries;
  /** Schedules the batch that writes the entries. Callers must call this function after adding an entry. */
  schedule: () => void;
  /**
   * Writes all waiting entries: after a timeout, before a page shows the entries, and when the process stops.
   * @returns a promise that resolves after this batch and the previous batch. The entries of a failed batch
   * are logged and lost.
   */
  write: (deps: Deps) => Promise<void>;
}>;

/**
 * Opens a write-behind buffer. The callers limit the number of entries in the buffer.
 * @param name the name of the entries, which also begins the name of the log event `<name>.not_recorded`.
 * @param afterMs the time in milliseconds between adding an entry and the batch that writes the entry.
 */
export function writeBehindBuffer<Entries>(
  name: string,
  empty: () => Entries,
  write: (deps: Deps, entries: Entries) => Promise<void>,
  afterMs = WRITTEN_AFTER_MS,
): WriteBehindBuffer<Entries> {
  const buffer = (): Waiting<Entries> => {
    const existing = all().get(name) as Waiting<Entries> | undefined;
    if (existing !== undefined) return existing;
    const created: Waiting<Entries> = { entries: empty(), timer: null, writing: Promise.resolve() };
    all().set(name, created);
    return created;
  };
  const writeAll = (deps: Deps): Promise<void> => {
    const waiting = buffer();
    const { entries } = waiting;
    if (waiting.timer !== null) clearTimeout(waiting.timer);
    waiting.timer = null;
    waiting.entries = empty();
    waiting.writing = waiting.writing
      .then(() => write(deps, entries))
      .catch((cause) => deps.log.warn({ event: `${name}.not_recorded` }, cause));
    return waiting.writing;
  };
  return {
    waiting: () => buffer().entries,
    schedule: () => {
      // The dependencies of the caller are not used, because the caller's transaction may already be closed
      // when the batch runs.
      const waiting = buffer();
      waiting.timer ??= setTimeout(() => {
        waiting.timer = null;
        // Entries wait in the buffer until the instance is open. The first entry after the instance has
        // opened schedules a batch for all waiting entries.
        if (depsAreOpen()) writeAll(systemDeps());
      }, afterMs).unref();
    },
    write: writeAll,
  };
}

/** Discards the entries of all buffers, for tests: each test file has a separate database. */
export function discardBuffers(): void {
  for (const { timer } of all().values()) if (timer !== null) clearTimeout(timer);
  all().clear();
}
