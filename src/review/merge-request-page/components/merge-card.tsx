import { Fragment } from "react";
import { visibleName } from "@/kernel/text/visible";
import { Button, type ButtonKind } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import { Ago } from "@/ui/time";
import { type DetailedMergeStatus, isWorthWaiting, type MergeRequest } from "../../merge-requests/rules";
import type { Step } from "../../merge-requests/schema";
import { performStep } from "../actions";
import type { loadMergeRequest } from "../loaders";
import { LicenseViolations } from "./license-violations";

type Page = Awaited<ReturnType<typeof loadMergeRequest>>;

const TITLES: Readonly<Record<DetailedMergeStatus, string>> = {
  mergeable: "Ready to merge",
  checking: "Merge in progress",
  not_open: "This merge request is closed",
  unchecked: "Checking whether the branches can be merged",
  commits_status: "There is nothing to merge",
  conflict: "The branches have conflicts",
  draft_status: "This merge request is a draft",
  not_approved: "Approval required",
  need_rebase: "The source branch must be rebased",
  security_policy_violations: "The changes introduce licenses that this project does not allow",
};

const ABOUT: Readonly<Partial<Record<DetailedMergeStatus, string>>> = {
  checking: "Reload the page in a moment.",
  unchecked: "Reload the page in a moment.",
  commits_status:
    "A branch was deleted, or the target branch already contains all commits of the source branch.",
  conflict:
    "Both branches change the same lines. Merge the target branch into the source branch locally, resolve the conflicts, and push.",
  draft_status: "To merge this merge request, first mark it as ready.",
  security_policy_violations: "Remove the dependencies, or get the approvals that the policies require.",
  need_rebase: "This project merges only source branches that contain all commits of the target branch.",
};

const PROTECTED_TARGET =
  "The target branch is protected. Ask a maintainer of the project to merge this merge request.";

/** The merge status of a merge request, an explanation of the status, and the available buttons. */
export function MergeCard(page: Page) {
  const { mergeRequest, approvals, now } = page;
  const { status } = mergeRequest;
  if (mergeRequest.state === "merged")
    return (
      <Card title="This merge request is merged" about={<Merged mergeRequest={mergeRequest} now={now} />}>
        <ApprovedBy {...page} />
      </Card>
    );
  const isProtected = status === "mergeable" && page.mayRebase && !page.mayMerge;
  const explanation = isProtected ? PROTECTED_TARGET : ABOUT[status];
  const about = status === "not_approved" ? <MissingApprovals rules={approvals.rules} /> : explanation;
  return (
    <Card title={TITLES[status]} about={about}>
      {mergeRequest.mergeError === null ? null : (
        <p className="text-danger text-small">{mergeRequest.mergeError}</p>
      )}
      {mergeRequest.autoMerge === null ? null : (
        <p className="text-small">
          <bdi>{mergeRequest.mergeUser?.name ?? "A deleted user"}</bdi> enabled auto-merge.
        </p>
      )}
      <LicenseViolations
        violations={page.violations}
        policiesUrl={page.mayReadPolicies ? `/projects/${page.project}/settings/license_policies` : null}
      />
      <Approvals {...page} />
      <div className="flex flex-wrap items-end gap-3">
        <MergeForm {...page} />
        <Steps {...page} />
      </div>
    </Card>
  );
}

/** The number of missing approvals of each approval rule. The name of the any-approver rule is not shown. */
const MissingApprovals = ({ rules }: Pick<Page["approvals"], "rules">) => {
  const missing = rules.filter(({ left }) => left > 0);
  return (
    <>
      {missing.map(({ rule, left }, at) => (
        <Fragment key={rule.id}>
          {at === 0 ? "" : ", "}
          {left} more {left === 1 ? "approval" : "approvals"}
          {rule.ruleType === "any_approver" ? null : (
            <>
              {" "}
              for <bdi className="wrap-anywhere">{visibleName(rule.name)}</bdi>
            </>
          )}
        </Fragment>
      ))}
      .
    </>
  );
};

const Merged = ({ mergeRequest, now }: { readonly mergeRequest: MergeRequest; readonly now: Date }) => (
  <>
    {mergeRequest.mergeUser === null ? (
      "Merged by a push"
    ) : (
      <>
        <bdi>{mergeRequest.mergeUser.name}</bdi> merged it
      </>
    )}{" "}
    {mergeRequest.mergedAt === null ? null : <Ago at={mergeRequest.mergedAt} now={now} />} into{" "}
    <bdi className="wrap-anywhere">{visibleName(mergeRequest.targetBranch)}</bdi>.
  </>
);

/**
 * The hidden fields of every form on the page of a merge request: the merge request, and the head commit that
 * the page shows.
 */
const MergeRequestFields = ({ mergeRequest, project }: Pick<Page, "mergeRequest" | "project">) => (
  <>
    <input type="hidden" name="project" value={project} />
    <input type="hidden" name="iid" value={mergeRequest.iid} />
    <input type="hidden" name="sha" value={mergeRequest.headSha} />
  </>
);

/** The names of the users who have approved the merge request. */
function ApprovedBy({ approvals: { approvals } }: Pick<Page, "approvals">) {
  if (approvals.length === 0) return null;
  return (
    <p className="text-small wrap-anywhere">
      Approved by <bdi>{approvals.map(({ user }) => user.name).join(", ")}</bdi>.
    </p>
  );
}

function Approvals(page: Page) {
  const { approvals, mayApprove, hasApproved, mergeRequest } = page;
  const hasForm = mergeRequest.state === "opened" && (mayApprove || hasApproved);
  if (approvals.approvals.length === 0 && !hasForm) return null;
  return (
    <div className="grid gap-3">
      <ApprovedBy {...page} />
      {hasForm ? (
        <form action={performStep} className="flex flex-wrap items-end gap-3">
          <MergeRequestFields {...page} />
          {mayApprove && approvals.configuration.passwordRequired ? (
            <Field
              id="password"
              name="password"
              type="password"
              label="Your password"
              autoComplete="current-password"
            />
          ) : null}
          <StepButton step={hasApproved ? "unapprove" : "approve"}>
            {hasApproved ? "Revoke approval" : "Approve"}
          </StepButton>
        </form>
      ) : null}
    </div>
  );
}

const StepButton = (props: {
  readonly step: Step;
  readonly kind?: ButtonKind;
  readonly children: string;
}) => (
  <Button name="step" value={props.step} kind={props.kind}>
    {props.children}
  </Button>
);

/** The form that merges the merge request or enables auto-merge. */
function MergeForm(page: Page) {
  const { mergeRequest, mayMerge } = page;
  const waits = mergeRequest.autoMerge !== null;
  const canMerge = mergeRequest.status === "mergeable";
  if (!mayMerge || waits || !(canMerge || isWorthWaiting(mergeRequest.status))) return null;
  return (
    <form action={performStep} className="grid gap-3">
      <MergeRequestFields {...page} />
      <Checkbox name="squash" checked={mergeRequest.squash}>
        Squash commits
      </Checkbox>
      <Checkbox name="removesSource" checked={mergeRequest.removesSource}>
        Delete source branch
      </Checkbox>
      <div>
        {canMerge ? (
          <StepButton step="merge" kind="primary">
            Merge
          </StepButton>
        ) : (
          <StepButton step="wait">Enable auto-merge</StepButton>
        )}
      </div>
    </form>
  );
}

const Checkbox = (props: { readonly name: string; readonly checked: boolean; readonly children: string }) => (
  <label className="flex min-h-6 items-center gap-2">
    <input
      type="checkbox"
      name={props.name}
      defaultChecked={props.checked}
      className="size-4 shrink-0 accent-accent"
    />
    {props.children}
  </label>
);

/** The available buttons other than the buttons for merging and approving. */
function Steps(page: Page) {
  const { mergeRequest, mayRebase, mayChange } = page;
  const steps: readonly (readonly [Step, string])[] = [
    ...(mayChange && mergeRequest.state === "opened" && mergeRequest.draft
      ? [["ready", "Mark as ready"] as const]
      : []),
    ...(mayRebase && mergeRequest.status === "need_rebase" ? [["rebase", "Rebase"] as const] : []),
    ...(mayChange && mergeRequest.autoMerge !== null ? [["stop", "Cancel auto-merge"] as const] : []),
    ...(mayChange && mergeRequest.state === "opened" ? [["close", "Close"] as const] : []),
    ...(mayChange && mergeRequest.state === "closed" ? [["reopen", "Reopen"] as const] : []),
  ];
  if (steps.length === 0) return null;
  return (
    <form action={performStep} className="flex flex-wrap gap-3">
      <MergeRequestFields {...page} />
      {steps.map(([step, label]) => (
        <StepButton key={step} step={step}>
          {label}
        </StepButton>
      ))}
    </form>
  );
}
