"use server";

import { redirect } from "next/navigation";
import { mayFetch } from "@/access/code";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { type ApprovalRefusal, approve, unapprove } from "../approvals/approve";
import { mergeRequestsPath } from "../merge-requests/loaders";
import { cancelScheduledMerge, merge, rebaseMergeRequest } from "../merge-requests/merge";
import { mergeWhenReady, releaseStaleLock } from "../merge-requests/merge-worker";
import { type MergeRequest, readyTitle } from "../merge-requests/rules";
import { readStep, type Step } from "../merge-requests/schema";
import { type Actor, findMergeRequest, updateMergeRequest } from "../merge-requests/service";

/**
 * Performs the action of a button on the page of a merge request. After the action, the page of the merge
 * request is shown again with the result.
 */
export async function performStep(form: FormData): Promise<void> {
  const iid = readId(readReference(form, "iid")) ?? 0;
  const path = (home: string) => `${mergeRequestsPath(home)}/${iid}`;
  const { project, session } = await requireProject(readReference(form, "project"), path);
  const home = mergeRequestsPath(`${PROJECTS}/${project.id}`);
  const deps = systemDeps();
  if (!mayFetch(project.visibility, project.role)) redirect(`${PROJECTS}/${project.id}`);
  const mergeRequest = await findMergeRequest(deps, project, iid);
  const { step, ...input } = readStep(form);
  if (mergeRequest === null || step === null) redirect(home);
  await setFlash(await STEP_ACTIONS[step](deps, { project, user: session.user }, mergeRequest, input));
  redirect(`${home}/${iid}`);
}

type StepInput = Omit<ReturnType<typeof readStep>, "step">;
type StepAction = (deps: Deps, actor: Actor, mergeRequest: MergeRequest, input: StepInput) => Promise<string>;

const NOT_ALLOWED = "You do not have permission to approve, merge or change this merge request.";
const CHANGED = "The merge request has changed since you opened the page. Check the changes and try again.";

const STEP_ACTIONS: Readonly<Record<Step, StepAction>> = {
  approve: async (deps, actor, mergeRequest, { sha, password }) => {
    const outcome = await approve(deps, actor, mergeRequest, { sha, password }).catch(nullIfBusy);
    if (outcome === null) return BUSY;
    if (outcome === "password" && password === undefined) return "Enter your password to approve.";
    if (typeof outcome === "string" || "head" in outcome) return refusalText(outcome);
    return outcome.state === "merged" ? "Approved and merged." : "Approved.";
  },
  unapprove: async (deps, actor, mergeRequest) =>
    typeof (await unapprove(deps, actor, mergeRequest)) === "string" ? CHANGED : "Your approval is revoked.",
  merge: (deps, actor, mergeRequest, input) =>
    mergeText(deps, actor, mergeRequest, { ...input, whenReady: false }),
  wait: (deps, actor, mergeRequest, input) =>
    mergeText(deps, actor, mergeRequest, { ...input, whenReady: true }),
  stop: async (deps, actor, mergeRequest) => {
    const outcome = await cancelScheduledMerge(deps, actor, mergeRequest);
    if (outcome === "not_allowed") return NOT_ALLOWED;
    return outcome === "not_set" ? CHANGED : "Auto-merge is canceled.";
  },
  rebase: async (deps, actor, mergeRequest) => {
    const outcome = await rebaseMergeRequest(deps, actor, mergeRequest);
    if (outcome === "not_allowed") return NOT_ALLOWED;
    if (outcome === "not_open" || outcome === "moved") return CHANGED;
    return typeof outcome === "string" ? "The rebase failed. The reason is shown below." : "Rebased.";
  },
  ready: (deps, actor, mergeRequest) =>
    changeText(deps, actor, mergeRequest, { title: readyTitle(mergeRequest.title) }, "Marked as ready."),
  close: (deps, actor, mergeRequest) => changeText(deps, actor, mergeRequest, { state: "close" }, "Closed."),
  reopen: (deps, actor, mergeRequest) =>
    changeText(deps, actor, mergeRequest, { state: "reopen" }, "Reopened."),
};

async function changeText(
  deps: Deps,
  actor: Actor,
  stored: MergeRequest,
  changes: Parameters<typeof updateMergeRequest>[3],
  done: string,
): Promise<string> {
  const outcome = await updateMergeRequest(deps, actor, await releaseStaleLock(deps, stored), changes);
  if (outcome === "not_allowed") return NOT_ALLOWED;
  if (typeof outcome === "string" || "missing" in outcome) return CHANGED;
  if ("other" in outcome) return `Another open merge request has the same branches: !${outcome.other}.`;
  const now = await mergeWhenReady(deps, outcome);
  return now.state === "merged" ? `${done} The merge request was merged automatically.` : done;
}

async function mergeText(
  deps: Deps,
  actor: Actor,
  mergeRequest: MergeRequest,
  input: Parameters<typeof merge>[3],
): Promise<string> {
  const outcome = await merge(deps, actor, mergeRequest, input);
  if (outcome === "not_allowed") return NOT_ALLOWED;
  if (outcome === "conflict") return "The merge failed because the branches have conflicts.";
  if (outcome === "not_mergeable" || "head" in outcome) return CHANGED;
  return outcome.state === "merged" ? "Merged." : "Auto-merge is enabled.";
}

const BUSY =
  "The approval failed because the server is checking too many passwords. Try again in a few seconds.";

const nullIfBusy = (cause: unknown): null => {
  if (cause instanceof PasswordsBusy) return null;
  throw cause;
};

function refusalText(refusal: ApprovalRefusal): string {
  if (refusal === "password") return "The approval failed because the password is incorrect.";
  if (refusal === "too_many_passwords")
    return "The approval failed after too many incorrect passwords. Try again in a few minutes.";
  if (refusal === "own" || refusal === "committer") return "You cannot approve your own changes.";
  return refusal === "not_allowed" ? NOT_ALLOWED : CHANGED;
}
