import type { Role } from "@/access/roles";
import { canSee, type Viewer, type Visibility } from "@/access/visibility";
import { fullNameOf, type Group } from "../groups/rules";

/** The group or the user to which a project belongs. */
export type Namespace =
  | Readonly<{ kind: "group"; group: Group }>
  | Readonly<{ kind: "user"; id: number; username: string; name: string }>;

/**
 * The offset of the namespace ids of users. Groups and users have independent ids, but clients identify a
 * group or a user by one namespace id. The offset prevents collisions with the ids of groups.
 */
const USER_NAMESPACE_ID_OFFSET = 1_000_000_000;

export const namespaceIdOf = (namespace: Namespace): number =>
  namespace.kind === "group" ? namespace.group.id : USER_NAMESPACE_ID_OFFSET + namespace.id;

/**
 * Returns the id of the user whose namespace has this namespace id; null if the id is not the id of a user's
 * namespace.
 */
export function userIdOfNamespace(reference: string): number | null {
  const id = /^\d{10}$/.test(reference) ? Number(reference) - USER_NAMESPACE_ID_OFFSET : 0;
  return id > 0 ? id : null;
}

/** The merge methods: merge commit, merge commit after a rebase (semi-linear history), and fast-forward. */
export const MERGE_METHODS = ["merge", "rebase_merge", "ff"] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

export const isMergeMethod = (word: string): word is MergeMethod =>
  MERGE_METHODS.some((method) => method === word);

export type Project = Readonly<{
  id: number;
  name: string;
  path: string;
  fullPath: string;
  description: string;
  visibility: Visibility;
  namespace: Namespace;
  creatorId: number | null;
  mergeMethod: MergeMethod;
  createdAt: Date;
  lastActivityAt: Date;
}>;

/** Returns the name of a project, preceded by the full name of its group or by the name of its user. */
export const nameWithNamespaceOf = ({ namespace, name }: Pick<Project, "namespace" | "name">): string =>
  `${namespace.kind === "group" ? fullNameOf(namespace.group) : namespace.name} / ${name}`;

/** A resource, such as a merge request, together with the project to which it belongs. */
export type OfProject<Item> = Readonly<{ project: AuthorizedProject; item: Item }>;

declare const authorized: unique symbol;

/**
 * A project that the viewer can see, with the role of the viewer. Only the function `authorizeProject`
 * creates an `AuthorizedProject`.
 */
export type AuthorizedProject = Project & Readonly<{ role: Role | null; [authorized]: true }>;

/**
 * Checks that the viewer can see a project.
 * @returns null if the viewer cannot see the project. If the result is null, the caller must send the same
 * response as for an unknown project.
 */
export const authorizeProject = (project: Project, viewer: Viewer): AuthorizedProject | null =>
  canSee(project.visibility, viewer) ? ({ ...project, role: viewer.role } as AuthorizedProject) : null;
