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

/** The rows that were read last, and what they say: they seldom change, and reading them takes longer than the look-up. */
const lastRead = processWide<{ rows: readonly Stored[]; settings: Settings }>("settings", () => ({
  rows: [],
  settings: settingsFrom([]),
}));

/** The settings as they are now: what any process has changed holds from the next request on. One look-up. */
export async function readSettings(deps: Deps): Promise<Settings> {
  const rows = await readAll(deps.prepared);
  const last = lastRead();
  if (!areEqual(rows, last.rows)) Object.assign(last, { rows, settings: settingsFrom(rows) });
  return last.settings;
}

const areEqual = (rows: readonly Stored[], others: readonly Stored[]): boolean =>
  rows.length === others.length &&
  rows.every(({ key, value }, index) => key === others[index]?.key && value === others[index]?.value);

/** What is wrong with one value, as a sentence that names the setting. */
export type SettingProblem = Readonly<{ key: SettingKey; text: string }>;

/**
 * Changes settings together.
 * @param changes values as text, which the catalogue parses.
 * @param by the administrator, for the audit; null for an operator at the command line.
 * @returns what is wrong with each value that is not acceptable; then nothing is changed.
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
  await deps.transaction(async (within) => {
    for (const [key, value] of values) await store.put(within.db, key, JSON.stringify(value), within.clock());
    await recordChange(within, Object.fromEntries(values), by);
  });
  return [];
}

/** Puts a setting back to its default in the catalogue. */
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

/** One thing that is counted against a limit, with the limit that holds now. */
export const limitOf = (settings: Settings, limit: LimitName, of: string): Subject => ({
  limit,
  of,
  most: settings[`limit_${limit}`],
});
