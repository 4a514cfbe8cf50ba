"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { protectedBranchesPath } from "./loaders";
import { PROTECTED_BRANCHES_MAX, WILDCARDS_MAX } from "./rules";
import { type ProtectionDraft, readProtectionForm, readRuleName } from "./schema";
import * as service from "./service";

/** The state of the branch protection form: the submitted values, and the error text for the name, if any. */
export type ProtectionFormState = Readonly<{ draft: ProtectionDraft; error: string | null }>;

const requireMaintainer = (form: FormData) =>
  requireProject(readReference(form, "project"), protectedBranchesPath, "maintainer");

const ERRORS: Readonly<Record<service.ProtectionRefusal, string>> = {
  not_allowed: "Only maintainers of the project can protect branches.",
  bad_name: `Enter a branch name, with at most ${WILDCARDS_MAX} wildcards (*).`,
  taken: "This branch is already protected. To change the protection, first unprotect the branch.",
  too_many: `A project can have at most ${PROTECTED_BRANCHES_MAX} protected branches. Unprotect a branch first, or use a wildcard.`,
};

export async function protectBranch(
  _before: ProtectionFormState,
  form: FormData,
): Promise<ProtectionFormState> {
  const { project, session } = await requireMaintainer(form);
  const draft = readProtectionForm(form);
  if (draft.name === "") return { draft, error: "Enter the name of a branch, or a wildcard." };
  const rule = await service.protectBranch(systemDeps(), project, draft, session.user);
  if (typeof rule === "string") return { draft, error: ERRORS[rule] };
  await setFlash("The branch is protected.");
  redirect(protectedBranchesPath(`${PROJECTS}/${project.id}`));
}

export async function unprotectBranch(form: FormData): Promise<void> {
  const { project, session } = await requireMaintainer(form);
  if (await service.unprotectBranch(systemDeps(), project, readRuleName(form), session.user))
    await setFlash("The branch is no longer protected.");
  redirect(protectedBranchesPath(`${PROJECTS}/${project.id}`));
}
