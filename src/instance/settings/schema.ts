import { z } from "zod";
import { SETTINGS, type SettingKey, type SettingRow } from "./catalog";

/** The longest text that is read for any setting. */
const TEXT_CHARACTERS_MAX = 256;

/** A flag as programs send it, in JSON or in a form. */
const flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(["true", "false", "0", "1"])])
  .transform(String)
  .meta({ type: "boolean" });

/** A whole number; its limits are the catalogue's to judge. */
const whole = z
  .union([z.int().min(0), z.string().regex(/^\d{1,12}$/)])
  .transform(String)
  .meta({ type: "integer" });

type Field = z.ZodOptional<z.ZodType<string>>;

const fieldOf = (row: SettingRow): Field => z.optional(valueSchema(row).describe(row.about));

function valueSchema(row: SettingRow): z.ZodType<string> {
  if ("choices" in row) return z.enum(Object.keys(row.choices));
  // The pattern is the catalogue's to judge: its answer says in words what is accepted.
  if ("pattern" in row) return z.string().max(TEXT_CHARACTERS_MAX);
  return "least" in row ? whole : flag;
}

const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Any of the settings, as text. */
export const settingsInput = z.object(
  Object.fromEntries(KEYS.map((key) => [key, fieldOf(SETTINGS[key])])) as Record<SettingKey, Field>,
);

/** The settings that were sent. */
export const sentSettings = (
  input: z.infer<typeof settingsInput>,
): Readonly<Partial<Record<SettingKey, string>>> =>
  Object.fromEntries(Object.entries(input).filter(([, text]) => text !== undefined));

type Texts = Readonly<Partial<Record<SettingKey, string>>>;

/**
 * Reads the form of a group. It says of each setting what it showed (`was:KEY`), so that only what this person has
 * changed is written, and not what somebody else has changed meanwhile.
 * @returns what was typed, and what of it differs from what was shown.
 */
export function readGroupForm(form: FormData): Readonly<{ typed: Texts; changed: Texts }> {
  const text = (name: string): string => String(form.get(name) ?? "").slice(0, TEXT_CHARACTERS_MAX);
  const shown = KEYS.filter((key) => form.has(`was:${key}`));
  // A box without a tick is not sent at all.
  const typed = shown.map((key) => {
    const isFlag = typeof SETTINGS[key].default === "boolean";
    return [key, isFlag ? String(form.has(key)) : text(key).trim()] as const;
  });
  return {
    typed: Object.fromEntries(typed),
    changed: Object.fromEntries(typed.filter(([key, value]) => value !== text(`was:${key}`))),
  };
}
