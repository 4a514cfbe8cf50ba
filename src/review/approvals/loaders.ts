import { notFound, redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { mergeRequestSettingsPath, PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { approvalsRequiredIn, readConfiguration } from "./configuration";
import { findRule, listRules } from "./rule-editing";
import type { ApprovalsDraft } from "./schema";

const RULES_SHOWN = 20;

/**
 * Loads the page with the merge request settings of a project. The user must be a maintainer of the project.
 */
export async function loadMergeRequestSettings(id: string, query: Query) {
  const { project, session } = await requireProject(id, mergeRequestSettingsPath, "maintainer");
  const deps = systemDeps();
  const paging = offsetPagingIn(query, RULES_SHOWN);
  const [configuration, approvalsRequired, { rows, total }] = await Promise.all([
    readConfiguration(deps, project),
    approvalsRequiredIn(deps, project),
    // The list contains only regular approval rules, because the form with the approval settings shows the
    // any-approver rule.
    listRules(deps, project, session.user, paging, "regular"),
  ]);
  // A request for a page after the last page is redirected to the first page, because an empty page would
  // look as if there were no approval rules.
  if (rows.length === 0 && paging.page > 1) redirect(homeOf(project));
  const { resetOnPush, authorApproval, committersApprovalRefused, passwordRequired } = configuration;
  const draft: ApprovalsDraft = {
    approvalsRequired: String(approvalsRequired),
    switches: { resetOnPush, authorApproval, committersApprovalRefused, passwordRequired },
  };
  const home = homeOf(project);
  return {
    project: project.id,
    home,
    mergeMethod: project.mergeMethod,
    draft,
    rules: rows,
    pager: offsetLinks(paging, { rows, total }, home),
  };
}

const rulePath = (home: string, rule: string): string => `${mergeRequestSettingsPath(home)}/rules/${rule}`;

const homeOf = ({ id }: Readonly<{ id: number }>): string => mergeRequestSettingsPath(`${PROJECTS}/${id}`);

/** Loads the form for a new approval rule. */
export async function loadNewRule(id: string) {
  const { project } = await requireProject(id, (home) => rulePath(home, "new"), "maintainer");
  return { project: project.id, home: homeOf(project) };
}

/** Loads the form that edits a regular approval rule. The any-approver rule has no separate page. */
export async function loadRule(id: string, ruleId: string) {
  const path = (home: string) => rulePath(home, encodeURIComponent(ruleId));
  const { project, session } = await requireProject(id, path, "maintainer");
  const number = readId(ruleId) ?? notFound();
  const shown = (await findRule(systemDeps(), project, session.user, number)) ?? notFound();
  if (shown.rule.ruleType !== "regular") return notFound();
  return { project: project.id, home: homeOf(project), shown };
}
