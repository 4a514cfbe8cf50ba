import { z } from "zod";
import {
  ACCESS_LEVELS,
  DEFAULT_PROTECTION,
  PROTECTED_BRANCHES_MAX,
  type ProtectedBranch,
  WILDCARDS_MAX,
} from "@/code/protected-branches/rules";
import * as service from "@/code/protected-branches/service";
import { conflict, forbidden, notFound, unprocessable } from "@/http-api/errors";
import { flag, text, whole } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";
import type { InProject, OpenProject } from "@/workspace/api/access-rules";

const name = text(255).min(1);
const accessLevel = whole
  .pipe(z.literal([...ACCESS_LEVELS]))
  .default(40)
  .describe("Access levels: 0 is no one, 30 is developers and maintainers, 40 is maintainers.");

export const protectedBranchSearch = z.object({ search: text(255).optional() });

/** Returns the protected branches of a project in the format of the API. */
export const listProtectedBranches = async (
  deps: Deps,
  { project }: OpenProject,
  { search }: z.infer<typeof protectedBranchSearch>,
  paging: Paging,
): Promise<Page<ProtectedBranch>> =>
  partOf(await service.listProtectedBranches(deps, project, search), paging);

export const protectedBranchReference = z.object({
  name: name.describe("The name of a branch, or a wildcard such as release/*."),
});
type Reference = z.infer<typeof protectedBranchReference>;

/** Returns a protected branch. @throws ApiError 404 if the project has no rule with this name. */
export async function readProtectedBranch(
  deps: Deps,
  { project }: OpenProject,
  { name }: Reference,
): Promise<ProtectedBranch> {
  const rule = await service.findProtectedBranch(deps, project, name);
  if (rule === null) throw notFound();
  return rule;
}

export const newProtectedBranch = protectedBranchReference.extend({
  push_access_level: accessLevel,
  merge_access_level: accessLevel,
  allow_force_push: flag
    .default(DEFAULT_PROTECTION.allowForcePush)
    .describe("Users who are allowed to push may also force-push."),
});

/**
 * Protects a branch, or every branch that a wildcard matches.
 * @throws ApiError 409 if the name is already protected, 422 if the name is not a valid branch name.
 */
export async function protectBranch(
  deps: Deps,
  { project, user }: InProject,
  input: z.infer<typeof newProtectedBranch>,
): Promise<ProtectedBranch> {
  const rule = await service.protectBranch(
    deps,
    project,
    {
      name: input.name,
      pushAccessLevel: input.push_access_level,
      mergeAccessLevel: input.merge_access_level,
      allowForcePush: input.allow_force_push,
    },
    user,
  );
  if (rule === "not_allowed") throw forbidden();
  if (rule === "taken") throw conflict(`Protected branch '${input.name}' already exists`);
  if (rule === "bad_name")
    throw unprocessable([`Name must be a branch name, with at most ${WILDCARDS_MAX} wildcards`]);
  if (rule === "too_many")
    throw unprocessable([`A project has at most ${PROTECTED_BRANCHES_MAX} protected branches`]);
  return rule;
}

export const protectionChange = protectedBranchReference.extend({ allow_force_push: flag.optional() });

/**
 * Changes the rule that protects a branch.
 * @throws ApiError 404 if the project has no rule with this name.
 */
export async function changeProtection(
  deps: Deps,
  { project, user }: InProject,
  { name, allow_force_push }: z.infer<typeof protectionChange>,
): Promise<ProtectedBranch> {
  const changes = allow_force_push === undefined ? {} : { allowForcePush: allow_force_push };
  const changed = await service.changeProtection(deps, project, name, changes, user);
  if (changed === null) throw notFound();
  return changed;
}

/** Deletes the rule that protects a branch. @throws ApiError 404 if the project has no rule with this name. */
export async function unprotectBranch(
  deps: Deps,
  { project, user }: InProject,
  { name }: Reference,
): Promise<null> {
  if (!(await service.unprotectBranch(deps, project, name, user))) throw notFound();
  return null;
}
