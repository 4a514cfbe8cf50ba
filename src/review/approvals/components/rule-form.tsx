"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { RuleFormState } from "../actions";
import type { RuleFormDraft } from "../schema";
import { CountField } from "./approvals-form";

/** The form that adds or edits an approval rule. The form works without JavaScript. */
export function RuleForm(props: {
  readonly action: (before: RuleFormState, form: FormData) => Promise<RuleFormState>;
  readonly project: number;
  readonly draft: RuleFormDraft;
  /** The URL path of the page that lists the approval rules. */
  readonly home: string;
  /** The id of the edited approval rule; absent for a new rule. */
  readonly ruleId?: number;
}) {
  const { action, project, home, ruleId } = props;
  const [state, formAction, pending] = useActionState(action, {
    draft: props.draft,
    problems: {},
    refusal: null,
  });
  const { draft, problems, refusal } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
      {refusal !== null || Object.keys(problems).length > 0 ? (
        <Notice kind="problem">{refusal ?? "The rule was not saved. Correct the marked fields."}</Notice>
      ) : null}
      <input type="hidden" name="project" value={project} />
      {ruleId === undefined ? null : <input type="hidden" name="rule_id" value={ruleId} />}
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Field
          id="rule-name"
          name="name"
          label="Name"
          dir="auto"
          defaultValue={draft.name}
          problems={problems.name}
          maxLength={255}
          autoComplete="off"
        />
        <CountField
          id="rule-approvals-required"
          label="Required approvals"
          typed={draft.approvalsRequired}
          problems={problems.approvalsRequired}
        />
      </div>
      <Field
        id="rule-usernames"
        name="usernames"
        label="Approvers"
        hint="Usernames of project members, separated by spaces or commas."
        defaultValue={draft.usernames}
        problems={problems.usernames}
        maxLength={10_000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          {ruleId === undefined ? "Add rule" : "Save rule"}
        </Button>
        <ButtonLink href={home}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
