"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { mergeRequestSettingsPath, PROJECTS, requireProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
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
import { approvalsRequiredIn, changeConfiguration } from "./service";

const COUNT_PROBLEM = `Give a whole number from 0 to ${APPROVALS_REQUIRED_MAX}.`;

const maintained = (form: FormData) =>
  requireProject(readReference(form, "project"), mergeRequestSettingsPath, "maintainer");

const homeOf = ({ id }: AuthorizedProject): string => mergeRequestSettingsPath(`${PROJECTS}/${id}`);

/** What the form shows next: what was typed, and what is wrong with it. */
export type ApprovalsFormState = Readonly<{ draft: ApprovalsDraft; problem: string | null }>;

export async function changeApprovals(
  _before: ApprovalsFormState,
  form: FormData,
): Promise<ApprovalsFormState> {
  const { project, session } = await maintained(form);
  const deps = systemDeps();
  const draft = readApprovalsForm(form);
  const approvalsRequired = countIn(draft.approvalsRequired);
  if (approvalsRequired === null) return { draft, problem: COUNT_PROBLEM };
  // A project that has never asked for any need not have a rule that asks for none.
  const isSame = approvalsRequired === (await approvalsRequiredIn(deps, project));
  const changes = { ...draft.switches, ...(isSame ? {} : { approvalsRequired }) };
  await changeConfiguration(deps, project, changes, session.user);
  await setFlash("The approvals are saved.");
  redirect(homeOf(project));
}

type RuleProblems = Readonly<Partial<Record<keyof RuleFormDraft, readonly string[]>>>;

/** The same of a rule. `refusal`: why it was not kept, where no field is to blame. */
export type RuleFormState = Readonly<{
  draft: RuleFormDraft;
  problems: RuleProblems;
  refusal: string | null;
}>;

export async function addRule(_before: RuleFormState, form: FormData): Promise<RuleFormState> {
  const { project, session } = await maintained(form);
  const draft = readRuleForm(form);
  const judged = await judge(project, draft, false);
  if ("problems" in judged) return { draft, problems: judged.problems, refusal: null };
  const rule = { ...judged, ruleType: "regular" } as const;
  const made = await approvalRules.createRule(systemDeps(), project, rule, session.user);
  if (typeof made === "string") return { draft, ...refused(made) };
  await setFlash("The rule is added.");
  redirect(homeOf(project));
}

export async function changeRule(_before: RuleFormState, form: FormData): Promise<RuleFormState> {
  const { project, session } = await maintained(form);
  const deps = systemDeps();
  const draft = readRuleForm(form);
  const ruleId = ruleIn(form);
  const before = await approvalRules.findRule(deps, project, session.user, ruleId);
  const judged = await judge(project, draft, (before?.rule.groupIds.length ?? 0) > 0);
  if ("problems" in judged) return { draft, problems: judged.problems, refusal: null };
  const changed = await approvalRules.changeRule(deps, project, ruleId, judged, session.user);
  if (typeof changed === "string") return { draft, ...refused(changed) };
  await setFlash("The rule is saved.");
  redirect(homeOf(project));
}

export async function removeRule(form: FormData): Promise<void> {
  const { project, session } = await maintained(form);
  if (await approvalRules.removeRule(systemDeps(), project, ruleIn(form), session.user))
    await setFlash("The rule is removed.");
  redirect(homeOf(project));
}

const ruleIn = (form: FormData): number => readId(readReference(form, "rule_id")) ?? 0;

type Rule = Readonly<{ name: string; approvalsRequired: number; usernames: readonly string[] }>;

/** What was typed as a rule, or what is wrong with it. */
async function judge(
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
      ...(isNamed ? {} : { name: [name === "" ? "Give it a name." : "This is too long."] }),
      ...(approvalsRequired === null ? { approvalsRequired: [COUNT_PROBLEM] } : {}),
      ...(usersProblems.length === 0 ? {} : { usernames: usersProblems }),
    },
  };
}

/** As many as the API takes at once. */
const USERS_MAX = 100;

async function usersProblemsOf(
  project: AuthorizedProject,
  usernames: readonly string[],
  hasGroups: boolean,
): Promise<readonly string[]> {
  if (usernames.length === 0 && !hasGroups)
    return ["Name somebody: nobody else could give the approvals that it asks for."];
  if (usernames.length > USERS_MAX) return [`Name at most ${USERS_MAX} people.`];
  const strangers = await approvalRules.findNonMembers(systemDeps(), project, usernames);
  return strangers.map((username) => `@${username} is no member of this project.`);
}

const refused = (refusal: approvalRules.RuleRefusal): Omit<RuleFormState, "draft"> =>
  refusal === "taken"
    ? { problems: { name: ["There is a rule of this name already."] }, refusal: null }
    : { problems: {}, refusal: REFUSED[refusal] };

const REFUSED = {
  too_many: `A project has at most ${RULES_MAX} rules. Remove one first.`,
  not_found: "This rule has been removed meanwhile.",
} as const;
