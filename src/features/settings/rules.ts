import { isSettingKey, SETTINGS, type SettingKey, type Settings } from "./catalog";

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, row]) => [key, row.default]),
) as Settings;

/** The settings that hold: the catalogue's defaults, and what is stored beside them, read again through the catalogue. */
export function settingsFrom(stored: readonly Readonly<{ key: string; value: string }>[]): Settings {
  const changed = stored.flatMap(({ key, value }) => {
    const parsed = isSettingKey(key) ? parseSetting(key, value) : null;
    return parsed !== null && "value" in parsed ? [[key, parsed.value]] : [];
  });
  return changed.length === 0 ? DEFAULTS : { ...DEFAULTS, ...Object.fromEntries(changed) };
}

/**
 * Reads a value as a person or a program writes it: `true`, `false`, or a whole number.
 * @returns the value, or a sentence that says what it should be.
 */
export function parseSetting(
  key: SettingKey,
  text: string,
): { value: boolean | number } | { problem: string } {
  const row = SETTINGS[key];
  if (typeof row.default === "boolean") {
    if (text === "true" || text === "1") return { value: true };
    if (text === "false" || text === "0") return { value: false };
    return { problem: `${key} is true or false.` };
  }
  const { least, most } = row as { least: number; most: number };
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most
    ? { value }
    : { problem: `${key} is a whole number from ${least} to ${most}.` };
}
