import { z } from "zod";
import { SETTINGS, type SettingKey, type SettingRow } from "./catalog";

/** The longest text of a setting. */
const TEXT_CHARACTERS_MAX = 256;

/** A flag in JSON or in a form. */
const flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(["true", "false", "0", "1"])])
  .transform(String)
  .meta({ type: "boolean" });

/** An integer. The catalogue checks its range. */
const whole = z
  .union([z.int().min(0), z.string().regex(/^\d{1,12}$/)])
  .transform(String)
  .meta({ type: "integer" });

type Field = z.ZodOptional<z.ZodType<string>>;

const fieldOf = (row: SettingRow): Field => z.optional(valueSchema(row).describe(row.about));

function valueSchema(row: SettingRow): z.ZodType<string> {
  if ("choices" in row) return z.enum(Object.keys(row.choices));
  // The catalogue checks the pattern, because its error describes the accepted format.
  if ("pattern" in row) return z.string().max(TEXT_CHARACTERS_MAX);
  return "least" in row ? whole : flag;
}

const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The input of the settings API: any settings, as text. */
export const settingsInput = z.object(
  Object.fromEntries(KEYS.map((key) => [key, fieldOf(SETTINGS[key])])) as Record<SettingKey, Field>,
);

/** Returns the settings in a request. */
export const sentSettings = (
  input: z.infer<typeof settingsInput>,
): Readonly<Partial<Record<SettingKey, string>>> =>
  Object.fromEntries(Object.entries(input).filter(([, text]) => text !== undefined));

type Texts = Readonly<Partial<Record<SettingKey, string>>>;

/**
 * Reads the form of a group of settings. The form contains the value that it showed for each setting
 * (`was:KEY`), so that only settings that this user changed are written, and concurrent changes are kept.
 * @returns the typed values, and those that differ from the shown values.
 */
export function readGroupForm(form: FormData): Readonly<{ typed: Texts; changed: Texts }> {
  const text = (name: string): string => String(form.get(name) ?? "").slice(0, TEXT_CHARACTERS_MAX);
  const shown = KEYS.filter((key) => form.has(`was:${key}`));
  // Browsers do not send unchecked boxes.
  const typed = shown.map((key) => {
    const isFlag = typeof SETTINGS[key].default === "boolean";
    return [key, isFlag ? String(form.has(key)) : text(key).trim()] as const;
  });
  return {
    typed: Object.fromEntries(typed),
    changed: Object.fromEntries(typed.filter(([key, value]) => value !== text(`was:${key}`))),
  };
}
