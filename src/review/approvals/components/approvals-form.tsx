"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ApprovalsFormState } from "../actions";
import { SWITCHES, type Switch } from "../rules";
import type { ApprovalsDraft } from "../schema";

const LABELS: Readonly<Record<Switch, Readonly<{ label: string; detail: string }>>> = {
  resetOnPush: {
    label: "Remove approvals on push",
    detail: "New commits in the source branch must be approved again.",
  },
  authorApproval: {
    label: "Authors can approve their own merge requests",
    detail: "The approval of the user who created the merge request counts.",
  },
  committersApprovalRefused: {
    label: "Committers cannot approve",
    detail:
      "Users who authored, committed or pushed commits of a merge request cannot approve the merge request.",
  },
  passwordRequired: {
    label: "Require a password to approve",
    detail:
      "Users confirm each approval with their password. The password prevents other people from approving in an unattended browser.",
  },
};

/** The form that edits the approval settings of a project. The form works without JavaScript. */
export function ApprovalsForm(props: {
  readonly action: (before: ApprovalsFormState, form: FormData) => Promise<ApprovalsFormState>;
  readonly project: number;
  readonly draft: ApprovalsDraft;
}) {
  const [state, formAction, pending] = useActionState(props.action, { draft: props.draft, problem: null });
  const { draft, problem } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
      {problem === null ? null : (
        <Notice kind="problem">The approval settings were not saved. Correct the marked field.</Notice>
      )}
      <input type="hidden" name="project" value={props.project} />
      <CountField
        id="approvals-required"
        label="Required approvals"
        hint="Any eligible user can give these approvals. The approval rules below can require additional approvals."
        typed={draft.approvalsRequired}
        problems={problem === null ? undefined : [problem]}
      />
      <ChoiceGroup id="approval-switches" legend="Approval settings">
        {SWITCHES.map((name) => (
          <ChoiceRow
            key={name}
            id={`approvals-${name}`}
            type="checkbox"
            name={name}
            defaultChecked={draft.switches[name]}
            {...LABELS[name]}
          />
        ))}
      </ChoiceGroup>
      <div>
        <Button kind="primary" disabled={pending}>
          Save approval settings
        </Button>
      </div>
    </form>
  );
}

/** An input field for a number of approvals. */
export const CountField = (props: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly typed: string;
  readonly problems: readonly string[] | undefined;
}) => (
  <Field
    id={props.id}
    name="approvalsRequired"
    label={props.label}
    hint={props.hint}
    inputMode="numeric"
    defaultValue={props.typed}
    problems={props.problems}
    maxLength={3}
    autoComplete="off"
  />
);
