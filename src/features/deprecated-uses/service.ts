import type { Principal, User } from "@/access/principal";
import { type Deps, systemDeps } from "@/platform/deps";
import type { Page, Paging } from "@/platform/paging";
import type { DeprecatedUse, UseCircle } from "./rules";
import * as store from "./store";

/** Between a use and the batch that writes it. */
const WRITTEN_AFTER_MS = 10_000;

/** Different ones between two batches; further ones are not counted. */
const USES_MAX = 10_000;

/** One per process, however many bundles load this module. */
const PLACE = Symbol.for("gatehouse.deprecated_uses");
type Waiting = { uses: Map<string, store.Uses>; timer: NodeJS.Timeout | null; writing: Promise<void> };
const place = globalThis as { [PLACE]?: Waiting };

function waitingUses(): Waiting {
  place[PLACE] ??= { uses: new Map(), timer: null, writing: Promise.resolve() };
  return place[PLACE];
}

/**
 * Counts that a program used what v5 has not. It costs a look into a map; a batch writes it down soon.
 * @param caller null for somebody without a token: counted for the instance alone.
 * @param names of rows in the table of what the versions differ in.
 */
export function noteDeprecatedUse(
  { clock }: Pick<Deps, "clock">,
  caller: Principal | null,
  names: readonly string[],
): void {
  const waiting = waitingUses();
  const userId = caller?.user.id ?? null;
  const applicationId = caller?.token.applicationId ?? null;
  for (const name of names) {
    const key = `${name}:${userId}:${applicationId}`;
    const before = waiting.uses.get(key);
    if (before === undefined && waiting.uses.size >= USES_MAX) continue;
    const count = (before?.count ?? 0) + 1;
    waiting.uses.set(key, { name, userId, applicationId, count, lastUsedAt: clock() });
  }
  // What notes may stand in a transaction, whose database is closed by then.
  waiting.timer ??= setTimeout(() => writeDeprecatedUses(systemDeps()), WRITTEN_AFTER_MS).unref();
}

/**
 * Writes down all that has been counted: by a timer, before a report shows it, and when the process stops.
 * @returns once this and what was being written before is done. What fails is logged and lost.
 */
export function writeDeprecatedUses(deps: Deps): Promise<void> {
  const waiting = waitingUses();
  const uses = [...waiting.uses.values()];
  if (waiting.timer !== null) clearTimeout(waiting.timer);
  waiting.timer = null;
  waiting.uses = new Map();
  waiting.writing = waiting.writing.then(async () => {
    try {
      await store.addUses(deps, uses);
    } catch (cause) {
      deps.log.warn({ event: "deprecated_use.not_recorded", cause: String(cause) });
    }
  });
  return waiting.writing;
}

/**
 * Who will have to change something before v5, the latest first.
 * @param who asks; only an administrator may ask for `all`, which the caller has checked.
 */
export async function listDeprecatedUses(
  deps: Deps,
  who: Pick<User, "id">,
  circle: UseCircle,
  paging: Paging,
): Promise<Page<DeprecatedUse>> {
  await writeDeprecatedUses(deps);
  return store.findUses(deps.db, circle, who.id, paging);
}
