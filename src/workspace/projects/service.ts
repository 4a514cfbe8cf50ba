import type { User } from "@/access/principal";
import { type Role, reaches, roleOf } from "@/access/roles";
import { canSee, openTo, type Visibility } from "@/access/visibility";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type AuthorizedGroup, isMemberOfAll, visibilityProblem } from "../groups/rules";
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
 * A project that somebody may see. The row with all that belongs to it is read only for those who may: one statement
 * answers for a project that is hidden and for one that does not exist, so its time tells nobody which it was.
 * @param reference its id, or its full path, which has a slash, in any case.
 * @returns null also for one that they may not see.
 */
export async function findProject(
  deps: Deps,
  reference: string,
  user: User | null,
): Promise<AuthorizedProject | null> {
  const isId = /^\d{1,9}$/.test(reference);
  if (!isId && !reference.includes("/")) return null;
  const key = isId ? { id: Number(reference) } : { fullPathLower: reference.toLowerCase() };
  const found = await store.findLevels(deps.db, key, user?.id ?? null, deps.clock());
  if (found === null) return null;
  const viewer = { signedIn: user !== null, role: user?.admin ? ("owner" as const) : roleOf(found.levels) };
  if (!canSee(found.visibility, viewer)) return null;
  const project = await store.findById(deps.db, found.id);
  return project && authorizeProject(project, viewer);
}

/** The projects with these full paths, whoever may see them. */
export const projectsByPath = (
  { db }: Pick<Deps, "db">,
  fullPaths: readonly string[],
): Promise<readonly Project[]> => store.findByPaths(db, fullPaths);

/** What somebody is in each of these projects, by its id; nothing for those in which they are nothing. */
export const rolesInProjects = (
  deps: Deps,
  projects: readonly Project[],
  user: User | null,
): Promise<ReadonlyMap<number, Role>> => rolesIn(deps, projects.map(placeOf), user);
/**
 * The projects whose code somebody may read, as a condition of the database on a project.
 * @param user null for somebody without an account.
 */
export const readableCodeFilter = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  user: User | null,
): Promise<InVisibleProject> => store.readableCodeFilter(db, user, clock());

/** A condition on what copies the visibility and the groups of its project. */
export type InVisibleProject = store.InVisibleProject;

export const placeOf = ({ id, fullPath, namespace }: Project) =>
  ({
    kind: "project",
    id,
    fullPath,
    groupId: namespace.kind === "group" ? namespace.group.id : null,
  }) as const;

export type ProjectSearch = Readonly<
  Partial<Omit<store.ProjectFilter, "open" | "viewerId" | "now" | "group">> & {
    /** Only projects of this group; `below`: of the groups below it, too. */
    group?: Readonly<{ of: AuthorizedGroup; below: boolean }>;
  }
>;

/** A part of the projects that somebody sees, the newest first unless asked otherwise. */
export const listProjects = (
  deps: Deps,
  user: User | null,
  { group, ...search }: ProjectSearch,
  paging: Paging,
): Promise<Page<Project>> =>
  store.list(
    deps.db,
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
      group: group && { id: group.of.id, below: group.below },
      viewerId: user?.id ?? null,
      now: deps.clock(),
    },
    paging,
  );

export type ProjectDraft = Readonly<{
  name?: string | undefined;
  path?: string | undefined;
  description?: string | undefined;
  visibility?: Visibility | undefined;
  /** Whether its repository begins with a README.md. */
  readme?: boolean | undefined;
}>;

export type ProjectOutcome =
  | { readonly project: AuthorizedProject }
  | { readonly problems: FieldErrors }
  | "not_allowed";

/**
 * Makes a project: in a group, of whom developers may, or below the maker's own name.
 * @param draft.path from the name where it is not given, and the other way round.
 */
export async function createProject(
  deps: Deps,
  user: User,
  draft: ProjectDraft,
  group: AuthorizedGroup | null,
): Promise<ProjectOutcome> {
  if (group !== null && !reaches(group.role, "developer")) return "not_allowed";
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
    const made = await deps.transaction(async (within) => {
      const project = await store.insert(within.db, { ...row, creatorId: user.id });
      await addFirstOwner(within, placeOf(project), user);
      await announceProjectCreating(within, project);
      await recordAuditEvent(within, "project.created", project, user);
      return project;
    });
    await announceProjectCreated(deps, made, { creator: user, readme: draft.readme === true });
    return authorized(made);
  } catch (cause) {
    if (isUniqueViolation(cause)) return { problems: { path: ["has already been taken"] } };
    throw cause;
  }
}

/** Changes a project. Its path stays. */
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
  return deps.transaction(async (within) => {
    const changed = await store.update(within.db, project.id, changes);
    await recordAuditEvent(within, "project.changed", changed, by);
    return { project: { ...project, ...changed } };
  });
}

/** `gone`: another caller has removed it. */
export type RemovalOutcome = "removed" | "not_allowed" | "gone";

/** Removes a project with all that belongs to it. Of any number of callers, one does. */
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

/** Notes that something happened in a project. It is not worth failing for. */
export const recordActivity = (deps: Deps, { id }: Readonly<{ id: number }>): void => {
  store.setLastActivity(deps.db, id, deps.clock()).catch((cause: unknown) => {
    deps.log.warn({ event: "project.activity_lost" }, cause);
  });
};

/** Whoever makes a project owns it. */
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

/** Whether a project lies below a person's own name, whose address would change with it. */
export const hasPersonalProjects = (deps: Pick<Deps, "db">, userId: number): Promise<boolean> =>
  store.hasPersonalProjects(deps.db, userId);

/** How many projects there are, of everybody. */
export const countProjects = (deps: Pick<Deps, "db">): Promise<number> => store.count(deps.db);

/** Until the transaction ends, no other one passes this for the same project. @returns false: there is no such project. */
export const lockProject = ({ db }: Pick<Deps, "db">, id: number): Promise<boolean> => store.lock(db, id);

/** The ids of all projects. */
export const allProjectIds = ({ db }: Pick<Deps, "db">): Promise<readonly number[]> => store.allIds(db);
