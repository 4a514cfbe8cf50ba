import { requireAdmin } from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import { requireGroup } from "@/workspace/groups/loaders";
import { requireProject } from "@/workspace/projects/loaders";
import type { RunnerOwner } from "./service";

/** A page that lists runners: the page of the instance, of a group, or of a project. */
export type RunnerPlace = Readonly<{ kind: "instance" | "group" | "project"; id: string }>;

/** Returns the URL path of the page that lists runners. */
export const runnersPath = ({ kind, id }: RunnerPlace): string =>
  kind === "instance" ? "/admin/runners" : `/${kind}s/${encodeURIComponent(id)}/settings/runners`;

/** The owner of the runners on a page. The viewer may manage all runners of this owner. */
export type RunnerManager = Readonly<{ owner: RunnerOwner; session: Session; url: string }>;

/**
 * Returns the owner of the runners on a page. Only an administrator may open the page of instance runners.
 * The page of group runners requires the role Owner, and the page of project runners requires the role
 * Maintainer. Viewers without the required role get the status 404.
 * @param rest the part of the URL path after the path of the page that lists runners.
 */
export async function requireRunnerManager(
  place: RunnerPlace,
  rest: "" | "/new" = "",
): Promise<RunnerManager> {
  const path = (home: string) => `${home}/settings/runners${rest}`;
  if (place.kind === "instance") {
    const url = runnersPath(place);
    return { owner: { kind: "instance_type" }, session: await requireAdmin(`${url}${rest}`), url };
  }
  if (place.kind === "group") {
    const { group, session } = await requireGroup(place.id, path, "owner");
    const url = runnersPath({ kind: "group", id: String(group.id) });
    return { owner: { kind: "group_type", group }, session, url };
  }
  const { project, session } = await requireProject(place.id, path, "maintainer");
  const url = runnersPath({ kind: "project", id: String(project.id) });
  return { owner: { kind: "project_type", project }, session, url };
}
