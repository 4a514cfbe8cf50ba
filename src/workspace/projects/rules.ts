import type { Role } from "@/access/roles";
import { canSee, type Viewer, type Visibility } from "@/access/visibility";
import type { Group } from "../groups/rules";

/** The group or the person below whose name a project lies. */
export type Namespace =
  | Readonly<{ kind: "group"; group: Group }>
  | Readonly<{ kind: "user"; id: number; username: string; name: string }>;

/**
 * Groups and users are numbered apart, and programs know both by the id of a namespace: ids of users' namespaces begin
 * where those of groups end.
 */
const USER_NAMESPACE_IDS_BEGIN = 1_000_000_000;

export const namespaceIdOf = (namespace: Namespace): number =>
  namespace.kind === "group" ? namespace.group.id : USER_NAMESPACE_IDS_BEGIN + namespace.id;

/** @returns the id of the user whose namespace has this id; null for any other reference to a namespace. */
export function userIdOfNamespace(reference: string): number | null {
  const id = /^\d{10}$/.test(reference) ? Number(reference) - USER_NAMESPACE_IDS_BEGIN : 0;
  return id > 0 ? id : null;
}

/** How the merge requests of a project are merged: with a merge commit, with one on top of the target, or without. */
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

/** A row of an area above with the project that it belongs to. */
export type OfProject<Item> = Readonly<{ project: AuthorizedProject; item: Item }>;

declare const proven: unique symbol;

/** A project that its viewer may see, with what they are there. Only `authorizeProject` makes one. */
export type AuthorizedProject = Project & Readonly<{ role: Role | null; [proven]: true }>;

/** Null: the viewer may not see it, which must look as if it did not exist. */
export const authorizeProject = (project: Project, viewer: Viewer): AuthorizedProject | null =>
  canSee(project.visibility, viewer) ? ({ ...project, role: viewer.role } as AuthorizedProject) : null;
