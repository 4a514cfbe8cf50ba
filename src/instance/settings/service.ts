import type { User } from "@/access/principal";
import type { Subject } from "@/instance/rate-limits/counter";
import type { LimitName } from "@/instance/rate-limits/limits";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import * as audit from "../audit/service";
import type { SettingKey, Settings } from "./catalog";
import { parseSetting, settingsFrom } from "./rules";
import * as store from "./store";
import { readAll } from "./store.sql";

type Stored = Readonly<{ key: string; value: string }>;

/**
 * A cache of the rows of settings that were read last, and of the settings that were parsed from these rows.
 * The cache exists because the rows rarely change, and because parsing takes longer than the query.
 */
const lastRead = processWide<{ rows: readonly Stored[]; settings: Settings }>("settings", () => ({
  rows: [],
  settings: settingsFrom([]),
}));

/**
 * Returns the current settings, in one query. When any process changes a setting, the change takes effect
 * with the next request.
 */
export async function readSettings(deps: Deps): Promise<Settings> {
  const rows = await readAll(deps.prepared);
  const last = lastRead();
  if (!areEqual(rows, last.rows)) Object.assign(last, { rows, settings: settingsFrom(rows) });
  return last.settings;
}

const areEqual = (rows: readonly Stored[], others: readonly Stored[]): boolean =>
  rows === others ||
  (rows.length === others.length &&
    rows.every(({ key, value }, index) => key === others[index]?.key && value === others[index]?.value));

/** The problem with the value of a setting, as a sentence that names the setting. */
export type SettingProblem = Readonly<{ key: SettingKey; text: string }>;

/**
 * Changes several settings. If one value is invalid, no setting is changed.
 * @param changes the values as text.
 * @param by the administrator, for the audit log; null for the command line.
 * @returns the problems of the invalid values; empty after the change.
 */
export async function changeSettings(
  deps: Deps,
  changes: Readonly<Partial<Record<SettingKey, string>>>,
  by: User | null = null,
): Promise<readonly SettingProblem[]> {
  const entries = Object.entries(changes) as [SettingKey, string][];
  const parsed = entries.map(([key, text]) => [key, parseSetting(key, text)] as const);
  const problems = parsed.flatMap(([key, outcome]) =>
    "problem" in outcome ? [{ key, text: outcome.problem }] : [],
  );
  if (problems.length > 0) return problems;
  const values = parsed.flatMap(([key, outcome]) =>
    "value" in outcome ? [[key, outcome.value] as const] : [],
  );
  // All processes lock the rows in the order of their keys, which prevents deadlocks.
  const sorted = values.toSorted(([a], [b]) => (a < b ? -1 : 1));
  await deps.transaction(async (within) => {
    for (const [key, value] of sorted) await store.put(within.db, key, JSON.stringify(value), within.clock());
    await recordChange(within, Object.fromEntries(values), by);
  });
  return [];
}

/** Resets a setting to its default. */
export const resetSetting = (deps: Deps, key: SettingKey, by: User): Promise<void> =>
  deps.transaction(async (within) => {
    if (await store.remove(within.db, key)) await recordChange(within, { [key]: null }, by);
  });

function recordChange(
  deps: Deps,
  to: Readonly<Record<string, boolean | number | string | null>>,
  by: User | null,
): Promise<void> {
  const about = { userId: by?.id ?? null, actorId: by?.id ?? null };
  return audit.record(deps, "setting.changed", { keys: Object.keys(to), to }, about);
}

/** Returns the subject of a rate limit, with the number of failures that the settings allow. */
export const limitOf = (settings: Settings, limit: LimitName, of: string): Subject => ({
  limit,
  of,
  most: settings[`limit_${limit}`],
});
