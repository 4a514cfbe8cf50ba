import { systemDeps } from "@/platform/deps";
import { requireAdmin } from "../sign-in/loaders";
import { SETTINGS, type SettingKey } from "./catalog";
import { SETTING_GROUPS, type SettingGroup } from "./groups";
import { readSettings } from "./service";

export const SETTINGS_PAGE = "/admin/settings";

/** A setting as its form shows it. */
export type ShownSetting = Readonly<{ key: SettingKey; about: string }> &
  (
    | Readonly<{ value: boolean; default: boolean }>
    | Readonly<{ value: number; default: number; least: number; most: number; unit?: "seconds" | "hours" }>
  );

export type ShownGroup = Omit<SettingGroup, "keys"> & Readonly<{ settings: readonly ShownSetting[] }>;

/** Every setting as it is now, by group, for an administrator. */
export async function loadSettings(): Promise<readonly ShownGroup[]> {
  await requireAdmin(SETTINGS_PAGE);
  const values = await readSettings(systemDeps());
  return SETTING_GROUPS.map(({ keys, ...group }) => ({
    ...group,
    // The value of a key has the type of its default, which the compiler cannot follow through the table.
    settings: keys.map((key) => ({ key, ...SETTINGS[key], value: values[key] }) as ShownSetting),
  }));
}
