import type { Metadata } from "next";
import { resetToDefault, saveGroup } from "@/operations/settings/actions";
import { SettingsForm } from "@/operations/settings/components/settings-form";
import { loadSettings, loadTypedSettings } from "@/operations/settings/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Instance settings" };

export default async function InstanceSettingsPage() {
  const groups = await loadSettings();
  const typed = await loadTypedSettings();
  return (
    <>
      <PageHead
        title="Settings"
        about="Settings of the whole instance. A change takes effect with the next request."
      />
      {groups.map((group) => (
        // The key contains the stored settings, so that the form shows the stored values when they have changed.
        <SettingsForm
          key={JSON.stringify(group)}
          group={group}
          typed={typed}
          save={saveGroup}
          reset={resetToDefault}
        />
      ))}
    </>
  );
}
