import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import { SETTINGS, type SettingKey, type SettingRow, type Settings } from "@/instance/settings/catalog";

type Fields = { [Key in SettingKey]: z.ZodType<Settings[Key]> };

const fields = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, row]) => [key, typeOf(row)]),
) as unknown as Fields;

function typeOf(row: SettingRow): z.ZodType {
  if ("choices" in row) return z.enum(Object.keys(row.choices));
  if ("pattern" in row) return z.string();
  return "least" in row ? z.int() : z.boolean();
}

/** The response that contains all settings of the instance. */
export const applicationSettings = defineEntity(
  "application_settings",
  fields,
  (settings: Settings) => settings,
);
