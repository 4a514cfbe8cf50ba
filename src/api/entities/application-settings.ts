import { z } from "zod";
import { SETTINGS, type SettingKey, type Settings } from "@/features/settings/catalog";
import { defineEntity } from "../entity";

type Fields = { [Key in SettingKey]: z.ZodType<Settings[Key]> };

const fields = Object.fromEntries(
  Object.entries(SETTINGS).map(([key, row]) => [
    key,
    typeof row.default === "boolean" ? z.boolean() : z.int(),
  ]),
) as unknown as Fields;

/** Every setting of the instance. */
export const applicationSettings = defineEntity(
  "application_settings",
  fields,
  (settings: Settings) => settings,
);
