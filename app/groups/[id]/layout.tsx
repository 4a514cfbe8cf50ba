import type { Metadata } from "next";
import type { ReactNode } from "react";
import { reaches } from "@/access/roles";
import { GroupTrail } from "@/workspace/groups/components/group-trail";
import { visibleGroup } from "@/workspace/groups/loaders";
import { maySeeContents } from "@/workspace/groups/rules";
import { Frame } from "../../frame";
import { titlesWithin } from "../../titles";

type Params = Promise<{ readonly id: string }>;

/** Adds the name of the group to the titles of its pages. */
export async function generateMetadata({ params }: { readonly params: Params }): Promise<Metadata> {
  const visible = await visibleGroup((await params).id);
  return visible === null ? {} : titlesWithin(visible.group.name);
}

/**
 * The frame of the pages of a group. The layout does not check access, because each page checks the access
 * itself.
 */
export default async function GroupLayout(props: { readonly params: Params; readonly children: ReactNode }) {
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
