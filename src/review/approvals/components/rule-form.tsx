"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { RuleFormState } from "../actions";
import type { RuleFormDraft } from "../schema";
import { CountField } from "./approvals-form";

/** Adds a rule, or changes one. Works without JavaScript. */
export function RuleForm(props: {
  readonly action: (before: RuleFormState, form: FormData) => Promise<RuleFormState>;
  readonly project: number;
  readonly draft: RuleFormDraft;
  /** Where the list of them is. */
  readonly home: string;
  /** The rule that is changed; without one, another is added. */
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
        <Notice kind="problem">{refusal ?? "Nothing was saved yet. Correct what is marked below."}</Notice>
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
          label="Approvals"
          typed={draft.approvalsRequired}
          problems={problems.approvalsRequired}
        />
      </div>
      <Field
        id="rule-usernames"
        name="usernames"
        label="Who may give them"
        hint="Usernames of members of the project, with spaces or commas between them."
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
