import { type Deps, systemDeps } from "../deps/deps";
import { processWide } from "../process/process-wide";

/** Between a note and the batch that writes it. */
const WRITTEN_AFTER_MS = 10_000;

type Waiting<Entries> = { entries: Entries; timer: NodeJS.Timeout | null; writing: Promise<void> };

const all = processWide("notes", () => new Map<string, Waiting<unknown>>());

/** What requests note in memory, so that none of them waits for the database, and a batch writes down soon. */
export type WriteBehindBuffer<Entries> = Readonly<{
  /** What waits to be written: a lookup in it is all that a note costs. */
  waiting: () => Entries;
  /** Says that something was added to what waits. */
  noted: () => void;
  /**
   * Writes down all that waits: by a timer, before something shows it, and when the process stops.
   * @returns once this and what was being written before is done. What fails is logged and lost.
   */
  write: (deps: Deps) => Promise<void>;
}>;

/**
 * Opens a notebook. It grows as far as whoever notes in it lets it.
 * @param name of what is noted: of the log's event, too, `<name>.not_recorded`.
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
      // Not with the dependencies of who notes: they may stand in a transaction, whose database is closed by then.
      place().timer ??= setTimeout(() => writeAll(systemDeps()), WRITTEN_AFTER_MS).unref();
    },
    write: writeAll,
  };
}

/** Throws away what waits in all notebooks: for tests, of which each file has a database of its own. */
export function discardBuffers(): void {
  for (const { timer } of all().values()) if (timer !== null) clearTimeout(timer);
  all().clear();
}
