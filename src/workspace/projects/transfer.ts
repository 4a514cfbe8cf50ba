import { canSignIn, type User } from "@/access/principal";
import { ROLES, reaches } from "@/access/roles";
import { isMoreOpen } from "@/access/visibility";
import { findDeletion } from "@/identity/users/account-deletion";
import * as users from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedGroup, Group } from "../groups/rules";
import {
  findGroup,
  findGroupAsOperator,
  isPathInUse,
  listGroups,
  resourceOf as resourceOfGroup,
} from "../groups/service";
import { announceProjectMoved, transferProblemOf } from "../lifecycle/project-lifecycle";
import { lockProjectOrGroup, makeOwner } from "../members/service";
import {
  type AuthorizedProject,
  authorizeProject,
  namespaceIdOf,
  type Project,
  userIdOfNamespace,
} from "./rules";
import { findProject, resourceOf } from "./service";
import * as store from "./store";

/** The namespace that receives a project: a group, or the namespace of a user. */
export type TransferTarget =
  | Readonly<{ kind: "group"; group: AuthorizedGroup }>
  | Readonly<{ kind: "user"; user: User }>;

/**
 * The reason why a project cannot be transferred. `problem` is a sentence from a feature that stores data of
 * the project, such as the container registry.
 */
export type TransferRefusal =
  | "not_allowed"
  | "same"
  | "path_taken"
  | "gone"
  | "target_gone"
  | Readonly<{ problem: string }>;

/**
 * Returns the namespace with this id or full path, if a user may transfer projects to it. The namespace can
 * be a group in which the user has the maintainer role, or the user's own namespace. For administrators, the
 * namespace can also belong to any user who can sign in. The namespace of a user whose deletion was requested
 * is refused, because the deletion would include the projects.
 * @param by the user, or null for the operator at the command line, who may transfer projects to any
 * namespace.
 */
export async function findTransferTarget(
  deps: Deps,
  by: User | null,
  reference: string,
): Promise<TransferTarget | null> {
  const userId = userIdOfNamespace(reference);
  const group = userId === null && reference !== "" ? await findGroupFor(deps, by, reference) : null;
  if (group !== null) return reaches(group.role, "maintainer") ? { kind: "group", group } : null;
  const user = userId === null ? await byUsername(deps, reference) : await users.findById(deps, userId);
  if (user === null || (by !== null && user.id !== by.id && !by.admin)) return null;
  if (user.kind !== "human" || !canSignIn(user.state)) return null;
  return (await findDeletion(deps, user.id)) === null ? { kind: "user", user } : null;
}

const findGroupFor = (deps: Deps, by: User | null, reference: string): Promise<AuthorizedGroup | null> =>
  by === null ? findGroupAsOperator(deps, reference) : findGroup(deps, reference, by);

const GROUPS_OFFERED = 100;

/** Returns the first groups of which a user is a member and to which the user may transfer projects. */
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
 * Transfers a project to another namespace. The id, the repository, the packages and the members stay the
 * same. The path changes, and the visibility of the project is reduced to the visibility of the new group.
 * The owner of a user namespace becomes an owner of the project.
 */
export async function transferProject(
  deps: Deps,
  project: AuthorizedProject,
  target: TransferTarget,
  by: User,
): Promise<AuthorizedProject | TransferRefusal> {
  if (!reaches(project.role, "owner")) return "not_allowed";
  return transfer(deps, project, {
    target,
    by,
    find: (within) => findProject(within, String(project.id), by),
  });
}

type Transfer = Readonly<{
  target: TransferTarget;
  by: User | null;
  /**
   * Reads the project in the transaction of the transfer, with the role of the user who transfers the
   * project.
   * @returns null if the user may not transfer the project.
   */
  find: (within: Deps) => Promise<AuthorizedProject | null>;
}>;

/**
 * Transfers a project. The function locks the rows of the project and the group, and then reads both rows
 * again. A simultaneous request may have moved, changed or deleted the project or the group, or removed the
 * role of the user.
 */
async function transfer(
  deps: Deps,
  { id }: Pick<Project, "id">,
  { target: named, by, find }: Transfer,
): Promise<AuthorizedProject | TransferRefusal> {
  try {
    return await deps.transaction(async (within) => {
      // The function locks the group before the project, because the deletion of a group uses the same order;
      // another order could cause deadlocks.
      const target = await lockTarget(within, by, named);
      // The lock on the project prevents other requests from changing the group ids that other tables store
      // for the project.
      if (!(await store.lock(within.db, id))) return "gone";
      const project = await find(within);
      if (project === null || !reaches(project.role, "owner")) return "not_allowed";
      if (target === null) return "target_gone";
      if (isIn(project, target)) return "same";
      const problem = await transferProblemOf(within, id);
      return problem === null ? move(within, project, target, by) : { problem };
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "path_taken";
    throw cause;
  }
}

/**
 * Returns the target namespace, which is read in the transaction of the transfer. If the target namespace is
 * a group, the function locks the group until the transaction ends.
 */
async function lockTarget(
  within: Deps,
  by: User | null,
  target: TransferTarget,
): Promise<TransferTarget | null> {
  if (target.kind === "user")
    return findTransferTarget(within, by, String(namespaceIdOf({ ...target.user, kind: "user" })));
  if (!(await lockProjectOrGroup(within, resourceOfGroup(target.group)))) return null;
  return findTransferTarget(within, by, String(target.group.id));
}

async function move(
  within: Deps,
  project: AuthorizedProject,
  target: TransferTarget,
  by: User | null,
): Promise<AuthorizedProject | TransferRefusal> {
  const namespace = target.kind === "group" ? target.group.fullPath : target.user.username;
  const fullPath = `${namespace}/${project.path}`;
  if (target.kind === "group" && (await isPathInUse(within, fullPath))) return "path_taken";
  const moved = await store.move(within.db, project.id, {
    groupId: target.kind === "group" ? target.group.id : null,
    fullPath,
    visibility: visibilityIn(project, target),
    ...(target.kind === "user" ? { creatorId: target.user.id } : {}),
  });
  const { groupId } = resourceOf(moved);
  await announceProjectMoved(within, { id: project.id, groupId, topGroupId: moved.topGroupId });
  if (target.kind === "user") await makeOwner(within, resourceOf(moved), target.user, by);
  const details = { id: project.id, path: moved.fullPath, from: project.fullPath };
  await audit.record(within, "project.transferred", details, { userId: by?.id ?? null });
  return authorizeProject(moved, { signedIn: true, role: project.role }) ?? "not_allowed";
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
 * Transfers all projects in the namespace of a user, in the transaction that `deps` contains. The caller must
 * roll back the transaction if a project could not be transferred.
 * @returns the first project that could not be transferred, or null.
 */
export async function transferPersonalProjects(
  deps: Deps,
  owner: Pick<User, "id">,
  target: TransferTarget,
  by: User | null,
): Promise<BlockedTransfer | null> {
  for (;;) {
    const project = await store.findPersonal(deps.db, owner.id);
    if (project === null) return null;
    const find = (within: Deps) => findOwned(within, project.id, owner);
    const outcome = await transfer(deps, project, { target, by, find });
    if (typeof outcome === "string" || "problem" in outcome)
      return { fullPath: project.fullPath, refusal: outcome };
  }
}

/**
 * Returns a project in the namespace of a user, authorized with the role Owner; null for a project outside of
 * the namespace. The user need not be a member of the project, because the deletion of the user always
 * includes the project.
 */
async function findOwned(deps: Deps, id: number, owner: Pick<User, "id">): Promise<AuthorizedProject | null> {
  const project = await store.findById(deps.reads, id);
  const isOwned = project?.namespace.kind === "user" && project.namespace.id === owner.id;
  return isOwned ? authorizeProject(project, { signedIn: true, role: "owner" }) : null;
}

/** Returns the reason why a project was not transferred, as a sentence. */
export function transferProblemText(refusal: TransferRefusal): string {
  return typeof refusal === "string" ? TEXTS[refusal] : refusal.problem;
}

const TEXTS: Readonly<Record<Exclude<TransferRefusal, object>, string>> = {
  not_allowed: "Only owners can transfer a project. Ask an owner of the project.",
  same: "The project is already in this namespace. Select another namespace.",
  path_taken:
    "A project or subgroup with the same path already exists in this namespace. Select another namespace.",
  gone: "The project no longer exists.",
  target_gone:
    "The namespace no longer exists, or you may no longer transfer projects to it. Select another namespace.",
};
