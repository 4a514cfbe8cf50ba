import { PathTrail } from "@/ui/path-trail";
import type { Project } from "../rules";

const PAGES = {
  "/commits": "Commits",
  "/errors": "Errors",
  "/merge_requests": "Merge requests",
  "/merge_requests/:id": "Merge request",
  "/settings": "Settings",
  "/settings/access_tokens": "Access tokens",
  "/settings/deploy_tokens": "Deploy tokens",
  "/settings/license_policies": "License policies",
  "/settings/merge_requests": "Merge requests",
  "/settings/runners": "Runners",
  "/settings/webhooks": "Webhooks",
};

/**
 * The breadcrumb of the pages of a project: the group or the user to which the project belongs, the project,
 * and the pages of the project.
 */
export function ProjectTrail({ project }: { readonly project: Project }) {
  const { namespace, id, path } = project;
  const home = `/projects/${id}`;
  const owner =
    namespace.kind === "group"
      ? { label: namespace.group.fullPath, href: `/groups/${namespace.group.id}` }
      : { label: namespace.username, href: null };
  return <PathTrail home={home} steps={[owner, { label: path, href: home }]} pages={PAGES} />;
}
