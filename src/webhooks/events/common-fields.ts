import type { VISIBILITIES } from "@/access/visibility";
import { basicUserOf, type UserReference } from "@/identity/api/entities/user";
import type { Project } from "@/workspace/projects/rules";

/** The project and the user of an event, and the default branch of the project. */
export type ProjectFacts = Readonly<{
  project: Project;
  user: UserReference | null;
  defaultBranch: string | null;
}>;

/** The numbers that represent the visibilities of projects in GitLab's events. */
const VISIBILITY_LEVELS = { private: 0, internal: 10, public: 20 } as const satisfies Record<
  (typeof VISIBILITIES)[number],
  number
>;

/** Returns the user of an event. The e-mail address is never sent. */
export function userFields(user: UserReference | null, issuer: string) {
  if (user === null) return { id: null, name: null, username: null, avatar_url: null, email: "[REDACTED]" };
  const { id, name, username, avatar_url } = basicUserOf(user, issuer);
  return { id, name, username, avatar_url, email: "[REDACTED]" };
}

const cloneUrl = ({ fullPath }: Project, issuer: string): string => `${issuer}/${fullPath}.git`;

/**
 * Returns the project of an event. Repositories have no SSH URL, so the fields for SSH URLs contain the http
 * URL.
 */
export const projectFields = ({ project, defaultBranch }: ProjectFacts, issuer: string) => ({
  id: project.id,
  name: project.name,
  description: project.description,
  web_url: `${issuer}/${project.fullPath}`,
  avatar_url: null,
  git_ssh_url: cloneUrl(project, issuer),
  git_http_url: cloneUrl(project, issuer),
  namespace: project.namespace.kind === "group" ? project.namespace.group.name : project.namespace.name,
  visibility_level: VISIBILITY_LEVELS[project.visibility],
  path_with_namespace: project.fullPath,
  default_branch: defaultBranch,
  ci_config_path: null,
  homepage: `${issuer}/${project.fullPath}`,
  url: cloneUrl(project, issuer),
  ssh_url: cloneUrl(project, issuer),
  http_url: cloneUrl(project, issuer),
});

export const repositoryFields = ({ project }: ProjectFacts, issuer: string) => ({
  name: project.name,
  url: cloneUrl(project, issuer),
  description: project.description,
  homepage: `${issuer}/${project.fullPath}`,
  git_http_url: cloneUrl(project, issuer),
  git_ssh_url: cloneUrl(project, issuer),
  visibility_level: VISIBILITY_LEVELS[project.visibility],
});
