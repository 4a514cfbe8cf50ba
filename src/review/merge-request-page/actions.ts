"use server";

import { redirect } from "next/navigation";
import { mayFetch } from "@/access/code";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { type ApprovalRefusal, approve, unapprove } from "../approvals/approve";
import { mergeRequestsPath } from "../merge-requests/loaders";
import { cancelScheduledMerge, merge, rebaseMergeRequest } from "../merge-requests/merge";
import { mergeWhenReady, releaseStaleLock } from "../merge-requests/merge-worker";
import { type MergeRequest, readyTitle } from "../merge-requests/rules";
import { readStep, type Step } from "../merge-requests/schema";
import { type Actor, findMergeRequest, updateMergeRequest } from "../merge-requests/service";

/** Does what a button asks for, and says what came of it. */
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

const NOT_ALLOWED = "Nothing was done: you may not do that here.";
const CHANGED = "Nothing was done: somebody has changed it meanwhile. Look again.";

const STEP_ACTIONS: Readonly<Record<Step, StepAction>> = {
  approve: async (deps, actor, mergeRequest, { sha, password }) => {
    const outcome = await approve(deps, actor, mergeRequest, { sha, password }).catch(nullIfBusy);
    if (outcome === null) return BUSY;
    if (outcome === "password" && password === undefined) return "Nothing was approved: type your password.";
    if (typeof outcome === "string" || "head" in outcome) return approvalWords(outcome);
    return outcome.state === "merged" ? "Approved, and merged." : "Approved.";
  },
  unapprove: async (deps, actor, mergeRequest) =>
    typeof (await unapprove(deps, actor, mergeRequest)) === "string"
      ? CHANGED
      : "Your approval is taken back.",
  merge: (deps, actor, mergeRequest, input) =>
    mergeWords(deps, actor, mergeRequest, { ...input, whenReady: false }),
  wait: (deps, actor, mergeRequest, input) =>
    mergeWords(deps, actor, mergeRequest, { ...input, whenReady: true }),
  stop: async (deps, actor, mergeRequest) => {
    const outcome = await cancelScheduledMerge(deps, actor, mergeRequest);
    if (outcome === "not_allowed") return NOT_ALLOWED;
    return outcome === "not_set" ? CHANGED : "It is not merged automatically any more.";
  },
  rebase: async (deps, actor, mergeRequest) => {
    const outcome = await rebaseMergeRequest(deps, actor, mergeRequest);
    if (outcome === "not_allowed") return NOT_ALLOWED;
    if (outcome === "not_open" || outcome === "moved") return CHANGED;
    return typeof outcome === "string"
      ? "The rebase came to nothing. The reason is on the page."
      : "Rebased.";
  },
  ready: (deps, actor, mergeRequest) =>
    changeWords(deps, actor, mergeRequest, { title: readyTitle(mergeRequest.title) }, "Ready to be merged."),
  close: (deps, actor, mergeRequest) => changeWords(deps, actor, mergeRequest, { state: "close" }, "Closed."),
  reopen: (deps, actor, mergeRequest) =>
    changeWords(deps, actor, mergeRequest, { state: "reopen" }, "Open again."),
};

async function changeWords(
  deps: Deps,
  actor: Actor,
  stored: MergeRequest,
  changes: Parameters<typeof updateMergeRequest>[3],
  done: string,
): Promise<string> {
  const outcome = await updateMergeRequest(deps, actor, await releaseStaleLock(deps, stored), changes);
  if (outcome === "not_allowed") return NOT_ALLOWED;
  if (typeof outcome === "string" || "missing" in outcome) return CHANGED;
  if ("other" in outcome)
    return `Nothing was done: there is another one for these branches, !${outcome.other}.`;
  const now = await mergeWhenReady(deps, outcome);
  return now.state === "merged" ? `${done} It is merged.` : done;
}

async function mergeWords(
  deps: Deps,
  actor: Actor,
  mergeRequest: MergeRequest,
  input: Parameters<typeof merge>[3],
): Promise<string> {
  const outcome = await merge(deps, actor, mergeRequest, input);
  if (outcome === "not_allowed") return NOT_ALLOWED;
  if (outcome === "conflict") return "Nothing was merged: the two branches contradict each other.";
  if (outcome === "not_mergeable" || "head" in outcome) return CHANGED;
  return outcome.state === "merged" ? "Merged." : "It is merged as soon as it can be.";
}

const BUSY =
  "Nothing was approved: too many passwords are being checked at this moment. Try again in a few seconds.";

const nullIfBusy = (cause: unknown): null => {
  if (cause instanceof PasswordsBusy) return null;
  throw cause;
};

function approvalWords(refusal: ApprovalRefusal): string {
  if (refusal === "password") return "Nothing was approved: that is not your password.";
  if (refusal === "too_many_passwords")
    return "Nothing was approved: there were too many wrong passwords. Try again in a few minutes.";
  if (refusal === "own" || refusal === "committer")
    return "Nothing was approved: your own work is for others to approve.";
  return refusal === "not_allowed" ? NOT_ALLOWED : CHANGED;
}
