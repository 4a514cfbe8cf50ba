"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { isSettingKey, SETTINGS, type SettingKey } from "@/instance/settings/catalog";
import { readGroupForm } from "@/instance/settings/schema";
import { changeSettings, resetSetting } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { settingsPath } from "./loaders";
import { problemOf } from "./rules";

/**
 * The next state of the form of a settings group. The state contains the entered values with their field
 * errors. If one field has an error, no value is saved.
 */
export type GroupState = Readonly<{
  typed: Readonly<Partial<Record<SettingKey, string>>>;
  problems: Readonly<Partial<Record<SettingKey, string>>>;
  /** Whether every value in the request is already stored. */
  unchanged: boolean;
}>;

/**
 * Returns the URL of the page that shows the form again, with the settings that match the search of the user.
 */
const pageOf = (form: FormData): string => {
  const search = form.get("search");
  return settingsPath(typeof search === "string" ? search : "");
};

/**
 * Changes the settings that the administrator has edited in the form of a settings group. Either all changes
 * are saved, or none.
 */
export const saveGroup = adminFormAction<GroupState>(pageOf, async ({ user }, form) => {
  const { typed, changed } = readGroupForm(form);
  if (Object.keys(changed).length === 0) return { typed, problems: {}, unchanged: true };
  const problems = await changeSettings(systemDeps(), changed, user);
  if (problems.length > 0)
    return {
      typed,
      problems: Object.fromEntries(problems.map(({ key, text }) => [key, problemOf(SETTINGS[key], text)])),
      unchanged: false,
    };
  await setFlash("Saved. The change takes effect with the next request.");
  redirect(pageOf(form));
});

export const resetToDefault = adminAction(pageOf, async ({ user }, form) => {
  const key = String(form.get("key"));
  if (isSettingKey(key)) {
    await resetSetting(systemDeps(), key, user);
    await setFlash(`${key} is reset to its default.`);
  }
  redirect(pageOf(form));
});
