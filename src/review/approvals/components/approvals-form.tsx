"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ApprovalsFormState } from "../actions";
import { type ApprovalsDraft, SWITCHES, type Switch } from "../schema";

const WORDS: Readonly<Record<Switch, Readonly<{ label: string; detail: string }>>> = {
  resetOnPush: {
    label: "A push takes approvals away",
    detail: "Nobody has approved the new commits, so they have to be approved again.",
  },
  authorApproval: {
    label: "Authors may approve their own",
    detail: "The approval of whoever opened a merge request counts, too.",
  },
  committersApprovalRefused: {
    label: "Committers may not approve",
    detail: "Neither the authors and committers of its commits nor the users who have pushed them.",
  },
  passwordRequired: {
    label: "Approving takes a password",
    detail: "Whoever approves types theirs, so that a browser left open is not enough.",
  },
};

/** Says how merge requests are approved. Works without JavaScript. */
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
        <Notice kind="problem">Nothing was saved yet. Correct what is marked below.</Notice>
      )}
      <input type="hidden" name="project" value={props.project} />
      <CountField
        id="approvals-required"
        label="Approvals needed"
        hint="Of anybody who may approve, beside what the rules below ask for."
        typed={draft.approvalsRequired}
        problems={problem === null ? undefined : [problem]}
      />
      <ChoiceGroup id="approval-switches" legend="What counts">
        {SWITCHES.map((name) => (
          <ChoiceRow
            key={name}
            id={`approvals-${name}`}
            type="checkbox"
            name={name}
            defaultChecked={draft.switches[name]}
            {...WORDS[name]}
          />
        ))}
      </ChoiceGroup>
      <div>
        <Button kind="primary" disabled={pending}>
          Save approvals
        </Button>
      </div>
    </form>
  );
}

/** How many approvals are needed. */
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
