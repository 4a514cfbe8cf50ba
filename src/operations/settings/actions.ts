"use server";

import { redirect } from "next/navigation";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { isSettingKey, type SettingKey } from "@/instance/settings/catalog";
import { readGroupForm } from "@/instance/settings/schema";
import { changeSettings, resetSetting } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { SETTINGS_PAGE } from "./loaders";

/** What a group's form shows next: what was typed, with what is wrong with it. Nothing of it holds then. */
export type GroupState = Readonly<{
  typed: Readonly<Partial<Record<SettingKey, string>>>;
  problems: Readonly<Partial<Record<SettingKey, string>>>;
  /** Every value was already as it was sent. */
  unchanged: boolean;
}>;

/** Changes those settings of a group that were changed in its form, together or not at all. */
export const saveGroup = adminFormAction<GroupState>(
  () => SETTINGS_PAGE,
  async ({ user }, form) => {
    const { typed, changed } = readGroupForm(form);
    if (Object.keys(changed).length === 0) return { typed, problems: {}, unchanged: true };
    const problems = await changeSettings(systemDeps(), changed, user);
    if (problems.length > 0)
      return {
        typed,
        problems: Object.fromEntries(problems.map(({ key, text }) => [key, text])),
        unchanged: false,
      };
    await setFlash("Saved. It holds from the next request on.");
    redirect(SETTINGS_PAGE);
  },
);

export const resetToDefault = adminAction(
  () => SETTINGS_PAGE,
  async ({ user }, form) => {
    const key = String(form.get("key"));
    if (isSettingKey(key)) {
      await resetSetting(systemDeps(), key, user);
      await setFlash(`${key} has its default again.`);
    }
    redirect(SETTINGS_PAGE);
  },
);
