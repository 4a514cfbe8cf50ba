import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import { SETTINGS, type SettingKey, type SettingRow } from "@/instance/settings/catalog";
import { readGroupForm } from "@/instance/settings/schema";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { SETTING_GROUPS, type SettingGroup } from "./groups";

export const SETTINGS_PAGE = "/admin/settings";

/** The data of a setting for its form. */
export type ShownSetting = SettingRow & Readonly<{ key: SettingKey; value: boolean | number | string }>;

export type ShownGroup = Omit<SettingGroup, "keys"> & Readonly<{ settings: readonly ShownSetting[] }>;

/** Loads all settings with their current values, by group, for an administrator. */
export async function loadSettings(): Promise<readonly ShownGroup[]> {
  await requireAdmin(SETTINGS_PAGE);
  const values = await readSettings(systemDeps());
  return SETTING_GROUPS.map(({ keys, ...group }) => ({
    ...group,
    settings: keys.map((key) => ({ key, ...SETTINGS[key], value: values[key] })),
  }));
}

/** Loads the values that were entered before a re-authentication and are not saved yet, by setting. */
export async function loadTypedSettings(): Promise<Readonly<Partial<Record<SettingKey, string>>>> {
  await requireAdmin(SETTINGS_PAGE);
  const held = await heldFormOf(SETTINGS_PAGE);
  return held === null ? {} : readGroupForm(held).changed;
}
