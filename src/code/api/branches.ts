import { z } from "zod";
import { type BranchRights, type ProtectedBranch, rightsFor } from "@/code/protected-branches/rules";
import { branchRights, readPushRules, readRules } from "@/code/protected-branches/service";
import { changeAsPush, recordPush, referenceOf } from "@/code/pushes/service";
import * as references from "@/code/repositories/reference";
import { findCommit } from "@/code/repositories/revision";
import { ApiError, badRequest, invalidParameters, notFound } from "@/http-api/errors";
import { text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { compilePattern } from "@/kernel/text/pattern";
import type { InProject, OpenProject } from "@/workspace/api/access-rules";
import type { BranchWithRights } from "./entities/repository";
import { nameSearch, revision } from "./fields";
import { partByToken } from "./page-token";

export const branchSearch = nameSearch.extend({
  regex: z
    .string()
    .refine((pattern) => compilePattern(pattern) !== null, { message: "regex is invalid" })
    .optional()
    .describe("A regular expression (RE2, at most 100 characters) that matches anywhere in the name."),
  sort: z.enum(["name_asc", "updated_asc", "updated_desc"]).default("name_asc"),
});

const withRights = (
  { project }: OpenProject,
  rules: readonly ProtectedBranch[],
  branch: references.Branch,
): BranchWithRights => ({
  project,
  item: { ...branch, rights: rightsFor(rules, branch.name, project.role) },
});

export async function listBranches(
  deps: Deps,
  caller: OpenProject,
  { search, regex, sort }: z.infer<typeof branchSearch>,
  paging: Paging,
): Promise<Page<BranchWithRights>> {
  if (search !== undefined && regex !== undefined)
    throw invalidParameters(["search, regex are mutually exclusive"]);
  const { rules } = await readRules(deps, caller.project);
  const all = await references.listBranches(deps, caller.project, search ?? "");
  const pattern = regex === undefined ? null : compilePattern(regex);
  const branches = sortBranches(all, sort).filter(({ name }) => pattern?.test(name) ?? true);
  const page = partByToken(branches, paging, ({ name }) => name);
  return { ...page, rows: page.rows.map((branch) => withRights(caller, rules, branch)) };
}

/**
 * Sorts branches by the dates of their head commits if the parameter `sort` of the request selects this
 * order.
 * @param branches the branches, ordered by name.
 */
function sortBranches(
  branches: readonly references.Branch[],
  sort: z.infer<typeof branchSearch>["sort"],
): readonly references.Branch[] {
  if (sort === "name_asc") return branches;
  const sign = sort === "updated_asc" ? 1 : -1;
  const dateOf = ({ commit }: references.Branch): number => commit.committer.at.getTime();
  return branches.toSorted((a, b) => sign * (dateOf(a) - dateOf(b)));
}

export const branchReference = z.object({ branch: text(255) });

/**
 * Returns a branch with the caller's rights on the branch.
 * @throws ApiError 404 if the branch does not exist.
 */
export async function readBranch(
  deps: Deps,
  caller: OpenProject,
  { branch }: z.infer<typeof branchReference>,
): Promise<BranchWithRights> {
  const row = await references.findBranch(deps, caller.project, branch);
  if (row === null) throw notFound("Branch");
  return withRights(caller, (await readRules(deps, caller.project)).rules, row);
}

export const newBranch = z.object({ branch: text(255), ref: revision });

/** Creates a branch. @throws ApiError 400 with the error message that GitLab would send. */
export async function createBranch(
  deps: Deps,
  caller: InProject,
  { branch, ref }: z.infer<typeof newBranch>,
): Promise<BranchWithRights> {
  const { rules } = await readRules(deps, caller.project);
  const rights = rightsFor(rules, branch, caller.project.role);
  if (!rights.mayMerge || !(await mayBegin(deps, caller, rights)))
    throw unacceptableBranch("You are not allowed to create protected branches on this project.");
  const commit = await findCommit(deps, caller.project, ref);
  if (commit === null) throw branchRefused("no_commit");
  if (!rights.mayPush && !(await isInProtectedBranch(deps, caller, rules, commit)))
    throw unacceptableBranch(
      "You can only use an existing protected branch ref as the basis of a new protected branch.",
    );
  return withRights(caller, rules, await createAndRecord(deps, caller, branch, commit));
}

/**
 * Returns whether the user may create this branch. While a repository has no default branch, the next push
 * makes an existing branch the default branch. In such a repository, only users who may push to the default
 * branch can create a branch. The update hook applies the rule of this function to the first branch that a
 * push creates in a repository.
 */
const mayBegin = async (
  deps: Deps,
  { project }: InProject,
  { isProtected, mayPush }: BranchRights,
): Promise<boolean> =>
  (isProtected && mayPush) ||
  references.defaultBranch(deps, project) !== null ||
  (await readPushRules(deps, project)).mayBegin;

/**
 * Creates a branch, and records the creation as a push by the user. The user therefore counts as a committer
 * of the head commit of the branch.
 */
async function createAndRecord(
  deps: Deps,
  { project, user }: InProject,
  branch: string,
  commit: string,
): Promise<references.Branch> {
  const created = await changeAsPush(
    deps,
    { project, user },
    { branch, before: null, after: commit },
    {
      run: () => references.createBranch(deps, project, { name: branch, revision: commit }),
      isChanged: (outcome) => typeof outcome !== "string",
    },
  );
  if (typeof created === "string") throw branchRefused(created);
  return created;
}

/**
 * Returns whether a protected branch contains a commit. Users who may merge but not push can create a
 * protected branch only from a commit that a protected branch contains.
 */
async function isInProtectedBranch(
  deps: Deps,
  { project }: InProject,
  rules: readonly ProtectedBranch[],
  commit: string,
): Promise<boolean> {
  const names = await references.branchesWith(deps, project, commit);
  return names.some((name) => rightsFor(rules, name, null).isProtected);
}

/**
 * Deletes a branch.
 * @throws ApiError 404 if the branch does not exist, 400 for the default branch or a protected branch.
 */
export async function removeBranch(
  deps: Deps,
  { project, user }: InProject,
  { branch }: z.infer<typeof branchReference>,
): Promise<null> {
  if (!(await branchRights(deps, project, branch)).mayDelete)
    throw unacceptableBranch(
      "You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.",
    );
  const removed = await references.removeBranch(deps, project, branch);
  if (typeof removed === "string") throw branchRefused(removed);
  const deleted = referenceOf({ branch, before: removed.commit.hash, after: null });
  await recordPush(deps, { project, user }, [deleted]);
  return null;
}

const unacceptableBranch = (message: string): ApiError => new ApiError(400, { message });

function branchRefused(refusal: references.BranchRefusal) {
  if (refusal === "not_found") return notFound("Branch");
  if (refusal === "exists") return badRequest("Branch already exists");
  if (refusal === "no_commit") return badRequest("Invalid reference name");
  return badRequest(refusal === "default" ? "Cannot remove the default branch" : "Branch name is invalid");
}
