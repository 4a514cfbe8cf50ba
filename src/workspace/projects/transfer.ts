import { canSignIn, type User } from "@/access/principal";
import { ROLES, reaches } from "@/access/roles";
import { isMoreOpen } from "@/access/visibility";
import * as users from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedGroup, Group } from "../groups/rules";
import { findGroup, listGroups } from "../groups/service";
import { announceProjectMoved, transferProblemOf } from "../lifecycle/project-lifecycle";
import { makeOwner } from "../members/service";
import { type AuthorizedProject, authorizeProject, type Project, userIdOfNamespace } from "./rules";
import { resourceOf } from "./service";
import * as store from "./store";

/** The namespace that receives a project: a group, or the namespace of a user. */
export type TransferTarget =
  | Readonly<{ kind: "group"; group: AuthorizedGroup }>
  | Readonly<{ kind: "user"; user: User }>;

/** The reason why a project cannot be transferred. The text is a sentence from a feature that stores data. */
export type TransferRefusal = "not_allowed" | "same" | "path_taken" | "gone" | Readonly<{ problem: string }>;

/**
 * Returns the namespace with this id or full path, if a user may transfer projects to it: a group in which the user has
 * the maintainer role, the namespace of the user, or, for administrators, the namespace of any user who can sign in.
 */
export async function findTransferTarget(
  deps: Deps,
  by: User,
  reference: string,
): Promise<TransferTarget | null> {
  const userId = userIdOfNamespace(reference);
  const group = userId === null && reference !== "" ? await findGroup(deps, reference, by) : null;
  if (group !== null) return reaches(group.role, "maintainer") ? { kind: "group", group } : null;
  const user = userId === null ? await byUsername(deps, reference) : await users.findById(deps, userId);
  if (user === null || (user.id !== by.id && !by.admin)) return null;
  return user.kind === "human" && canSignIn(user.state) ? { kind: "user", user } : null;
}

const GROUPS_OFFERED = 100;

/** Returns the first groups to which a user may transfer projects as a member. */
export const groupsForTransfers = async (deps: Deps, user: User): Promise<readonly Group[]> =>
  (
    await listGroups(
      deps,
      user,
      { memberOnly: true, minLevel: ROLES.maintainer.level },
      { kind: "offset", page: 1, perPage: GROUPS_OFFERED },
    )
  ).rows;

const byUsername = async (deps: Deps, reference: string): Promise<User | null> =>
  /^\d*$/.test(reference) || reference.includes("@") ? null : users.find(deps, reference);

/**
 * Transfers a project to another namespace. The id, the repository, the packages and the members stay the same; the path
 * changes, and the visibility is reduced to the visibility of the group. The owner of a user namespace becomes an owner
 * of the project.
 */
export async function transferProject(
  deps: Deps,
  project: AuthorizedProject,
  target: TransferTarget,
  by: User,
): Promise<AuthorizedProject | TransferRefusal> {
  if (!reaches(project.role, "owner")) return "not_allowed";
  if (isIn(project, target)) return "same";
  const namespace = target.kind === "group" ? target.group.fullPath : target.user.username;
  try {
    return await deps.transaction(async (within) => {
      // The lock serializes the copies of the group in rows of other tables.
      if (!(await store.lock(within.db, project.id))) return "gone";
      const problem = await transferProblemOf(within, project.id);
      if (problem !== null) return { problem };
      const moved = await store.move(within.db, project.id, {
        groupId: target.kind === "group" ? target.group.id : null,
        fullPath: `${namespace}/${project.path}`,
        visibility: visibilityIn(project, target),
        ...(target.kind === "user" ? { creatorId: target.user.id } : {}),
      });
      const { groupId } = resourceOf(moved);
      await announceProjectMoved(within, { id: project.id, groupId, topGroupId: moved.topGroupId });
      if (target.kind === "user") await makeOwner(within, resourceOf(moved), target.user);
      const details = { id: project.id, path: moved.fullPath, from: project.fullPath };
      await audit.record(within, "project.transferred", details, { userId: by.id });
      return authorizeProject(moved, { signedIn: true, role: project.role }) ?? "not_allowed";
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "path_taken";
    throw cause;
  }
}

function isIn({ namespace }: Project, target: TransferTarget): boolean {
  if (target.kind === "group") return namespace.kind === "group" && namespace.group.id === target.group.id;
  return namespace.kind === "user" && namespace.id === target.user.id;
}

const visibilityIn = ({ visibility }: Project, target: TransferTarget): Project["visibility"] =>
  target.kind === "group" && isMoreOpen(visibility, target.group.visibility)
    ? target.group.visibility
    : visibility;

/** A project that could not be transferred, with the reason. */
export type BlockedTransfer = Readonly<{ fullPath: string; refusal: TransferRefusal }>;

/**
 * Transfers all projects in the namespace of a user, in the transaction of `deps`, which the caller must roll back if a
 * project could not be transferred.
 * @returns the first project that could not be transferred, or null.
 */
export async function transferPersonalProjects(
  deps: Deps,
  owner: Pick<User, "id">,
  target: TransferTarget,
  by: User,
): Promise<BlockedTransfer | null> {
  for (;;) {
    const project = await store.findPersonal(deps.db, owner.id);
    const owned = project && authorizeProject(project, { signedIn: true, role: "owner" });
    if (owned === null) return null;
    const outcome = await transferProject(deps, owned, target, by);
    if (typeof outcome === "string" || "problem" in outcome)
      return { fullPath: owned.fullPath, refusal: outcome };
  }
}

/** Returns the reason why a project was not transferred, as a sentence. */
export function transferProblemText(refusal: TransferRefusal): string {
  return typeof refusal === "string" ? TEXTS[refusal] : refusal.problem;
}

const TEXTS: Readonly<Record<Exclude<TransferRefusal, object>, string>> = {
  not_allowed: "Only owners can transfer a project.",
  same: "The project already is in this namespace.",
  path_taken: "A project with the same path already exists in this namespace.",
  gone: "The project no longer exists.",
};
