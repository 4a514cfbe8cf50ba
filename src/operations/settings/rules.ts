import type { SettingRow } from "@/instance/settings/catalog";
import { durationText } from "@/instance/settings/duration";

/**
 * Returns the label of a setting on the settings page. The label omits the unit that the description in the
 * API names, because users enter a duration with its unit.
 */
export const labelOf = (row: SettingRow): string =>
  "unit" in row && row.unit !== undefined
    ? row.about
        .replace(/^(?:Seconds|Minutes|Hours|Days)\b/, "Time")
        .replace(/ in (?:seconds|minutes|hours|days)\b/, "")
    : row.about;

/**
 * Returns the error message for an invalid value of a setting. For a duration, the message names the limits.
 * For any other setting, the function returns the given sentence.
 */
export const problemOf = (row: SettingRow, sentence: string): string =>
  "unit" in row && row.unit !== undefined
    ? `Enter a duration from ${durationText(row.least, row.unit)} to ${durationText(row.most, row.unit)}, such as “2 hours” or “90 minutes”, in whole ${row.unit}.`
    : sentence;

type Searched = Readonly<{
  title: string;
  about: string;
  settings: readonly (SettingRow & { readonly key: string })[];
}>;

/**
 * Returns the groups with the matching settings. A setting matches if its label, its key and the title of its
 * group together contain every word of the search. An empty search returns all groups.
 */
export function searchSettings<Group extends Searched>(
  groups: readonly Group[],
  search: string,
): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const settings = group.settings.filter((row) => {
      const text = `${group.title} ${labelOf(row)} ${row.key} ${row.key.replaceAll("_", " ")}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return settings.length === 0 ? [] : [{ ...group, settings }];
  });
}
