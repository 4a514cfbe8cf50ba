import { Fragment } from "react";
import { visibleName } from "@/code/repositories/shown-text";
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
  mergeable: "It can be merged",
  checking: "It is being merged",
  not_open: "It is closed",
  unchecked: "Git has not said yet whether it can be merged",
  commits_status: "There is nothing to merge",
  conflict: "It cannot be merged: the branches contradict each other",
  draft_status: "It is a draft",
  not_approved: "It waits for approval",
  need_rebase: "It has to be rebased first",
  security_policy_violations: "It brings in licenses that this project does not allow",
};

const ABOUT: Readonly<Partial<Record<DetailedMergeStatus, string>>> = {
  checking: "Look again in a moment.",
  unchecked: "Look again in a moment.",
  commits_status: "One of the branches is gone, or everything in it is there already.",
  conflict: "Both change the same lines. Merge the target into the source on your computer, and push.",
  draft_status: "Whoever works on it says when it is ready.",
  security_policy_violations: "Take them out again, or have it approved where a policy waits for that.",
  need_rebase: "This project wants the commits on top of the target branch.",
};

const PROTECTED_TARGET = "The target branch is protected. Ask a maintainer of the project to merge it.";

/** Whether a merge request can be merged, why not, and the buttons to decide about it. */
export function MergeCard(page: Page) {
  const { one, approvals, now } = page;
  const { status } = one;
  if (one.state === "merged") return <Card title="It is merged" about={<Merged one={one} now={now} />} />;
  const isForOthers = status === "mergeable" && page.mayRebase && !page.mayMerge;
  const other = isForOthers ? PROTECTED_TARGET : ABOUT[status];
  const about = status === "not_approved" ? <MissingApprovals rules={approvals.rules} /> : other;
  return (
    <Card title={TITLES[status]} about={about}>
      {one.mergeError === null ? null : <p className="text-danger text-small">{one.mergeError}</p>}
      {one.autoMerge === null ? null : (
        <p className="text-small">
          <bdi>{one.mergeUser?.name ?? "Somebody"}</bdi> wants it merged as soon as it can be.
        </p>
      )}
      <LicenseViolations violations={page.violations} />
      <Approvals {...page} />
      <div className="flex flex-wrap items-end gap-3">
        <MergeForm {...page} />
        <Steps {...page} />
      </div>
    </Card>
  );
}

/** What is missing by each rule; a rule for any approver goes without its name. */
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

const Merged = ({ one, now }: { readonly one: MergeRequest; readonly now: Date }) => (
  <>
    {one.mergeUser === null ? (
      "Its commits came"
    ) : (
      <>
        <bdi>{one.mergeUser.name}</bdi> merged it
      </>
    )}{" "}
    {one.mergedAt === null ? null : <Ago at={one.mergedAt} now={now} />} into{" "}
    <bdi className="wrap-anywhere">{visibleName(one.targetBranch)}</bdi>.
  </>
);

/** What every form here says: of what, and at which head the page has shown it. */
const MergeRequestFields = ({ one, project }: Pick<Page, "one" | "project">) => (
  <>
    <input type="hidden" name="project" value={project} />
    <input type="hidden" name="iid" value={one.iid} />
    <input type="hidden" name="sha" value={one.headSha} />
  </>
);

function Approvals(page: Page) {
  const { approvals, mayApprove, hasApproved, one } = page;
  const names = approvals.approvals.map(({ user }) => user.name);
  const isAsked = one.state === "opened" && (mayApprove || hasApproved);
  if (names.length === 0 && !isAsked) return null;
  return (
    <div className="grid gap-3">
      {names.length === 0 ? null : (
        <p className="text-small wrap-anywhere">
          Approved by <bdi>{names.join(", ")}</bdi>.
        </p>
      )}
      {isAsked ? (
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
            {hasApproved ? "Take approval back" : "Approve"}
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

/** Merges it now, or as soon as it can be. */
function MergeForm(page: Page) {
  const { one, mayMerge } = page;
  const waits = one.autoMerge !== null;
  const canMerge = one.status === "mergeable";
  if (!mayMerge || waits || !(canMerge || isWorthWaiting(one.status))) return null;
  return (
    <form action={performStep} className="grid gap-3">
      <MergeRequestFields {...page} />
      <Checkbox name="squash" checked={one.squash}>
        Make one commit of all
      </Checkbox>
      <Checkbox name="removesSource" checked={one.removesSource}>
        Remove the source branch
      </Checkbox>
      <div>
        {canMerge ? (
          <StepButton step="merge" kind="primary">
            Merge
          </StepButton>
        ) : (
          <StepButton step="wait">Merge when it can be</StepButton>
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

/** Everything else that can be done with it as it is. */
function Steps(page: Page) {
  const { one, mayRebase, mayChange } = page;
  const steps: readonly (readonly [Step, string])[] = [
    ...(mayChange && one.state === "opened" && one.draft ? [["ready", "Mark as ready"] as const] : []),
    ...(mayRebase && one.status === "need_rebase" ? [["rebase", "Rebase"] as const] : []),
    ...(mayChange && one.autoMerge !== null ? [["stop", "Do not merge automatically"] as const] : []),
    ...(mayChange && one.state === "opened" ? [["close", "Close"] as const] : []),
    ...(mayChange && one.state === "closed" ? [["reopen", "Reopen"] as const] : []),
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
