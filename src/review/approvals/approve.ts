import { isPushing } from "@/code/pushes/in-flight";
import { tryPassword } from "@/identity/users/password-attempt";
import { type UserWithStamp, withCheckedPassword } from "@/identity/users/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { mergeWhenReady } from "../merge-requests/merge-worker";
import type { MergeRequest } from "../merge-requests/rules";
import { type Actor, committersOf } from "../merge-requests/service";
import { readConfiguration } from "./configuration";
import { type ApprovalConfiguration, type ApproverRefusal, approverRefusal, isCommitter } from "./rules";
import { recordApproval, withdrawApproval } from "./service";

/**
 * The reason why an approval is refused. `head` is the current head of the merge request, which differs from
 * the head in the request. `too_many_passwords` means that the password was not checked, because the user
 * entered too many wrong passwords.
 */
export type ApprovalRefusal =
  | ApproverRefusal
  | "password"
  | "too_many_passwords"
  | Readonly<{ head: string }>;

export type ApprovalInput = Readonly<{
  /** The id of the head commit that the user has reviewed. */
  sha?: string | undefined;
  password?: string | undefined;
}>;

/**
 * Returns the reason why a user may not approve a merge request; null if the user may approve it. The
 * function reads commits only if committers may not approve.
 */
export async function findApproverRefusal(
  deps: Deps,
  { project, user }: Actor,
  mergeRequest: MergeRequest,
  configuration: ApprovalConfiguration,
): Promise<ApproverRefusal | null> {
  const { state, author } = mergeRequest;
  const facts = { role: project.role, state, isAuthor: author?.id === user.id };
  const refusal = approverRefusal({ ...facts, isCommitter: false }, configuration);
  if (refusal !== null || !configuration.committersApprovalRefused) return refusal;
  const isOwnCommit =
    isPushing(mergeRequest.project.id, user.id) || isCommitter(await committersOf(deps, mergeRequest), user);
  return approverRefusal({ ...facts, isCommitter: isOwnCommit }, configuration);
}

/**
 * Approves the current head of a merge request. If auto-merge is enabled and nothing else blocks the merge,
 * the approval starts the merge.
 * @throws PasswordsBusy if a password is required and too many passwords are being checked.
 */
export async function approve(
  deps: Deps,
  actor: Actor,
  stored: MergeRequest,
  { sha, password }: ApprovalInput,
): Promise<MergeRequest | ApprovalRefusal> {
  const mergeRequest = await mergeWhenReady(deps, stored);
  const configuration = await readConfiguration(deps, actor.project);
  const refusal = await findApproverRefusal(deps, actor, mergeRequest, configuration);
  if (refusal !== null) return refusal;
  if (sha !== undefined && sha !== mergeRequest.headSha) return { head: mergeRequest.headSha };
  if (configuration.passwordRequired) {
    const checked = await checkPassword(deps, actor, password);
    if (typeof checked === "string") return checked;
    const recorded = await withCheckedPassword(deps, checked, async (within) => {
      await recordApproval(within, mergeRequest, actor.user);
      return true;
    });
    if (recorded === null) return "password";
  } else await recordApproval(deps, mergeRequest, actor.user);
  return mergeWhenReady(deps, mergeRequest);
}

async function checkPassword(
  deps: Deps,
  { user }: Actor,
  password: string | undefined,
): Promise<UserWithStamp | "password" | "too_many_passwords"> {
  if (password === undefined) return "password";
  // Wrong passwords are counted separately for each user, so that attempts with a stolen session or token do
  // not lock out other users.
  const devices = [{ userId: user.id, id: "approval" }];
  const ipAddress = `approval ${user.id}`;
  const attempt = { login: user.username, password, ipAddress, devices, way: "sign_in" } as const;
  const outcome = await tryPassword(deps, await readSettings(deps), attempt);
  if ("user" in outcome) return outcome;
  return outcome.refused === "wrong" ? "password" : "too_many_passwords";
}

/** Withdraws the approval of a user. @returns `not_approved` if the user has not approved the merge request. */
export async function unapprove(
  deps: Deps,
  { user }: Actor,
  mergeRequest: MergeRequest,
): Promise<MergeRequest | "not_approved" | "not_open"> {
  if (mergeRequest.state !== "opened") return "not_open";
  return (await withdrawApproval(deps, mergeRequest, user))
    ? mergeWhenReady(deps, mergeRequest)
    : "not_approved";
}
