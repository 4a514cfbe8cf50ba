import type { Deps } from "@/kernel/deps/deps";
import type { Caller } from "@/kernel/http/caller";
import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import { isNews } from "./rules";
import * as store from "./store";

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

const noted = writeBehindBuffer("last_use", noNotes, async (deps, notes) => {
  for (const kind of store.KINDS) {
    const uses = [...notes[kind]].map(([id, caller]) => ({ id, ...caller }));
    await store.recordUses(deps, kind, uses, deps.clock());
  }
});

/**
 * Notes that a grant was used. It costs a look into a map; a batch writes it down soon, and nobody waits for that.
 * @param grant with its last use as it is written down.
 * @param caller is asked only when there is something to note.
 */
export function enqueueGrantUse(
  deps: Deps,
  grant: Readonly<{ familyId: number; applicationId: number | null; lastUsedAt: Date | null }>,
  caller: () => Caller,
): void {
  if (!isNews(grant.lastUsedAt, deps.clock()) || isNoted("family", grant.familyId)) return;
  note("family", grant.familyId, caller());
  if (grant.applicationId !== null) note("application", grant.applicationId, NOBODY);
}

/** Notes that something was used whose user is nobody in particular. */
export function enqueueUse(
  deps: Deps,
  kind: Exclude<store.Kind, "family">,
  thing: Readonly<{ id: number; lastUsedAt: Date | null }>,
): void {
  if (isNews(thing.lastUsedAt, deps.clock()) && !isNoted(kind, thing.id)) note(kind, thing.id, NOBODY);
}

const NOBODY: Caller = { address: "", userAgent: "" };

const isNoted = (kind: store.Kind, id: number): boolean => noted.waiting()[kind].has(id);

function note(kind: store.Kind, id: number, caller: Caller): void {
  const uses = noted.waiting()[kind];
  if (uses.size >= NOTES_MAX) return;
  uses.set(id, caller);
  noted.noted();
}

/** Writes down all uses that have been noted. What fails is left to the next use. */
export const writeLastUses = noted.write;
