import type { User } from "@/access/principal";
import { ROLES, type Role, reaches } from "@/access/roles";
import * as audit from "@/instance/audit/service";
import { digest, newToken, TOKEN_PREFIXES } from "@/kernel/crypto/token";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { firstPage, type Page, type Paging } from "@/kernel/paging/paging";
import type { AuthorizedGroup, Group } from "@/workspace/groups/rules";
import { findGroup } from "@/workspace/groups/service";
import type { FieldErrors } from "@/workspace/naming/path";
import type { AuthorizedProject, Project } from "@/workspace/projects/rules";
import { listProjects } from "@/workspace/projects/service";
import {
  distinctTags,
  isContactOutdated,
  type Runner,
  type RunnerInfo,
  type RunnerKind,
  type RunnerSettings,
  runnerProblems,
} from "./rules";
import * as store from "./store";

/** A runner with its new token in plain text. The token is shown once and never stored in plain text. */
export type CreatedRunner = Readonly<{ runner: Runner; token: string }>;

/** The owner of a new runner: the instance, a group or a project. */
export type RunnerOwner =
  | Readonly<{ kind: "instance_type" }>
  | Readonly<{ kind: "group_type"; group: AuthorizedGroup }>
  | Readonly<{ kind: "project_type"; project: AuthorizedProject }>;

type Given<Settings> = { readonly [Key in keyof Settings]?: Settings[Key] | undefined };
export type RunnerChanges = Given<RunnerSettings & Readonly<{ tags: readonly string[] }>>;

const DEFAULTS: RunnerSettings = {
  description: "",
  paused: false,
  locked: false,
  runUntagged: true,
  accessLevel: "not_protected",
  maximumTimeout: null,
  maintenanceNote: null,
};

/**
 * Creates a runner. Only an administrator can create an instance runner, only an owner of the group can
 * create a group runner, and only a maintainer of the project can create a project runner.
 */
export async function createRunner(
  deps: Deps,
  user: User,
  owner: RunnerOwner,
  { tags = [], ...changes }: RunnerChanges,
): Promise<CreatedRunner | { readonly problems: FieldErrors } | "not_allowed"> {
  if (!mayCreate(user, owner)) return "not_allowed";
  const settings = changed(DEFAULTS, changes);
  const labels = distinctTags(tags);
  const problems = runnerProblems(settings, labels);
  if (problems !== null) return { problems };
  const token = newToken(deps.randomBytes, "runner");
  const runner = await deps.transaction(async (within) => {
    const runner = await store.insert(within.db, {
      ...settings,
      kind: owner.kind,
      digest: digest(token),
      groupId: owner.kind === "group_type" ? owner.group.id : null,
      projectId: owner.kind === "project_type" ? owner.project.id : null,
      createdAt: within.clock(),
      tags: labels,
    });
    await recordAudit(within, "runner.created", runner, user);
    return runner;
  });
  return { runner, token };
}

function mayCreate(user: User, owner: RunnerOwner): boolean {
  if (owner.kind === "instance_type") return user.admin;
  return owner.kind === "group_type"
    ? reaches(owner.group.role, "owner")
    : reaches(owner.project.role, "maintainer");
}

/** Applies changes to the settings of a runner. */
const changed = (before: RunnerSettings, changes: Given<RunnerSettings>): RunnerSettings => ({
  ...before,
  ...(Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<RunnerSettings>),
});

const recordAudit = (
  deps: Deps,
  name: "runner.created" | "runner.changed" | "runner.removed" | "runner.token_reset",
  { id, kind }: Runner,
  by: User | null,
): Promise<void> => audit.record(deps, name, { id, kind }, { userId: by?.id ?? null });

export type RunnerSearch = Partial<store.RunnerFilter>;

/**
 * Returns a page of the runners in the set `visibility`. The caller of the function must check that the user
 * may see these runners.
 */
export const listRunners = (
  deps: Deps,
  visibility: store.RunnerVisibility,
  search: RunnerSearch,
  paging: Paging,
): Promise<Page<Runner>> => {
  return store.list(deps, visibility, { ...EVERYTHING, ...search }, deps.clock(), paging);
};

const EVERYTHING: store.RunnerFilter = {
  kind: undefined,
  status: undefined,
  paused: undefined,
  tags: [],
  versionPrefix: "",
};

export const countRunners = (
  deps: Deps,
  visibility: store.RunnerVisibility,
  search: RunnerSearch,
): Promise<number> => store.count(deps, visibility, { ...EVERYTHING, ...search }, deps.clock());

/** Returns the tags of runners, with the runner id as key. The map omits runners without tags. */
export const tagsOfAll = (
  deps: Deps,
  runners: readonly Runner[],
): Promise<ReadonlyMap<number, readonly string[]>> =>
  store.tagsOfAll(
    deps.reads,
    runners.map(({ id }) => id),
  );

/** A runner with its details. */
export type RunnerDetails = Runner &
  Readonly<{
    tags: readonly string[];
    /** The first page of the runner's projects, without projects that the viewer cannot see. */
    projects: readonly Project[];
    groups: readonly Group[];
  }>;

/** The reason why a user cannot see or change a runner. */
export type RunnerRefusal = "unknown" | "no_access";

/**
 * Returns a runner with its details. Instance runners are visible to all users. Group runners and project
 * runners are visible to the users who manage the runner.
 */
export async function readRunner(deps: Deps, user: User, id: number): Promise<RunnerDetails | RunnerRefusal> {
  const runner = await store.findById(deps.reads, id);
  if (runner === null) return "unknown";
  return (await maySee(deps, user, runner)) ? detailsOf(deps, user, runner) : "no_access";
}

const maySee = async (deps: Deps, user: User, runner: Runner): Promise<boolean> =>
  runner.kind === "instance_type" || (await hasRole(deps, user, runner, "maintainer"));

const mayManage = (deps: Deps, user: User, runner: Runner): Promise<boolean> =>
  hasRole(deps, user, runner, "owner");

/**
 * Returns whether a user has at least this role in the group of a runner, or is a maintainer of one of the
 * runner's projects. The result is true for administrators.
 */
async function hasRole(deps: Deps, user: User, runner: Runner, inGroup: Role): Promise<boolean> {
  if (user.admin) return true;
  if (runner.kind === "instance_type") return false;
  if (runner.kind === "group_type") {
    const group = await findGroup(deps, String(runner.groupId), user);
    return group !== null && reaches(group.role, inGroup);
  }
  const mine = { runnerId: runner.id, memberOnly: true, minLevel: ROLES.maintainer.level };
  const { rows } = await listProjects(deps, user, mine, firstPage(1, { descending: false }));
  return rows.length > 0;
}

const PROJECTS_SHOWN = 100;

async function detailsOf(deps: Deps, user: User, runner: Runner): Promise<RunnerDetails> {
  const [tags, projects, group] = await Promise.all([
    store.tagsOf(deps.reads, runner.id),
    runner.kind === "project_type"
      ? listProjects(deps, user, { runnerId: runner.id }, firstPage(PROJECTS_SHOWN, { descending: false }))
      : { rows: [] },
    runner.groupId === null ? null : findGroup(deps, String(runner.groupId), user),
  ]);
  return { ...runner, tags, projects: projects.rows, groups: group === null ? [] : [group] };
}

/** Changes the settings of a runner. Settings that the request does not contain stay unchanged. */
export async function updateRunner(
  deps: Deps,
  user: User,
  id: number,
  { tags, ...changes }: RunnerChanges,
): Promise<RunnerDetails | { readonly problems: FieldErrors } | RunnerRefusal> {
  const labels = tags === undefined ? undefined : distinctTags(tags);
  const outcome = await deps.transaction(
    async (within): Promise<Runner | { readonly problems: FieldErrors } | RunnerRefusal> => {
      await store.lock(within.db, id);
      const before = await store.findById(within.reads, id);
      if (before === null) return "unknown";
      if (!(await mayManage(within, user, before))) return "no_access";
      const settings = changed(settingsOf(before), changes);
      const problems = runnerProblems(settings, labels ?? (await store.tagsOf(within.reads, id)));
      if (problems !== null) return { problems };
      const runner = await store.update(within.db, id, settings, labels);
      await recordAudit(within, "runner.changed", runner, user);
      return runner;
    },
  );
  if (typeof outcome === "string" || "problems" in outcome) return outcome;
  return detailsOf(deps, user, outcome);
}

const settingsOf = (runner: Runner): RunnerSettings => ({
  description: runner.description,
  paused: runner.paused,
  locked: runner.locked,
  runUntagged: runner.runUntagged,
  accessLevel: runner.accessLevel,
  maximumTimeout: runner.maximumTimeout,
  maintenanceNote: runner.maintenanceNote,
});

/**
 * Deletes a runner and the token of the runner. Only administrators can delete a runner that is assigned to
 * several projects. The result is null if the runner was deleted, and otherwise the reason for the refusal.
 */
export const deleteRunner = (
  deps: Deps,
  user: User,
  id: number,
): Promise<RunnerRefusal | "many_projects" | null> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, id);
    const runner = await store.findById(within.reads, id);
    if (runner === null) return "unknown";
    if (!(await mayManage(within, user, runner))) return "no_access";
    if (!user.admin && (await store.countProjects(within.db, id)) > 1) return "many_projects";
    return removed(within, runner, user);
  });

async function removed(deps: Deps, runner: Runner, by: User | null): Promise<null> {
  if (await store.remove(deps.db, runner.id)) await recordAudit(deps, "runner.removed", runner, by);
  return null;
}

/** Replaces the token of a runner. The old token stops working immediately. */
export const resetToken = (deps: Deps, user: User, id: number): Promise<CreatedRunner | RunnerRefusal> =>
  deps.transaction(async (within) => {
    const runner = await store.findById(within.reads, id);
    if (runner === null) return "unknown";
    if (!(await mayManage(within, user, runner))) return "no_access";
    return (await replaceToken(within, runner, user)) ?? "unknown";
  });

/**
 * @param before the current token of the runner. If `before` is set, only one of several concurrent callers
 * can replace the token.
 */
async function replaceToken(
  deps: Deps,
  runner: Runner,
  by: User | null,
  before?: string,
): Promise<CreatedRunner | null> {
  const token = newToken(deps.randomBytes, "runner");
  const currentDigest = before === undefined ? undefined : digest(before);
  if (!(await store.setDigest(deps.db, runner.id, digest(token), currentDigest))) return null;
  await recordAudit(deps, "runner.token_reset", runner, by);
  return { runner, token };
}

export type AssignRefusal = RunnerRefusal | "locked" | "group_runner" | "instance_runner" | "assigned";

/** Assigns a project runner to another project of which the caller is a maintainer. */
export async function assignRunner(
  deps: Deps,
  user: User,
  project: AuthorizedProject,
  runnerId: number,
): Promise<Runner | AssignRefusal> {
  try {
    return await deps.transaction(async (within) => {
      await store.lock(within.db, runnerId);
      const runner = await store.findById(within.reads, runnerId);
      if (runner === null) return "unknown";
      const refusal = UNASSIGNABLE[runner.kind] ?? (runner.locked && !user.admin ? "locked" : null);
      if (refusal !== null) return refusal;
      if (!(await mayManage(within, user, runner))) return "no_access";
      await store.assign(within.db, runnerId, project.id);
      await recordProjectAudit(within, "runner.assigned", runner, project, user);
      return runner;
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "assigned";
    throw cause;
  }
}

const UNASSIGNABLE = {
  instance_type: "instance_runner",
  group_type: "group_runner",
  project_type: null,
} as const satisfies Record<RunnerKind, AssignRefusal | null>;

/**
 * Removes a runner from a project of which the caller is a maintainer, unless the project is the only project
 * of the runner. The result is null on success.
 */
export const unassignRunner = (
  deps: Deps,
  user: User,
  project: AuthorizedProject,
  runnerId: number,
): Promise<"unknown" | "last_project" | null> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, runnerId);
    const runner = await store.findById(within.reads, runnerId);
    if (runner === null || !(await store.isAssigned(within.db, runnerId, project.id))) return "unknown";
    if ((await store.countProjects(within.db, runnerId)) === 1) return "last_project";
    await store.unassign(within.db, runnerId, project.id);
    await recordProjectAudit(within, "runner.unassigned", runner, project, user);
    return null;
  });

const recordProjectAudit = (
  deps: Deps,
  name: "runner.assigned" | "runner.unassigned",
  { id, kind }: Runner,
  { fullPath: path }: Project,
  by: User,
): Promise<void> => audit.record(deps, name, { id, kind, path }, { userId: by.id });

/** Returns whether a text has the prefix of runner tokens. */
export const isRunnerToken = (token: string): boolean => token.startsWith(TOKEN_PREFIXES.runner);

/**
 * Records the time at which a runner last contacted the server. The time is also recorded for a paused
 * runner.
 * @param info the information that the runner sent; absent fields stay unchanged.
 * @returns the runner; null if the token is unknown.
 */
export async function recordContact(
  deps: Deps,
  token: string,
  info: Partial<RunnerInfo> = {},
): Promise<Runner | null> {
  const runner = isRunnerToken(token) ? await store.findByDigest(deps.db, digest(token)) : null;
  if (runner === null) return null;
  const now = deps.clock();
  if (isContactOutdated(runner, info, now)) await store.recordContact(deps.db, runner.id, info, now);
  return runner;
}

/** Deletes the runner with this token. The result is false if the token is unknown. */
export const deregister = (deps: Deps, token: string): Promise<boolean> =>
  deps.transaction(async (within) => {
    const runner = await store.findByDigest(within.db, digest(token));
    if (runner !== null) await removed(within, runner, null);
    return runner !== null;
  });

/**
 * Replaces the token with which a runner has authenticated. The result is null if the token is unknown or was
 * already replaced.
 */
export const resetOwnToken = (deps: Deps, token: string): Promise<CreatedRunner | null> =>
  deps.transaction(async (within) => {
    const runner = await store.findByDigest(within.db, digest(token));
    return runner && replaceToken(within, runner, null, token);
  });
