import type { ReactNode } from "react";
import { reaches } from "@/access/roles";
import { GroupTrail } from "@/workspace/groups/components/group-trail";
import { visibleGroup } from "@/workspace/groups/loaders";
import { maySeeContents } from "@/workspace/groups/rules";
import { Frame } from "../../frame";

/**
 * The frame of the pages of a group. The layout does not check access, because each page checks the access
 * itself.
 */
export default async function GroupLayout(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly children: ReactNode;
}) {
  const visible = await visibleGroup((await props.params).id);
  if (visible === null) return <Frame>{props.children}</Frame>;
  const { group, session } = visible;
  const home = `/groups/${group.id}`;
  const items = [
    { label: "Overview", href: home, icon: "overview" } as const,
    ...(session === null || !maySeeContents(group)
      ? []
      : [{ label: "Members", href: `${home}/members`, icon: "users" } as const]),
    ...(reaches(group.role, "owner")
      ? [{ label: "Settings", href: `${home}/settings`, icon: "settings" } as const]
      : []),
  ];
  return (
    <Frame side={{ label: "Group", items }}>
      <GroupTrail group={group} />
      {props.children}
    </Frame>
  );
}
