import type { User } from "@/access/principal.ts";
import type { Role } from "@/access/roles.ts";
import type { Visibility } from "@/access/visibility.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import { createGroup, findGroup, resourceOf as groupResource } from "@/workspace/groups/service.ts";
import type { ProjectOrGroup } from "@/workspace/members/rules.ts";
import { addMember } from "@/workspace/members/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { createProject, resourceOf as projectResource } from "@/workspace/projects/service.ts";

/** Creates a group of the given owner. */
export async function groupOf(
  deps: Deps,
  owner: User,
  path: string,
  { visibility = "public", parent = null }: { visibility?: Visibility; parent?: AuthorizedGroup | null } = {},
): Promise<AuthorizedGroup> {
  const created = await createGroup(deps, owner, { name: path, path, visibility }, parent);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  const group = await findGroup(deps, String(created.group.id), owner);
  if (group === null) throw new Error("The group was not found.");
  return group;
}

/** Creates a project in the owner's namespace, or in a group if given. */
export async function projectOf(
  deps: Deps,
  owner: User,
  path: string,
  { visibility = "private", group = null }: { visibility?: Visibility; group?: AuthorizedGroup | null } = {},
): Promise<AuthorizedProject> {
  const created = await createProject(deps, owner, { path, visibility }, group);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  return created.project;
}

/** Adds a member to a project or a group. */
export async function memberOf(
  deps: Deps,
  resource: AuthorizedProject | AuthorizedGroup,
  user: User,
  role: Role,
  expiresAt: Date | null = null,
): Promise<void> {
  const where: ProjectOrGroup = "namespace" in resource ? projectResource(resource) : groupResource(resource);
  const change = { resource: where, by: user, held: "owner" } as const;
  const created = await addMember(deps, change, user, { role, expiresAt });
  if (typeof created === "string") throw new Error(created);
}

/** Returns the input of a merge request that has only a title; the caller adds the branches. */
export const draftOf = (title: string) => ({
  title,
  description: "",
  squash: false,
  removesSource: false,
  assigneeIds: [],
  reviewerIds: [],
  labels: [],
});
