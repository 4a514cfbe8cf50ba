"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { mergeRequestSettingsPath, PROJECTS, requireProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { approvalsRequiredIn, changeConfiguration } from "./configuration";
import * as approvalRules from "./rule-editing";
import { APPROVALS_REQUIRED_MAX, RULE_NAME_CHARACTERS_MAX, RULES_MAX } from "./rules";
import {
  type ApprovalsDraft,
  countIn,
  type RuleFormDraft,
  readApprovalsForm,
  readRuleForm,
  usernamesIn,
} from "./schema";

const COUNT_PROBLEM = `Enter a whole number from 0 to ${APPROVALS_REQUIRED_MAX}.`;

const requireMaintainedProject = (form: FormData) =>
  requireProject(readReference(form, "project"), mergeRequestSettingsPath, "maintainer");

const homeOf = ({ id }: AuthorizedProject): string => mergeRequestSettingsPath(`${PROJECTS}/${id}`);

/** The state of the approval settings form: the entered values, and the error text for the number of approvals. */
export type ApprovalsFormState = Readonly<{ draft: ApprovalsDraft; problem: string | null }>;

export async function changeApprovals(
  _before: ApprovalsFormState,
  form: FormData,
): Promise<ApprovalsFormState> {
  const { project, session } = await requireMaintainedProject(form);
  const deps = systemDeps();
  const draft = readApprovalsForm(form);
  const approvalsRequired = countIn(draft.approvalsRequired);
  if (approvalsRequired === null) return { draft, problem: COUNT_PROBLEM };
  // The any-approver rule is stored only if the number of approvals has changed. If the rule were always
  // stored, the form would create an any-approver rule that requires 0 approvals.
  const isSame = approvalsRequired === (await approvalsRequiredIn(deps, project));
  const changes = { ...draft.switches, ...(isSame ? {} : { approvalsRequired }) };
  await changeConfiguration(deps, project, changes, session.user);
  await setFlash("The approval settings are saved.");
  redirect(homeOf(project));
}

type RuleProblems = Readonly<Partial<Record<keyof RuleFormDraft, readonly string[]>>>;

/**
 * The state of the approval rule form. `refusal` is an error text that does not belong to a single form
 * field.
 */
export type RuleFormState = Readonly<{
  draft: RuleFormDraft;
  problems: RuleProblems;
  refusal: string | null;
}>;

export async function addRule(_before: RuleFormState, form: FormData): Promise<RuleFormState> {
  const { project, session } = await requireMaintainedProject(form);
  const draft = readRuleForm(form);
  const validated = await validateRule(project, draft, false);
  if ("problems" in validated) return { draft, problems: validated.problems, refusal: null };
  const rule = { ...validated, ruleType: "regular" } as const;
  const outcome = await approvalRules.createRule(systemDeps(), project, rule, session.user);
  if (typeof outcome === "string") return { draft, ...refused(outcome) };
  await setFlash("The rule is added.");
  redirect(homeOf(project));
}

export async function changeRule(_before: RuleFormState, form: FormData): Promise<RuleFormState> {
  const { project, session } = await requireMaintainedProject(form);
  const deps = systemDeps();
  const draft = readRuleForm(form);
  const ruleId = ruleIn(form);
  const before = await approvalRules.findRule(deps, project, session.user, ruleId);
  const validated = await validateRule(project, draft, (before?.rule.groupIds.length ?? 0) > 0);
  if ("problems" in validated) return { draft, problems: validated.problems, refusal: null };
  const changed = await approvalRules.changeRule(deps, project, ruleId, validated, session.user);
  if (typeof changed === "string") return { draft, ...refused(changed) };
  await setFlash("The rule is saved.");
  redirect(homeOf(project));
}

export async function removeRule(form: FormData): Promise<void> {
  const { project, session } = await requireMaintainedProject(form);
  if (await approvalRules.removeRule(systemDeps(), project, ruleIn(form), session.user))
    await setFlash("The rule is deleted.");
  redirect(homeOf(project));
}

const ruleIn = (form: FormData): number => readId(readReference(form, "rule_id")) ?? 0;

type Rule = Readonly<{ name: string; approvalsRequired: number; usernames: readonly string[] }>;

/**
 * Returns the approval rule that the submitted form describes, or the error texts with the form field as key.
 */
async function validateRule(
  project: AuthorizedProject,
  { name, ...typed }: RuleFormDraft,
  hasGroups: boolean,
): Promise<Rule | Readonly<{ problems: RuleProblems }>> {
  const approvalsRequired = countIn(typed.approvalsRequired);
  const usernames = usernamesIn(typed.usernames);
  const isNamed = name !== "" && name.length <= RULE_NAME_CHARACTERS_MAX;
  const usersProblems = await usersProblemsOf(project, usernames, hasGroups);
  if (isNamed && approvalsRequired !== null && usersProblems.length === 0)
    return { name, approvalsRequired, usernames };
  return {
    problems: {
      ...(isNamed
        ? {}
        : { name: [name === "" ? "Enter a name." : `Use at most ${RULE_NAME_CHARACTERS_MAX} characters.`] }),
      ...(approvalsRequired === null ? { approvalsRequired: [COUNT_PROBLEM] } : {}),
      ...(usersProblems.length === 0 ? {} : { usernames: usersProblems }),
    },
  };
}

/** The maximum number of usernames in an approval rule, as in the API. */
const USERS_MAX = 100;

async function usersProblemsOf(
  project: AuthorizedProject,
  usernames: readonly string[],
  hasGroups: boolean,
): Promise<readonly string[]> {
  if (usernames.length === 0 && !hasGroups)
    return ["Enter at least one username. A rule without approvers can never be satisfied."];
  if (usernames.length > USERS_MAX) return [`Enter at most ${USERS_MAX} usernames.`];
  const nonMembers = await approvalRules.findNonMembers(systemDeps(), project, usernames);
  return nonMembers.map((username) => `@${username} is not a member of this project.`);
}

const refused = (refusal: approvalRules.RuleRefusal): Omit<RuleFormState, "draft"> =>
  refusal === "taken"
    ? { problems: { name: ["A rule with this name already exists."] }, refusal: null }
    : { problems: {}, refusal: REFUSAL_TEXTS[refusal] };

const REFUSAL_TEXTS = {
  too_many: `A project can have at most ${RULES_MAX} rules. Delete a rule first.`,
  not_found: "The rule was deleted by another user.",
} as const;
