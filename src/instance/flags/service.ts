import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import * as audit from "../audit/service";
import { FLAGS, type Flag } from "./catalog";
import * as store from "./store";
import { readAll } from "./store.sql";

/** The state of a feature flag. `changed` is true if a stored value replaces the default. */
export type FlagState = Readonly<{ name: Flag; enabled: boolean; changed: boolean }>;

/**
 * Returns the current state of every feature flag, in one query. When any process changes a flag, the change
 * takes effect with the next request.
 */
export async function readFlags(deps: Deps): Promise<readonly FlagState[]> {
  const stored = await readAll(deps.prepared);
  return (Object.keys(FLAGS) as Flag[]).map((name) => {
    const row = stored.find((flag) => flag.name === name);
    return { name, enabled: row?.enabled ?? FLAGS[name].default, changed: row !== undefined };
  });
}

/**
 * Returns every feature flag for the administration pages. `changedAt` is null while the flag has its
 * default.
 */
export async function listFlags(
  deps: Deps,
): Promise<readonly (FlagState & Readonly<{ changedAt: Date | null }>)[]> {
  const [states, changes] = await Promise.all([readFlags(deps), store.changes(deps.db)]);
  return states.map((state) => ({ ...state, changedAt: changes.get(state.name) ?? null }));
}

export async function isOn(deps: Deps, flag: Flag): Promise<boolean> {
  const stored = await readAll(deps.prepared);
  return stored.find(({ name }) => name === flag)?.enabled ?? FLAGS[flag].default;
}

/**
 * Sets a feature flag. The new value takes effect in every process with the next request.
 * @param by the administrator, for the audit log; null for the command line.
 */
export const setFlag = (deps: Deps, flag: Flag, enabled: boolean, by: User | null = null): Promise<void> =>
  deps.transaction(async (within) => {
    await store.put(within.db, flag, enabled, within.clock());
    await recordChange(within, flag, enabled, by);
  });

/** Resets a feature flag to its default. */
export const resetFlag = (deps: Deps, flag: Flag, by: User | null = null): Promise<void> =>
  deps.transaction(async (within) => {
    await store.remove(within.db, flag);
    await recordChange(within, flag, null, by);
  });

const recordChange = (deps: Deps, name: Flag, enabled: boolean | null, by: User | null): Promise<void> =>
  audit.record(deps, "flag.changed", { name, enabled }, { userId: by?.id ?? null, actorId: by?.id ?? null });
