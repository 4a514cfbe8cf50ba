import { reaches } from "@/access/roles";
import { isPushing } from "@/code/pushes/in-flight";
import { tryPassword } from "@/identity/users/password-attempt";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { mergeWhenReady } from "../merge-requests/merge-worker";
import { LEAST_TO_MERGE, type MergeRequest } from "../merge-requests/rules";
import { type Actor, committersOf } from "../merge-requests/service";
import { type ApprovalConfiguration, isCommitter } from "./rules";
import { readConfiguration, recordApproval, withdrawApproval } from "./service";

/** Why somebody's approval is not taken. `too_many_passwords`: so many were wrong that this one was not compared. */
export type ApprovalRefusal =
  | "not_allowed"
  | "own"
  | "committer"
  | "not_open"
  | "password"
  | "too_many_passwords"
  | Readonly<{ head: string }>;

export type ApprovalAsk = Readonly<{
  /** The head that they have seen. */
  sha?: string | undefined;
  password?: string | undefined;
}>;

/** Why somebody may not approve a merge request; null: they may. */
export async function approvalRefusal(
  deps: Deps,
  { project, user }: Actor,
  one: MergeRequest,
  configuration: ApprovalConfiguration,
): Promise<ApprovalRefusal | null> {
  if (!reaches(project.role, LEAST_TO_MERGE)) return "not_allowed";
  if (one.state !== "opened") return "not_open";
  if (one.author?.id === user.id && !configuration.authorApproval) return "own";
  if (!configuration.committersApprovalRefused) return null;
  if (isPushing(one.project.id, user.id)) return "committer";
  return isCommitter(await committersOf(deps, one), user) ? "committer" : null;
}

/**
 * Approves a merge request as it is now, which may merge it where it waited for that.
 * @throws PasswordsBusy where a password is asked for and too many are being checked.
 */
export async function approve(
  deps: Deps,
  who: Actor,
  found: MergeRequest,
  { sha, password }: ApprovalAsk,
): Promise<MergeRequest | ApprovalRefusal> {
  const one = await mergeWhenReady(deps, found);
  const configuration = await readConfiguration(deps, who.project);
  const refusal = await approvalRefusal(deps, who, one, configuration);
  if (refusal !== null) return refusal;
  if (sha !== undefined && sha !== one.headSha) return { head: one.headSha };
  const unproven = configuration.passwordRequired ? await passwordRefusal(deps, who, password) : null;
  if (unproven !== null) return unproven;
  await recordApproval(deps, one, who.user);
  return mergeWhenReady(deps, one);
}

async function passwordRefusal(
  deps: Deps,
  { user }: Actor,
  password: string | undefined,
): Promise<"password" | "too_many_passwords" | null> {
  if (password === undefined) return "password";
  // A session or a token has proved the user already. Guesses with a stolen one must lock out nobody else.
  const devices = [{ userId: user.id, id: "approval" }];
  const address = `approval ${user.id}`;
  const attempt = { login: user.username, password, address, devices, way: "sign_in" } as const;
  const outcome = await tryPassword(deps, await readSettings(deps), attempt);
  if ("user" in outcome) return null;
  return outcome.refused === "wrong" ? "password" : "too_many_passwords";
}

/** Takes somebody's approval back. @returns `not_approved` where there is none. */
export async function unapprove(
  deps: Deps,
  { user }: Actor,
  one: MergeRequest,
): Promise<MergeRequest | "not_approved" | "not_open"> {
  if (one.state !== "opened") return "not_open";
  return (await withdrawApproval(deps, one, user)) ? mergeWhenReady(deps, one) : "not_approved";
}
