import { isBot, type User } from "@/access/principal";
import { type Role, reaches, roleOf } from "@/access/roles";
import { canSee, openTo, type Visibility } from "@/access/visibility";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type AuthorizedGroup, isMemberOfAll, visibilityProblem } from "../groups/rules";
import { isPathInUse, lockGroup, parentRefusal, TAKEN } from "../groups/service";
import {
  announceProjectCreated,
  announceProjectCreating,
  announceProjectsRemoved,
} from "../lifecycle/project-lifecycle";
import { addFirstOwner, rolesIn } from "../members/service";
import {
  descriptionProblem,
  type FieldErrors,
  fieldErrorsOf,
  nameProblem,
  pathFromName,
  pathProblem,
} from "../naming/path";
import { type AuthorizedProject, authorizeProject, type Project } from "./rules";
import * as store from "./store";

/**
 * Returns a project that a user can see, with the role of the user. The same statement runs for hidden and for unknown
 * projects, so that the response time does not reveal whether a project exists.
 * @param reference the id of the project, or its full path (which contains a slash) regardless of letter
 * case.
 * @returns null if the project does not exist or is hidden from the user.
 */
export async function findProject(
  deps: Deps,
  reference: string,
  user: User | null,
): Promise<AuthorizedProject | null> {
  const isId = /^\d{1,9}$/.test(reference);
  if (!isId && !reference.includes("/")) return null;
  const key = isId ? { id: Number(reference) } : { fullPathLower: reference.toLowerCase() };
  const access = await store.findLevels(deps.reads, key, user?.id ?? null, deps.clock());
  if (access === null) return null;
  const viewer = { signedIn: user !== null, role: user?.admin ? ("owner" as const) : roleOf(access.levels) };
  if (!canSee(access.visibility, viewer)) return null;
  const project = await store.findById(deps.reads, access.id);
  return project && authorizeProject(project, viewer);
}

/**
 * Returns the project with this id; null if the project does not exist. The function checks no permission,
 * because jobs of the server call the function.
 */
export const projectById = ({ reads }: Pick<Deps, "reads">, id: number): Promise<Project | null> =>
  store.findById(reads, id);

/**
 * Returns the projects with these full paths. The function does not check whether the caller may see the
 * projects.
 */
export const projectsByPath = (
  { db }: Pick<Deps, "db">,
  fullPaths: readonly string[],
): Promise<readonly Project[]> => store.findByPaths(db, fullPaths);

/** Returns the roles of a user, with the project id as key. Projects in which the user has no role have no entry. */
export const rolesInProjects = (
  deps: Deps,
  projects: readonly Project[],
  user: User | null,
): Promise<ReadonlyMap<number, Role>> => rolesIn(deps, projects.map(resourceOf), user);

/**
 * Returns the query condition that selects rows of projects whose source code a user may read.
 * @param user the user; null for an anonymous caller.
 */
export const readableCodeFilter = (
  { reads, clock }: Pick<Deps, "reads" | "clock">,
  user: User | null,
): Promise<ReadableCode> => store.readableCodeFilter(reads, user, clock());

export type ReadableCode = store.ReadableCode;

export const resourceOf = ({ id, fullPath, namespace }: Project) =>
  ({
    kind: "project",
    id,
    fullPath,
    groupId: namespace.kind === "group" ? namespace.group.id : null,
  }) as const;

export type ProjectSearch = Readonly<
  Partial<Omit<store.ProjectFilter, "open" | "viewerId" | "now" | "group">> & {
    /**
     * If given, the list contains only projects of this group and, if `includesDescendants` is set, of the
     * group's descendants.
     */
    group?: Readonly<{ of: AuthorizedGroup; includesDescendants: boolean }>;
  }
>;

/** Returns a page of the projects that a user can see. By default, the newest project comes first. */
export const listProjects = (
  deps: Deps,
  user: User | null,
  { group, ...search }: ProjectSearch,
  paging: Paging,
): Promise<Page<Project>> =>
  store.list(
    deps,
    {
      search: "",
      visibility: undefined,
      memberOnly: false,
      minLevel: 0,
      ownerId: undefined,
      runnerId: undefined,
      order: "id",
      descending: paging.kind === "offset" || paging.descending,
      ...search,
      ...(group !== undefined && isMemberOfAll(user, group.of, search.minLevel)
        ? { open: null, memberOnly: false }
        : { open: user?.admin ? null : openTo(user !== null) }),
      group: group && { id: group.of.id, includesDescendants: group.includesDescendants },
      viewerId: user?.id ?? null,
      now: deps.clock(),
    },
    paging,
  );

/**
 * Returns at most `most` projects that a user can see and whose name or full path matches a text. The name or
 * full path can contain the text if the user is a member of the project, and must begin with the text in
 * other projects.
 */
export const findMatchingProjects = (
  deps: Deps,
  user: User | null,
  search: string,
  most: number,
): Promise<readonly Project[]> =>
  store.findMatching(
    deps,
    {
      search,
      open: user?.admin ? null : openTo(user !== null),
      viewerId: user?.id ?? null,
      now: deps.clock(),
    },
    most,
  );

export type ProjectDraft = Readonly<{
  name?: string | undefined;
  path?: string | undefined;
  description?: string | undefined;
  visibility?: Visibility | undefined;
  /** Whether to initialize the repository with a README.md. */
  readme?: boolean | undefined;
}>;

/** `gone` means that another request has deleted the project, or the group of a new project. */
export type ProjectOutcome =
  | { readonly project: AuthorizedProject }
  | { readonly problems: FieldErrors }
  | "not_allowed"
  | "gone";

/**
 * Creates a project in a group or in the namespace of the user. The creation of a project in a group requires
 * the developer role. A bot has no namespace.
 * @param draft if `path` is missing, the path is derived from the name. If `name` is missing, the path is
 * used as the name.
 */
export async function createProject(
  deps: Deps,
  user: User,
  draft: ProjectDraft,
  group: AuthorizedGroup | null,
): Promise<ProjectOutcome> {
  if (group === null ? isBot(user) : !reaches(group.role, "developer")) return "not_allowed";
  const name = (draft.name ?? draft.path ?? "").trim();
  const path = draft.path ?? pathFromName(name);
  const { description = "", visibility = "private" } = draft;
  const problems = fieldErrorsOf({
    name: nameProblem(name),
    path: pathProblem(path, false),
    description: descriptionProblem(description),
    visibility_level: visibilityProblem(visibility, group?.visibility ?? null),
  });
  if (problems !== null) return { problems };
  const fullPath = `${group?.fullPath ?? user.username}/${path}`;
  const now = deps.clock();
  const times = { createdAt: now, lastActivityAt: now };
  const row = { name, path, fullPath, description, visibility, ...times, groupId: group?.id ?? null };
  try {
    const created = await deps.transaction(async (within) => {
      const refusal = group === null ? null : parentRefusal(await lockGroup(within, group.id), visibility);
      if (refusal !== null) return refusal;
      if (group !== null && (await isPathInUse(within, fullPath))) return { problems: TAKEN };
      const project = await store.insert(within.db, { ...row, creatorId: user.id });
      // The bot of a group already has its role through the group, and must not become a member of the
      // project.
      if (!isBot(user)) await addFirstOwner(within, resourceOf(project), user);
      await announceProjectCreating(within, project);
      await recordAuditEvent(within, "project.created", project, user);
      return project;
    });
    if (typeof created === "string" || "problems" in created) return created;
    await announceProjectCreated(deps, created, { creator: user, readme: draft.readme === true });
    return authorized(created);
  } catch (cause) {
    if (isUniqueViolation(cause)) return { problems: TAKEN };
    throw cause;
  }
}

/** Edits a project. The path of a project cannot be changed. */
export async function updateProject(
  deps: Deps,
  project: AuthorizedProject,
  changes: store.ProjectChanges,
  by: User,
): Promise<ProjectOutcome> {
  if (!reaches(project.role, "maintainer")) return "not_allowed";
  const group = project.namespace.kind === "group" ? project.namespace.group : null;
  const { name, description, visibility } = changes;
  const problems = fieldErrorsOf({
    name: name === undefined || name === project.name ? null : nameProblem(name),
    description: descriptionProblem(description),
    visibility_level:
      visibility === undefined ? null : visibilityProblem(visibility, group?.visibility ?? null),
  });
  if (problems !== null) return { problems };
  return deps.transaction(async (within): Promise<ProjectOutcome> => {
    const current = await lockWithGroup(within, project.id);
    if (current === null) return "gone";
    const refusal =
      visibility === undefined || current.namespace.kind === "user"
        ? null
        : parentRefusal(current.namespace.group, visibility);
    if (refusal !== null) return refusal;
    const changed = await store.update(within.db, project.id, changes);
    await recordAuditEvent(within, "project.changed", changed, by);
    return { project: { ...project, ...changed } };
  });
}

/**
 * Locks a project and its group until the transaction ends. The group is locked first, as in the deletion of the
 * group.
 * @returns the project; null if the project no longer exists.
 */
async function lockWithGroup(within: Deps, id: number): Promise<Project | null> {
  let project = await store.findById(within.reads, id);
  for (;;) {
    const groupId = project && resourceOf(project).groupId;
    if (groupId !== null) await lockGroup(within, groupId);
    project = (await store.lock(within.db, id)) ? await store.findById(within.reads, id) : null;
    // If a simultaneous request has moved the project to another group before the lock, the function also locks
    // the other group. The locked project cannot be moved again.
    if (project === null || resourceOf(project).groupId === groupId) return project;
  }
}

/**
 * The outcome of the deletion of a project. `gone` means that another request has already deleted the
 * project.
 */
export type RemovalOutcome = "removed" | "not_allowed" | "gone";

/** Deletes a project with all its data. @returns `removed` for exactly one of several simultaneous callers. */
export async function deleteProject(
  deps: Deps,
  project: AuthorizedProject,
  by: User,
): Promise<RemovalOutcome> {
  if (!reaches(project.role, "owner")) return "not_allowed";
  const isRemoved = await deps.transaction(async (within) => {
    if (!(await store.remove(within.db, project.id))) return false;
    await recordAuditEvent(within, "project.removed", project, by);
    return true;
  });
  if (!isRemoved) return "gone";
  await announceProjectsRemoved(deps, [project.id]);
  return "removed";
}

/**
 * Updates the time of a project's last activity in the background. If the update fails, the failure is only
 * logged.
 */
export const recordActivity = (deps: Deps, { id }: Readonly<{ id: number }>): void => {
  store.setLastActivity(deps.db, id, deps.clock()).catch((cause: unknown) => {
    deps.log.warn({ event: "project.activity_lost" }, cause);
  });
};

/**
 * Returns the outcome of a successful creation: the new project, authorized for its creator with the role
 * Owner.
 */
function authorized(project: Project): ProjectOutcome {
  const own = authorizeProject(project, { signedIn: true, role: "owner" });
  return own === null ? "not_allowed" : { project: own };
}

const recordAuditEvent = (
  deps: Deps,
  name: "project.created" | "project.changed" | "project.removed",
  { id, fullPath }: Project,
  by: User,
): Promise<void> => audit.record(deps, name, { id, path: fullPath }, { userId: by.id });

/** Returns whether a user's namespace contains projects. The URLs of these projects depend on the username. */
export const hasPersonalProjects = (deps: Pick<Deps, "db">, userId: number): Promise<boolean> =>
  store.hasPersonalProjects(deps.db, userId);

/**
 * Returns the paths of the first projects in a user's namespace, and the number of all projects in the
 * namespace.
 */
export const listPersonalProjects = (
  deps: Pick<Deps, "reads">,
  userId: number,
  most: number,
): ReturnType<typeof store.listPersonal> => store.listPersonal(deps.reads, userId, most);

/** Returns the number of all projects of the instance. */
export const countProjects = (deps: Pick<Deps, "db">): Promise<number> => store.count(deps.db);

/** Locks the row of a project until the transaction ends. @returns false if the project does not exist. */
export const lockProject = ({ db }: Pick<Deps, "db">, id: number): Promise<boolean> => store.lock(db, id);

/** Returns the ids of all projects of the instance. */
export const allProjectIds = ({ db }: Pick<Deps, "db">): Promise<readonly number[]> => store.allIds(db);
