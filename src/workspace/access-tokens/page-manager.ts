import type { Role } from "@/access/roles";
import { GROUPS, requireGroup } from "../groups/loaders";
import { resourceOf as resourceOfGroup } from "../groups/service";
import type { ProjectOrGroup } from "../members/rules";
import { PROJECTS, requireProject } from "../projects/loaders";
import { resourceOf as resourceOfProject } from "../projects/service";
import type { Manager } from "./rules";

/**
 * A user who manages access tokens or deploy tokens, and the path of the page with the list of these tokens.
 */
export type PageManager = Manager & Readonly<{ held: Role; url: string }>;

/**
 * The last path segments of the pages with access tokens and deploy tokens, below the settings of a project
 * or group.
 */
type TokenPage = "access_tokens" | "deploy_tokens";

/** Returns the path of the page with the access tokens or the deploy tokens of a project or group. */
export const settingsPath = (kind: ProjectOrGroup["kind"], id: string, page: TokenPage): string =>
  `${kind === "group" ? GROUPS : PROJECTS}/${encodeURIComponent(id)}/settings/${page}`;

/**
 * Returns the project or group whose token page is requested, and the viewer, who must be allowed to manage
 * the tokens.
 * @param rest the part of the page path after the path of the list of tokens.
 */
export async function requireTokenManager(
  kind: ProjectOrGroup["kind"],
  id: string,
  page: TokenPage,
  rest: "" | "/new",
): Promise<PageManager> {
  const path = (home: string) => `${home}/settings/${page}${rest}`;
  if (kind === "group") {
    const { group, session } = await requireGroup(id, path, "owner");
    const url = settingsPath(kind, String(group.id), page);
    return { resource: resourceOfGroup(group), by: session.user, held: group.role ?? "owner", url };
  }
  const { project, session } = await requireProject(id, path, "maintainer");
  const url = settingsPath(kind, String(project.id), page);
  return { resource: resourceOfProject(project), by: session.user, held: project.role ?? "maintainer", url };
}
