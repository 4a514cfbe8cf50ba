import { isSettingKey, SETTINGS, type SettingKey, type SettingRow, type Settings } from "./catalog";

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, row]) => [key, row.default]),
) as Settings;

/** Returns the effective settings: the defaults of the catalog with the valid stored values. */
export function settingsFrom(stored: readonly Readonly<{ key: string; value: string }>[]): Settings {
  const changed = stored.flatMap(({ key, value }) => {
    const parsed = isSettingKey(key) ? parseSetting(key, storedText(value)) : null;
    return parsed !== null && "value" in parsed ? [[key, parsed.value]] : [];
  });
  return changed.length === 0 ? DEFAULTS : { ...DEFAULTS, ...Object.fromEntries(changed) };
}

/**
 * Returns the stored value of a setting as text. The value of a setting is stored as JSON. A value that is
 * not JSON is returned unchanged.
 */
function storedText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/**
 * Parses the text of a setting that a user or a program has entered. Returns the value, or a sentence that
 * describes the accepted values.
 */
export const parseSetting = (key: SettingKey, text: string): ParsedValue =>
  parseValue(key, SETTINGS[key], text);

export type ParsedValue = { readonly value: boolean | number | string } | { readonly problem: string };

/**
 * Parses a value by the entry of its setting in the catalog: `true` or `false`, a whole number, a choice,
 * or a text.
 */
export function parseValue(key: string, row: SettingRow, text: string): ParsedValue {
  if ("choices" in row)
    return Object.hasOwn(row.choices, text)
      ? { value: text }
      : { problem: `${key} must be one of ${Object.keys(row.choices).join(", ")}.` };
  if ("pattern" in row)
    return new RegExp(`^(?:${row.pattern})$`, "u").test(text)
      ? { value: text }
      : { problem: `${key} must be ${row.format}.` };
  if ("least" in row) {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return value >= row.least && value <= row.most
      ? { value }
      : { problem: `${key} must be a whole number from ${row.least} to ${row.most}.` };
  }
  if (text === "true" || text === "1") return { value: true };
  if (text === "false" || text === "0") return { value: false };
  return { problem: `${key} must be true or false.` };
}
