import { Tabs } from "@/ui/tabs";

const PAGES = [
  { label: "General", path: "" },
  { label: "Applications", path: "/applications" },
  { label: "Access tokens", path: "/access_tokens" },
  { label: "Deploy tokens", path: "/deploy_tokens" },
  { label: "Runners", path: "/runners" },
  { label: "Webhooks", path: "/webhooks" },
] as const;

/** The tabs that link the settings pages of a group. */
export function GroupSettingsTabs(props: {
  readonly id: number;
  readonly current: (typeof PAGES)[number]["label"];
}) {
  const tabs = PAGES.map(({ label, path }) => ({
    label,
    href: `/groups/${props.id}/settings${path}`,
    current: label === props.current,
  }));
  return <Tabs label="Group settings" tabs={tabs} />;
}
