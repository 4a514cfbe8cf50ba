import { stopObjectProcesses } from "@/code/git/object-process";
import { gitQueueState } from "@/code/git/queue";
import { protectDefaultBranch } from "@/code/protected-branches/service";
import { releasePushes } from "@/code/pushes/user-deletion";
import { defaultBranchOrNull } from "@/code/repositories/default-branch";
import { beginRepository } from "@/code/repositories/first-commit";
import { stopHousekeeping } from "@/code/repositories/housekeeping";
import { deleteReplaceRefs } from "@/code/repositories/replace-refs";
import { moveRemainingRepository, removeRepositories } from "@/code/repositories/service";
import { releaseComments } from "@/error-tracking/comments/user-deletion";
import { sealedErrorTrackingTokens } from "@/error-tracking/settings/service";
import { moveAssignedRunners } from "@/fleet/runners/project-transfer";
import { notifyOfEvent } from "@/identity/event-notices/service";
import { sealedProviderRequests } from "@/identity/provider-sign-in/pending";
import { sealedProviderSecrets } from "@/identity/providers/service";
import { sealedForms } from "@/identity/sessions/held-form";
import { keepUserHandles } from "@/identity/two-factor/passkey";
import { sealedTotpSecrets } from "@/identity/two-factor/second-factor";
import { scheduleAccountDeletions } from "@/identity/users/deletion-job";
import { scheduleMailDelivery } from "@/instance/mail/delivery";
import { countWaitingMails, sealedMails } from "@/instance/mail/service";
import { sealedAuditKeys, sealedSessionKeys } from "@/instance/secret-rotation/service";
import type { Deps, Hooks } from "@/kernel/deps/deps";
import { sealedClientSecrets } from "@/oauth/applications/new-secret";
import { revokeAccess } from "@/oauth/authorizations/access-revocation";
import { removeAccessOf } from "@/oauth/authorizations/application-removal";
import { returnClient } from "@/oauth/authorizations/return-client";
import { scheduleLogoutDelivery } from "@/oauth/backchannel-logout/delivery";
import { endClientSessions } from "@/oauth/backchannel-logout/end-grants";
import { countWaitingLogouts } from "@/oauth/client-sessions/service";
import { scheduleExpiryReminders } from "@/oauth/personal-access-tokens/expiry-reminder";
import { scheduleKeyRotation } from "@/oauth/signing-keys/scheduled-rotation";
import { sealedSigningKeys } from "@/oauth/signing-keys/service";
import { revokeBotGrants } from "@/oauth/tokens/revocation";
import { deleteApplicationOf, deleteGrantsOf } from "@/oauth/tokens/user-deletion";
import { failedChecks } from "@/operations/health/failed-checks";
import { scheduleRegistryCleanup } from "@/registries/container-registry/cleanup-schedule";
import { imagesProblem } from "@/registries/container-registry/project-transfer";
import { sealedRegistryKeys } from "@/registries/container-registry/registry-key";
import { removeProjectFolders } from "@/registries/packages/stored-file";
import { removePusherApprovals } from "@/review/approvals/after-push";
import { approvalCheck } from "@/review/approvals/service";
import { releaseApprovals } from "@/review/approvals/user-deletion";
import { licenseCheck } from "@/review/licenses/enforcement";
import { followPush } from "@/review/merge-requests/after-push";
import { moveMergeRequests } from "@/review/merge-requests/project-transfer";
import { releaseMergeRequests } from "@/review/merge-requests/user-deletion";
import { countWaitingDeliveries } from "@/webhooks/deliveries/service";
import { endHooksOfFormerOwner } from "@/webhooks/events/former-owner";
import { enqueueAuditEvent, enqueueMergeRequestChange } from "@/webhooks/events/listeners";
import { sealedHookSecrets, sealedHookTokens, sealedHookUrls } from "@/webhooks/hooks/service";
import { scheduleWebhookDelivery } from "@/webhooks/sending/delivery";
import { moveAccessTokens } from "@/workspace/access-tokens/project-transfer";
import { tokenManagers } from "@/workspace/access-tokens/token-managers";
import { releaseAccessTokens } from "@/workspace/access-tokens/user-deletion";
import { moveDeployTokens } from "@/workspace/deploy-tokens/project-transfer";
import { isGroupName } from "@/workspace/groups/name-availability";
import { applyProviderRoles } from "@/workspace/groups/provider-roles";
import { deleteSoleOwnedGroup } from "@/workspace/groups/user-deletion";
import { groupPathsOf, isGroupOwner, soleOwnedGroups } from "@/workspace/members/service";
import { hasPersonalProjects } from "@/workspace/projects/service";
import { deletePersonalProject, releaseCreatedProjects } from "@/workspace/projects/user-deletion";
import { schedulePruning } from "./pruning";

/**
 * The functions through which a module calls the modules that depend on it. The module cannot import these
 * functions itself. The functions in each list run in the order of the list.
 */
export const HOOKS: Hooks = {
  failedChecks,
  auditRecorded: [notifyOfEvent, endHooksOfFormerOwner, enqueueAuditEvent],
  accessEnded: [revokeAccess],
  revokeBotGrants,
  applicationRemoval: removeAccessOf,
  sessionsEnded: [endClientSessions],
  returnClient,
  sealedColumns: [
    sealedSessionKeys,
    sealedAuditKeys,
    sealedMails,
    sealedForms,
    sealedTotpSecrets,
    sealedProviderSecrets,
    sealedProviderRequests,
    sealedSigningKeys,
    sealedClientSecrets,
    sealedRegistryKeys,
    sealedHookUrls,
    sealedHookTokens,
    sealedHookSecrets,
    sealedErrorTrackingTokens,
  ],
  secretRotated: [keepUserHandles],
  soleOwnedGroups,
  accountDeletion: [
    deleteSoleOwnedGroup,
    deletePersonalProject,
    deleteApplicationOf,
    deleteGrantsOf,
    releaseMergeRequests,
    releaseApprovals,
    releasePushes,
    releaseComments,
    releaseCreatedProjects,
    releaseAccessTokens,
  ],
  topLevelNames: [isGroupName],
  pathsBelowUsername: [hasPersonalProjects],
  groupPaths: groupPathsOf,
  isGroupOwner,
  tokenManagers,
  providerRoles: applyProviderRoles,
  projectLifecycle: [
    { creating: protectDefaultBranch },
    { creating: moveRemainingRepository, created: beginRepository, removed: removeRepositories },
    { removed: removeProjectFolders },
    { transferProblem: imagesProblem },
    { moved: moveMergeRequests },
    { moved: moveAssignedRunners },
    { moved: moveAccessTokens },
    { moved: moveDeployTokens },
  ],
  defaultBranch: defaultBranchOrNull,
  mergeChecks: [licenseCheck, approvalCheck],
  mergeRequestChanged: [enqueueMergeRequestChange],
  pushes: [{ recorded: removePusherApprovals, received: followPush }],
};

/**
 * A function that starts a job of the server. The result is the function that stops the job; its promise
 * resolves when no part of the job is running.
 */
type Job = (deps: Deps) => () => Promise<void>;

const startReplaceRefDeletion: Job = (deps) => {
  void deleteReplaceRefs(deps);
  return () => Promise.resolve();
};

/** The scheduled jobs of a server. Only one process of a server runs the jobs. */
export const JOBS: readonly Job[] = [
  startReplaceRefDeletion,
  schedulePruning,
  scheduleRegistryCleanup,
  scheduleMailDelivery,
  scheduleWebhookDelivery,
  scheduleLogoutDelivery,
  scheduleExpiryReminders,
  scheduleKeyRotation,
  scheduleAccountDeletions,
];

/**
 * The queues of other modules whose lengths are reported as metrics. Each queue has a name and a function
 * that returns its length.
 */
export const QUEUES: readonly Readonly<{
  name: string;
  state: () => Readonly<{ running: number; waiting: number }>;
}>[] = [{ name: "git", state: gitQueueState }];

/**
 * The queues in the database whose lengths are reported as metrics. Each function counts the waiting messages with one
 * indexed query.
 */
export const DELIVERIES: Readonly<Record<string, (deps: Pick<Deps, "db">) => Promise<number>>> = {
  mail: countWaitingMails,
  webhook: countWaitingDeliveries,
  logout_token: countWaitingLogouts,
};

/** The functions that end the background work of requests, in each process that serves requests. */
export const BACKGROUND_WORK: readonly (() => Promise<void>)[] = [stopHousekeeping, stopObjectProcesses];
