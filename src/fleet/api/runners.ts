import { z } from "zod";
import type { Principal } from "@/access/principal";
import { CONTACT_STATUSES, RUNNER_ACCESS_LEVELS, RUNNER_KINDS, type Runner } from "@/fleet/runners/rules";
import * as runners from "@/fleet/runners/service";
import {
  ApiError,
  forbidden,
  forbiddenBecause,
  invalidParameters,
  notFound,
  unacceptable,
} from "@/http-api/errors";
import { flag, id, text, whole, words } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { InGroup, InProject } from "@/workspace/api/access-rules";
import { findGroup } from "@/workspace/groups/service";
import { findProject, resourceOf } from "@/workspace/projects/service";

/** For each value of the older parameter `scope`, the corresponding filters of a list of runners. */
const SCOPES = {
  active: { paused: false },
  paused: { paused: true },
  online: { status: "online" },
  offline: { status: "offline" },
} as const satisfies Record<string, runners.RunnerSearch>;
const SCOPES_OF_ALL = {
  ...SCOPES,
  specific: { kind: { not: "instance_type" } },
  shared: { kind: "instance_type" },
} as const satisfies Record<string, runners.RunnerSearch>;
type Scope = keyof typeof SCOPES_OF_ALL;

const scopeOf = <const Word extends Scope>(words: Readonly<Record<Word, unknown>>) =>
  z
    .enum(Object.keys(words) as Word[])
    .optional()
    .meta({ deprecated: true })
    .describe("Send `type`, `status` or `paused` instead.");

/** The filters of a list of runners. */
export const runnerSearch = z.object({
  type: z.enum(RUNNER_KINDS).optional(),
  status: z
    .enum(CONTACT_STATUSES)
    .optional()
    .describe("Return only runners with this status, derived from their last contact."),
  paused: flag.optional(),
  tag_list: words.optional().describe("Return only runners that have all of these tags."),
  version_prefix: text(64)
    .regex(/^\d+(?:\.\d+)*\.?$/)
    .optional()
    .describe("Return only runners whose version begins with this text, such as 17.1."),
  scope: scopeOf(SCOPES),
});
export const everyRunnerSearch = runnerSearch.extend({ scope: scopeOf(SCOPES_OF_ALL) });

type Search = z.infer<typeof everyRunnerSearch>;

/**
 * @throws ApiError 400 if the request has both `scope` and the filter parameter that corresponds to the value
 * of `scope`.
 */
function searchFrom({ type, status, paused, tag_list, version_prefix, scope }: Search): runners.RunnerSearch {
  const filters = { kind: type, status, paused };
  const scoped: runners.RunnerSearch = scope === undefined ? {} : SCOPES_OF_ALL[scope];
  if (scoped.kind !== undefined && type !== undefined) throw exclusive("scope", "type");
  if (scoped.status !== undefined && status !== undefined) throw exclusive("scope", "status");
  if (scoped.paused !== undefined && paused !== undefined) throw exclusive("scope", "paused");
  return { ...filters, ...scoped, tags: tag_list ?? [], versionPrefix: version_prefix ?? "" };
}

const exclusive = (...names: readonly string[]) =>
  invalidParameters([`${names.join(", ")} are mutually exclusive`]);

/**
 * Returns a page of the runners that belong to projects that the caller maintains, or to groups that the
 * caller owns.
 */
export const listOwnRunners = (
  deps: Deps,
  { user }: Principal,
  input: Search,
  paging: Paging,
): Promise<Page<Runner>> => runners.listRunners(deps, { of: "user", id: user.id }, searchFrom(input), paging);

export const listAllRunners = (
  deps: Deps,
  _caller: Principal,
  input: Search,
  paging: Paging,
): Promise<Page<Runner>> => runners.listRunners(deps, { of: "all" }, searchFrom(input), paging);

/**
 * Returns a page of the runners that are available to a project: runners of the project, runners of ancestor
 * groups, and instance runners.
 */
export function listProjectRunners(
  deps: Deps,
  { project }: InProject,
  input: Search,
  paging: Paging,
): Promise<Page<Runner>> {
  const { id: projectId, groupId } = resourceOf(project);
  return runners.listRunners(deps, { of: "project", id: projectId, groupId }, searchFrom(input), paging);
}

/**
 * Returns a page of the runners that are available to a group: runners of the group, runners of ancestor
 * groups, and instance runners.
 */
export const listGroupRunners = (
  deps: Deps,
  { group }: InGroup,
  input: Search,
  paging: Paging,
): Promise<Page<Runner>> =>
  runners.listRunners(deps, { of: "group", id: group.id }, searchFrom(input), paging);

/** An empty string means null, because an HTML form cannot contain null. */
const timeout = z
  .union([z.literal("").transform(() => null), whole, z.null()])
  .meta({ type: ["integer", "null"] })
  .describe("The maximum duration of a job, in seconds. The minimum value is 600; null means no limit.");

const settings = z.object({
  description: z.string().max(4_096).optional(),
  paused: flag.optional().describe("A paused runner receives no jobs."),
  locked: flag.optional().describe("A locked runner cannot be assigned to other projects."),
  run_untagged: flag.optional().describe("Whether the runner accepts jobs without tags."),
  tag_list: words.optional(),
  access_level: z.enum(RUNNER_ACCESS_LEVELS).optional(),
  maximum_timeout: timeout.optional(),
  maintenance_note: z.string().max(4_096).optional(),
});

const changesFrom = (fields: z.infer<typeof settings>): runners.RunnerChanges => ({
  description: fields.description,
  paused: fields.paused,
  locked: fields.locked,
  runUntagged: fields.run_untagged,
  tags: fields.tag_list,
  accessLevel: fields.access_level,
  maximumTimeout: fields.maximum_timeout,
  maintenanceNote: fields.maintenance_note,
});

export const newRunner = settings.extend({
  runner_type: z.enum(RUNNER_KINDS),
  group_id: id.optional().describe("The group of a group runner."),
  project_id: id.optional().describe("The project of a project runner."),
});

/**
 * Creates a runner, and returns the runner and the authentication token of the runner.
 * @throws ApiError 400 if the input is invalid, 404 if the caller cannot see the group or project, 403 if the
 * caller does not have permission to create the runner.
 */
export async function createRunner(
  deps: Deps,
  caller: Principal,
  { runner_type, group_id, project_id, ...fields }: z.infer<typeof newRunner>,
): Promise<runners.CreatedRunner> {
  const owner = await ownerFor(deps, caller, runner_type, group_id, project_id);
  const created = await runners.createRunner(deps, caller.user, owner, changesFrom(fields));
  if (created === "not_allowed") throw forbidden();
  if ("problems" in created) throw unacceptable(created.problems);
  return created;
}

async function ownerFor(
  deps: Deps,
  { user }: Principal,
  kind: z.infer<typeof newRunner>["runner_type"],
  groupId: number | undefined,
  projectId: number | undefined,
): Promise<runners.RunnerOwner> {
  if (groupId !== undefined && projectId !== undefined) throw exclusive("group_id", "project_id");
  if (kind === "instance_type") return { kind };
  if (kind === "group_type") {
    if (groupId === undefined) throw invalidParameters(["group_id is missing"]);
    const group = await findGroup(deps, String(groupId), user);
    if (group === null) throw notFound("Group");
    return { kind, group };
  }
  if (projectId === undefined) throw invalidParameters(["project_id is missing"]);
  const project = await findProject(deps, String(projectId), user);
  if (project === null) throw notFound("Project");
  return { kind, project };
}

export const runnerReference = z.object({ id });
type Reference = z.infer<typeof runnerReference>;

const REFUSALS = {
  unknown: () => notFound("Runner"),
  no_access: () => forbiddenBecause("No access granted"),
  locked: () => forbiddenBecause("Runner is locked"),
  group_runner: () => forbiddenBecause("Runner is a group runner"),
  instance_runner: () => forbiddenBecause("Runner is an instance runner"),
  many_projects: () => forbiddenBecause("Runner associated with more than one project"),
  last_project: () =>
    forbiddenBecause("Only one project associated with the runner. Please remove the runner instead"),
  assigned: () => unacceptable({ runner_id: ["is assigned to this project already"] }),
} as const satisfies Record<string, () => ApiError>;

/**
 * Returns the result of an operation on a runner. If the operation was refused, the function throws the
 * ApiError that corresponds to the refusal.
 */
function resultOrThrow<Result>(
  outcome: Result | keyof typeof REFUSALS,
): Exclude<Result, keyof typeof REFUSALS> {
  if (typeof outcome === "string" && Object.hasOwn(REFUSALS, outcome))
    throw REFUSALS[outcome as keyof typeof REFUSALS]();
  return outcome as Exclude<Result, keyof typeof REFUSALS>;
}

/**
 * @throws ApiError 404 if the runner does not exist, 403 if the caller does not have permission to see the
 * runner.
 */
export const readRunner = async (
  deps: Deps,
  { user }: Principal,
  { id }: Reference,
): Promise<runners.RunnerDetails> => resultOrThrow(await runners.readRunner(deps, user, id));

export const runnerChanges = settings.extend({ id });

const CHANGEABLE = Object.keys(settings.shape).join(", ");

/**
 * @throws ApiError 400 if no changeable parameter was sent or a value is invalid, 404 if the runner does not
 * exist, 403 if the caller does not have permission to change the runner.
 */
export async function updateRunner(
  deps: Deps,
  { user }: Principal,
  { id, ...fields }: z.infer<typeof runnerChanges>,
): Promise<runners.RunnerDetails> {
  if (Object.values(fields).every((value) => value === undefined))
    throw invalidParameters([`${CHANGEABLE} are missing, at least one parameter must be provided`]);
  const outcome = resultOrThrow(await runners.updateRunner(deps, user, id, changesFrom(fields)));
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome;
}

/** @throws ApiError 404 if the runner does not exist, 403 if the caller may not delete the runner. */
export const deleteRunner = async (deps: Deps, { user }: Principal, { id }: Reference): Promise<null> =>
  resultOrThrow(await runners.deleteRunner(deps, user, id));

/** @throws ApiError 404 if the runner does not exist, 403 if the caller may not reset the token. */
export const resetToken = async (
  deps: Deps,
  { user }: Principal,
  { id }: Reference,
): Promise<runners.CreatedRunner> => resultOrThrow(await runners.resetToken(deps, user, id));

export const projectRunner = z.object({ runner_id: id });

/** @throws ApiError 400, 403 or 404 if the runner cannot be assigned to the project. */
export const assignRunner = async (
  deps: Deps,
  { project, user }: InProject,
  { runner_id }: z.infer<typeof projectRunner>,
): Promise<Runner> => resultOrThrow(await runners.assignRunner(deps, user, project, runner_id));

/**
 * @throws ApiError 403 if the project is the last project of the runner, 404 if the runner is not assigned to
 * the project.
 */
export const unassignRunner = async (
  deps: Deps,
  { project, user }: InProject,
  { runner_id }: z.infer<typeof projectRunner>,
): Promise<null> => resultOrThrow(await runners.unassignRunner(deps, user, project, runner_id));

const SAID_CHARACTERS_MAX = 255;

/**
 * Invalid runner information never causes an error: a long text is truncated, and a value of another type is
 * ignored.
 */
const infoText = z
  .string()
  .transform((word) => word.slice(0, SAID_CHARACTERS_MAX))
  .optional()
  .catch(undefined);

const info = z
  .object({
    name: infoText,
    version: infoText,
    revision: infoText,
    platform: infoText,
    architecture: infoText,
    executor: infoText,
  })
  .optional()
  .catch(undefined)
  .meta({ type: "object" })
  .describe("Information about the runner: name, version, revision, platform, architecture, executor.");

/** The parameter with the authentication token of the runner itself, not a token of a user. */
export const runnerCall = z.object({ token: text(255).min(1) });
export const runnerCallWithInfo = runnerCall.extend({ info });
type RunnerCall = z.infer<typeof runnerCallWithInfo>;

export const runnerRegistration = runnerCallWithInfo.extend({
  paused: flag
    .optional()
    .describe("Has no effect: a registration does not change the settings of the runner."),
});

const infoFrom = ({ info: words = {} }: RunnerCall) =>
  Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined && word !== ""));

/**
 * Verifies the token of a runner, and records the time of this contact.
 * @throws ApiError 403 if the token is unknown.
 */
export async function verifyRunner(
  deps: Deps,
  _caller: Principal | null,
  fields: RunnerCall,
): Promise<runners.CreatedRunner> {
  const runner = await runners.recordContact(deps, fields.token, infoFrom(fields));
  if (runner === null) throw forbidden();
  return { runner, token: fields.token };
}

/**
 * Registers a runner that was created in this instance. To register, a runner sends its authentication token.
 * Settings in the request are ignored: the runner keeps the settings with which it was created.
 * @throws ApiError 410 for registration tokens, 403 if the token is unknown.
 */
export async function registerRunner(
  deps: Deps,
  caller: Principal | null,
  fields: RunnerCall,
): Promise<runners.CreatedRunner> {
  if (!runners.isRunnerToken(fields.token)) throw registrationIsGone();
  return verifyRunner(deps, caller, fields);
}

const registrationIsGone = (): ApiError =>
  new ApiError(410, {
    message:
      "410 Gone - Registration tokens are not supported. Create the runner with POST /user/runners and register the runner with the returned token.",
  });

/**
 * Handles the job request of a runner, and records the time of this contact. The response never contains a
 * job, because this instance runs no jobs.
 * @throws ApiError 403 if the token is unknown.
 */
export async function requestJob(deps: Deps, caller: Principal | null, fields: RunnerCall): Promise<null> {
  await verifyRunner(deps, caller, fields);
  return null;
}

/** @throws ApiError 403 if the token is unknown. */
export async function deregisterRunner(
  deps: Deps,
  _caller: Principal | null,
  { token }: z.infer<typeof runnerCall>,
): Promise<null> {
  if (!(await runners.deregister(deps, token))) throw forbidden();
  return null;
}

/** @throws ApiError 403 if the token is unknown or was already replaced. */
export async function resetOwnToken(
  deps: Deps,
  _caller: Principal | null,
  { token }: z.infer<typeof runnerCall>,
): Promise<runners.CreatedRunner> {
  const reset = await runners.resetOwnToken(deps, token);
  if (reset === null) throw forbidden();
  return reset;
}
