import { type Deps, systemDeps } from "../deps/deps";
import { processWide } from "../process/process-wide";

/** The time between an entry and the batch that writes it. */
const WRITTEN_AFTER_MS = 10_000;

type Waiting<Entries> = { entries: Entries; timer: NodeJS.Timeout | null; writing: Promise<void> };

const all = processWide("notes", () => new Map<string, Waiting<unknown>>());

/**
 * A write-behind buffer: requests add entries in memory, so that none of them waits for the database, and a
 * batch writes them later.
 */
export type WriteBehindBuffer<Entries> = Readonly<{
  /** Returns the entries that wait to be written: adding an entry costs only a lookup. */
  waiting: () => Entries;
  /** Schedules the batch, after an entry was added. */
  noted: () => void;
  /**
   * Writes all waiting entries: by a timer, before a page shows them, and when the process stops.
   * @returns when this batch and the one before it are done. A failed batch is logged and lost.
   */
  write: (deps: Deps) => Promise<void>;
}>;

/**
 * Opens a write-behind buffer. It grows as far as its callers let it.
 * @param name of the entries, also in the log event `<name>.not_recorded`.
 */
export function writeBehindBuffer<Entries>(
  name: string,
  empty: () => Entries,
  write: (deps: Deps, entries: Entries) => Promise<void>,
): WriteBehindBuffer<Entries> {
  const place = (): Waiting<Entries> => {
    const existing = all().get(name) as Waiting<Entries> | undefined;
    if (existing !== undefined) return existing;
    const created: Waiting<Entries> = { entries: empty(), timer: null, writing: Promise.resolve() };
    all().set(name, created);
    return created;
  };
  const writeAll = (deps: Deps): Promise<void> => {
    const waiting = place();
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
    waiting: () => place().entries,
    noted: () => {
      // Not with the dependencies of the caller: they may belong to a transaction, which is closed by then.
      place().timer ??= setTimeout(() => writeAll(systemDeps()), WRITTEN_AFTER_MS).unref();
    },
    write: writeAll,
  };
}

/** Discards the entries of all buffers: for tests, of which each file has its own database. */
export function discardBuffers(): void {
  for (const { timer } of all().values()) if (timer !== null) clearTimeout(timer);
  all().clear();
}
