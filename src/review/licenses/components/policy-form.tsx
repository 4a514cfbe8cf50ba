"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field, TextField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { PolicyFormState } from "../actions";
import type { PolicyDraft } from "../schema";

/** The form that creates or edits a license approval policy. The form works without JavaScript. */
export function PolicyForm(props: {
  readonly action: (before: PolicyFormState, form: FormData) => Promise<PolicyFormState>;
  readonly project: number;
  readonly draft: PolicyDraft;
  /** The URL path of the page that lists the license policies. */
  readonly path: string;
  /** The id of the edited license policy; absent for a new policy. */
  readonly policyId?: number;
}) {
  const { action, project, path, policyId } = props;
  const initial: PolicyFormState = { draft: props.draft, problems: {}, refusal: null };
  const [state, formAction, pending] = useActionState(action, initial);
  const { draft, problems, refusal } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-4" noValidate>
      {refusal !== null || Object.keys(problems).length > 0 ? (
        <Notice kind="problem">{refusal ?? "The policy was not saved. Correct the marked fields."}</Notice>
      ) : null}
      <input type="hidden" name="project" value={project} />
      {policyId === undefined ? null : <input type="hidden" name="policy_id" value={policyId} />}
      <Field
        id="policy-name"
        name="name"
        label="Name"
        dir="auto"
        defaultValue={draft.name}
        problems={problems.name}
        maxLength={255}
        autoComplete="off"
      />
      <TextField
        id="policy-description"
        name="description"
        label="Description (optional)"
        prose
        dir="auto"
        rows={2}
        defaultValue={draft.description}
        problems={problems.description}
        maxLength={10_000}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <LicensesField
          id="policy-deny-list"
          name="denyList"
          label="Deny list"
          hint="A merge request that introduces one of these licenses violates the policy."
          typed={draft.denyList}
          problems={problems.denyList}
        />
        <LicensesField
          id="policy-allow-list"
          name="allowList"
          label="Allow list"
          hint="If this list is not empty, every other license violates the policy."
          typed={draft.allowList}
          problems={problems.allowList}
        />
      </div>
      <Field
        id="policy-approvals-required"
        name="approvalsRequired"
        label="Approvals that permit a violation"
        hint="If the number is 0, approvals never permit a merge request that violates the policy."
        inputMode="numeric"
        defaultValue={draft.approvalsRequired}
        problems={problems.approvalsRequired}
        maxLength={3}
        autoComplete="off"
      />
      <ChoiceGroup id="policy-state" legend="State">
        <ChoiceRow
          id="policy-enabled"
          type="checkbox"
          name="enabled"
          defaultChecked={draft.enabled}
          label="Enforce this policy"
          detail="Merge requests that violate the policy cannot be merged. Changes to the policy apply to all open merge requests."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          {policyId === undefined ? "Create policy" : "Save policy"}
        </Button>
        <ButtonLink href={path}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

const LicensesField = (props: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly typed: string;
  readonly problems: readonly string[] | undefined;
}) => (
  <TextField
    id={props.id}
    name={props.name}
    label={props.label}
    hint={`${props.hint} One SPDX identifier per line, such as GPL-3.0-only.`}
    rows={5}
    defaultValue={props.typed}
    problems={props.problems}
    maxLength={60_000}
    autoCapitalize="none"
    spellCheck={false}
  />
);
