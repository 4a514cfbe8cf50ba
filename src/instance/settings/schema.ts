import { z } from "zod";
import { SETTINGS, type SettingKey, type SettingRow } from "./catalog";
import { parseDuration } from "./duration";

/** The maximum length of the text of a setting. */
const TEXT_CHARACTERS_MAX = 256;

/** The schema of a flag in JSON or in a form. */
const flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(["true", "false", "0", "1"])])
  .transform(String)
  .meta({ type: "boolean" });

/** The schema of an integer. The catalog of settings checks the range of the integer. */
const whole = z
  .union([z.int().min(0), z.string().regex(/^\d{1,12}$/)])
  .transform(String)
  .meta({ type: "integer" });

type Field = z.ZodOptional<z.ZodType<string>>;

const fieldOf = (row: SettingRow): Field => z.optional(valueSchema(row).describe(row.about));

function valueSchema(row: SettingRow): z.ZodType<string> {
  if ("choices" in row) return z.enum(Object.keys(row.choices));
  // The input schema does not check the pattern of a setting. The catalog of settings checks the pattern,
  // because the error of the catalog describes the accepted format.
  if ("pattern" in row) return z.string().max(TEXT_CHARACTERS_MAX);
  return "least" in row ? whole : flag;
}

const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The input schema of the settings API. A request may contain any settings, each as text. */
export const settingsInput = z.object(
  Object.fromEntries(KEYS.map((key) => [key, fieldOf(SETTINGS[key])])) as Record<SettingKey, Field>,
);

/** Returns the settings that a request contains. */
export const sentSettings = (
  input: z.infer<typeof settingsInput>,
): Readonly<Partial<Record<SettingKey, string>>> =>
  Object.fromEntries(Object.entries(input).filter(([, text]) => text !== undefined));

type Texts = Readonly<Partial<Record<SettingKey, string>>>;

/**
 * Parses the form of a group of settings. For each setting, the form also contains the value that the page
 * showed (`was:KEY`). The server therefore writes only settings that this user changed, and keeps concurrent
 * changes to other settings.
 * @returns the entered values, and the entered values that differ from the shown values. Durations such as "2
 * hours" are converted to the unit of their setting.
 */
export function readGroupForm(form: FormData): Readonly<{ typed: Texts; changed: Texts }> {
  const text = (name: string): string => String(form.get(name) ?? "").slice(0, TEXT_CHARACTERS_MAX);
  const shown = KEYS.filter((key) => form.has(`was:${key}`));
  // Browsers do not submit unchecked checkboxes.
  const typed = shown.map((key) => {
    const isFlag = typeof SETTINGS[key].default === "boolean";
    return [key, isFlag ? String(form.has(key)) : text(key).trim()] as const;
  });
  const values = typed.map(([key, value]) => [key, storedText(key, value)] as const);
  return {
    typed: Object.fromEntries(typed),
    changed: Object.fromEntries(values.filter(([key, value]) => value !== text(`was:${key}`))),
  };
}

/** Returns a duration as a number in the unit of its setting. Any other text is returned unchanged. */
function storedText(key: SettingKey, typed: string): string {
  const row: SettingRow = SETTINGS[key];
  const value = "unit" in row && row.unit !== undefined ? parseDuration(typed, row.unit) : null;
  return value === null ? typed : String(value);
}
