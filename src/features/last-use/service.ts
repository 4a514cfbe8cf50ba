import { type Deps, systemDeps } from "@/platform/deps";
import type { Caller } from "@/platform/http/caller";
import { isNews } from "./rules";
import * as store from "./store";

/** Between a use and the batch that writes it. */
const WRITTEN_AFTER_MS = 10_000;

/** Of each kind. What does not fit is told of by its next use, after the batch. */
const NOTES_MAX = 10_000;

type Notes = Readonly<Record<store.Kind, Map<number, Caller>>>;

const noNotes = (): Notes => ({
  family: new Map(),
  application: new Map(),
  personalToken: new Map(),
  clientSecret: new Map(),
  session: new Map(),
});

/** One per process, however many bundles load this module. */
const PLACE = Symbol.for("gatehouse.last_uses");
type Waiting = { notes: Notes; timer: NodeJS.Timeout | null; writing: Promise<void> };
const place = globalThis as { [PLACE]?: Waiting };

function waitingUses(): Waiting {
  place[PLACE] ??= { notes: noNotes(), timer: null, writing: Promise.resolve() };
  return place[PLACE];
}

/**
 * Notes that a grant was used. It costs a look into a map; a batch writes it down soon, and nobody waits for that.
 * @param grant with its last use as it is written down.
 * @param caller is asked only when there is something to note.
 */
export function noteGrantUse(
  deps: Deps,
  grant: Readonly<{ familyId: number; applicationId: number | null; lastUsedAt: Date | null }>,
  caller: () => Caller,
): void {
  if (!isNews(grant.lastUsedAt, deps.clock()) || isNoted("family", grant.familyId)) return;
  note("family", grant.familyId, caller());
  if (grant.applicationId !== null) note("application", grant.applicationId, NOBODY);
}

/** Notes that something was used whose user is nobody in particular. */
export function noteUse(
  deps: Deps,
  kind: Exclude<store.Kind, "family">,
  thing: Readonly<{ id: number; lastUsedAt: Date | null }>,
): void {
  if (isNews(thing.lastUsedAt, deps.clock()) && !isNoted(kind, thing.id)) note(kind, thing.id, NOBODY);
}

const NOBODY: Caller = { address: "", userAgent: "" };

const isNoted = (kind: store.Kind, id: number): boolean => waitingUses().notes[kind].has(id);

function note(kind: store.Kind, id: number, caller: Caller): void {
  const waiting = waitingUses();
  if (waiting.notes[kind].size >= NOTES_MAX) return;
  waiting.notes[kind].set(id, caller);
  // What notes may stand in a transaction, whose database is closed by then.
  waiting.timer ??= setTimeout(() => writeLastUses(systemDeps()), WRITTEN_AFTER_MS).unref();
}

/**
 * Writes down all that has been noted: by a timer, before a page shows it, and when the process stops.
 * @returns once this and what was being written before is done. What fails is logged and left to the next use.
 */
export function writeLastUses(deps: Deps): Promise<void> {
  const waiting = waitingUses();
  const { notes } = waiting;
  if (waiting.timer !== null) clearTimeout(waiting.timer);
  waiting.timer = null;
  waiting.notes = noNotes();
  waiting.writing = waiting.writing.then(() => write(deps, notes));
  return waiting.writing;
}

async function write(deps: Deps, notes: Notes): Promise<void> {
  try {
    for (const kind of store.KINDS) {
      const uses = [...notes[kind]].map(([id, caller]) => ({ id, ...caller }));
      await store.recordUses(deps, kind, uses, deps.clock());
    }
  } catch (cause) {
    deps.log.warn({ event: "last_use.not_recorded", cause: String(cause) });
  }
}
