import { z } from "zod";
import { SETTINGS, type SettingKey } from "./catalog";

/** A flag as programs send it, in JSON or in a form. */
const flag = z.union([z.boolean(), z.literal([0, 1]), z.enum(["true", "false", "0", "1"])]).transform(String);

/** A whole number; its limits are the catalogue's to judge. */
const whole = z.union([z.int().min(0), z.string().regex(/^\d{1,12}$/)]).transform(String);

type Field = z.ZodOptional<z.ZodType<string>>;

const fieldOf = (key: SettingKey): Field =>
  z.optional<z.ZodType<string>>(typeof SETTINGS[key].default === "boolean" ? flag : whole);

const KEYS = Object.keys(SETTINGS) as SettingKey[];

/** Any of the settings, as text. */
export const settingsInput = z.object(
  Object.fromEntries(KEYS.map((key) => [key, fieldOf(key)])) as Record<SettingKey, Field>,
);

/** The settings that were sent. */
export const sentSettings = (
  input: z.infer<typeof settingsInput>,
): Readonly<Partial<Record<SettingKey, string>>> =>
  Object.fromEntries(Object.entries(input).filter(([, text]) => text !== undefined));
