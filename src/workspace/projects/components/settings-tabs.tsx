import { Tabs } from "@/ui/tabs";

const PAGES = [
  { label: "General", below: "" },
  { label: "Merge requests", below: "/merge_requests" },
  { label: "Protected branches", below: "/protected_branches" },
  { label: "Error tracking", below: "/error_tracking" },
] as const;

/** The pages of a project's settings. */
export function SettingsTabs(props: {
  readonly id: number;
  readonly current: (typeof PAGES)[number]["label"];
}) {
  const tabs = PAGES.map(({ label, below }) => ({
    label,
    href: `/projects/${props.id}/settings${below}`,
    current: label === props.current,
  }));
  return <Tabs label="Settings of the project" tabs={tabs} />;
}
