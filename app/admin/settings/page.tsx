import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { resetToDefault, saveGroup } from "@/operations/settings/actions";
import { SettingsForm } from "@/operations/settings/components/settings-form";
import { loadSettings, loadTypedSettings, SETTINGS_PAGE } from "@/operations/settings/loaders";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { SearchForm } from "@/ui/search-form";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Instance settings" };

export default async function InstanceSettingsPage(props: { readonly searchParams: Promise<Query> }) {
  const { search, groups } = await loadSettings(await props.searchParams);
  const typed = await loadTypedSettings(search);
  return (
    <StaticMarkup>
      <PageHead
        title="Settings"
        about="Settings of the whole instance. A change takes effect with the next request. Enter durations with a unit, such as “2 hours” or “30 days”."
      />
      <SearchForm action={SETTINGS_PAGE} label="Find a setting" search={search} />
      {groups.length < 2 ? null : (
        <SectionNav sections={groups.map(({ id, title }) => ({ id: `section-${id}`, label: title }))} />
      )}
      {groups.length === 0 ? (
        <EmptyState title="No setting matches this search">
          Search for a word in the description or in the key of a setting.
        </EmptyState>
      ) : null}
      {groups.map((group) => (
        // The React key of the form contains the stored settings, so that the form shows the new values after
        // a change.
        <div key={JSON.stringify(group)} id={`section-${group.id}`} className="min-w-0">
          <SettingsForm group={group} search={search} typed={typed} save={saveGroup} reset={resetToDefault} />
        </div>
      ))}
    </StaticMarkup>
  );
}
