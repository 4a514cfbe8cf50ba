import { Tabs } from "@/ui/tabs";

const PAGES = [
  { label: "General", path: "" },
  { label: "Merge requests", path: "/merge_requests" },
  { label: "Protected branches", path: "/protected_branches" },
  { label: "License policies", path: "/license_policies" },
  { label: "Access tokens", path: "/access_tokens" },
  { label: "Deploy tokens", path: "/deploy_tokens" },
  { label: "Runners", path: "/runners" },
  { label: "Webhooks", path: "/webhooks" },
  { label: "Error tracking", path: "/error_tracking" },
] as const;

/** The tabs that link the settings pages of a project. */
export function SettingsTabs(props: {
  readonly id: number;
  readonly current: (typeof PAGES)[number]["label"];
}) {
  const tabs = PAGES.map(({ label, path }) => ({
    label,
    href: `/projects/${props.id}/settings${path}`,
    current: label === props.current,
  }));
  return <Tabs label="Project settings" tabs={tabs} />;
}
