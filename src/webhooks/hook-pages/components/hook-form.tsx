"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { CopyField } from "@/ui/copy-field";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { HookKind, Trigger } from "../../hooks/rules";
import type { HookFormState } from "../actions";
import type { HookForm as Values } from "../schema";

/** The form that creates or changes a webhook. The form works without JavaScript. */
export function HookForm(props: {
  readonly action: (before: HookFormState, form: FormData) => Promise<HookFormState>;
  readonly kind: HookKind;
  readonly owner: string;
  /** The id of the webhook; null for a new webhook. */
  readonly hook: number | null;
  readonly hasToken: boolean;
  /** The events that the webhook can receive. */
  readonly triggers: readonly Readonly<{ name: Trigger; label: string; detail: string }>[];
  readonly form: Values;
}) {
  const [state, formAction, pending] = useActionState<HookFormState, FormData>(props.action, {
    kind: "editing",
    form: props.form,
    problems: {},
  });
  if (state.kind === "created")
    return (
      <div className="grid gap-4">
        <Notice kind="done" focused>
          The webhook is created. Copy the signing secret now: it is not shown again.
        </Notice>
        <CopyField id="signing-secret" label="Signing secret" value={state.signingSecret} />
        <p>
          <a href={state.path}>Show the webhook and its messages</a>
        </p>
      </div>
    );
  const { form, problems } = state;
  const of = (field: string, label: string) =>
    problems[field] === undefined ? undefined : [`${label} ${problems[field]}.`];
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The webhook was not saved. Correct the marked fields.</Notice>
      ) : null}
      <input type="hidden" name="kind" value={props.kind} />
      <input type="hidden" name="owner" value={props.owner} />
      {props.hook === null ? null : <input type="hidden" name="hook" value={props.hook} />}
      <Field
        id="url"
        name="url"
        type="url"
        label="URL"
        hint={
          props.hook === null
            ? "The URL that receives the messages, for example https://ci.example.com/hook."
            : "The URL that receives the messages. If you change the URL, the secret token is removed, and messages for the old URL are not sent again."
        }
        defaultValue={form.url}
        problems={of("url", "The URL")}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        id="name"
        name="name"
        label="Name (optional)"
        defaultValue={form.name}
        problems={of("name", "The name")}
        maxLength={255}
        autoComplete="off"
      />
      <ChoiceGroup id="triggers" legend="Events" problems={of("triggers", "The events")}>
        {props.triggers.map(({ name, label, detail }) => (
          <ChoiceRow
            key={name}
            id={name}
            type="checkbox"
            name={name}
            value="true"
            defaultChecked={form.triggers.includes(name)}
            label={label}
            detail={detail}
          />
        ))}
      </ChoiceGroup>
      {props.triggers.some(({ name }) => name === "push_events") ? (
        <Field
          id="branch-filter"
          name="branch_filter"
          label="Branches (optional)"
          hint="Send push events only for branches that match this filter. A wildcard such as release/* matches several branches."
          defaultValue={form.branchFilter}
          problems={of("push_events_branch_filter", "The filter")}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      <Field
        id="token"
        name="token"
        type="password"
        label="Secret token (optional)"
        hint={
          props.hasToken
            ? "A token is stored. Leave the field empty to keep the token. If you change the URL, enter the token again."
            : "The value of the header X-Gitlab-Token, for receivers that do not verify signatures."
        }
        defaultValue=""
        problems={of("token", "The token")}
        maxLength={255}
        autoComplete="off"
      />
      <div>
        <Button kind="primary" disabled={pending}>
          {props.hook === null ? "Create webhook" : "Save webhook"}
        </Button>
      </div>
    </form>
  );
}
