import { PathTrail } from "@/ui/path-trail";
import type { Group } from "../rules";

const PAGES = {
  "/settings": "Settings",
  "/settings/access_tokens": "Access tokens",
  "/settings/applications": "Applications",
  "/settings/deploy_tokens": "Deploy tokens",
  "/settings/runners": "Runners",
  "/settings/webhooks": "Webhooks",
};

/**
 * The breadcrumb of the pages of a group: the list of groups, the parent group, the group, and the pages of
 * the group.
 */
export function GroupTrail({ group }: { readonly group: Group }) {
  const parentPath = group.fullPath.split("/").slice(0, -1).join("/");
  const home = `/groups/${group.id}`;
  const parent = group.parentId === null ? [] : [{ label: parentPath, href: `/groups/${group.parentId}` }];
  const steps = [{ label: "Groups", href: "/groups" }, ...parent, { label: group.path, href: home }];
  return <PathTrail home={home} steps={steps} pages={PAGES} />;
}
