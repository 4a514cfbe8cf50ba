import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import { SETTINGS, type SettingKey, type SettingRow } from "@/instance/settings/catalog";
import { readGroupForm } from "@/instance/settings/schema";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import { SETTING_GROUPS, type SettingGroup } from "./groups";
import { searchSettings } from "./rules";

export const SETTINGS_PAGE = "/admin/settings";

/** The data that the form shows for a setting. */
export type ShownSetting = SettingRow & Readonly<{ key: SettingKey; value: boolean | number | string }>;

export type ShownGroup = Omit<SettingGroup, "keys"> & Readonly<{ settings: readonly ShownSetting[] }>;

const SEARCH_CHARACTERS_MAX = 100;

/** Returns the URL path of the settings page for a search. */
export const settingsPath = (search: string): string =>
  urlWithQuery(SETTINGS_PAGE, { search: search.slice(0, SEARCH_CHARACTERS_MAX) });

/**
 * Loads the settings that match the search, with their current values, for an administrator. The settings are
 * ordered by group.
 */
export async function loadSettings(
  query: Query,
): Promise<Readonly<{ search: string; groups: readonly ShownGroup[] }>> {
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  await requireAdmin(settingsPath(search));
  const values = await readSettings(systemDeps());
  const groups = SETTING_GROUPS.map(({ keys, ...group }) => ({
    ...group,
    settings: keys.map((key) => ({ key, ...SETTINGS[key], value: values[key] })),
  }));
  return { search, groups: searchSettings(groups, search) };
}

/**
 * Loads the values that the administrator entered before a re-authentication. The values are not saved yet.
 * The result is a map from settings to values.
 */
export async function loadTypedSettings(
  search: string,
): Promise<Readonly<Partial<Record<SettingKey, string>>>> {
  await requireAdmin(settingsPath(search));
  const held = await heldFormOf(settingsPath(search));
  return held === null ? {} : readGroupForm(held).changed;
}
