"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { SiteFormState } from "../actions";
import { CAPACITY_FIELDS } from "../capacity";
import type { SiteDraft } from "../schema";
import { SiteNameFields } from "./site-name-fields";

/**
 * The form that edits a Geo site. The form also works without JavaScript, because the server action then
 * responds with a whole page.
 */
export function SiteForm(props: {
  readonly action: (before: SiteFormState, form: FormData) => Promise<SiteFormState>;
  readonly id: number;
  readonly primary: boolean;
  readonly draft: SiteDraft;
}) {
  const [state, formAction, pending] = useActionState(props.action, { draft: props.draft, problems: {} });
  const { draft, problems } = state;
  const of = (field: string, label: string) => problems[field]?.map((text) => `${label} ${text}.`);
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The site was not saved. Correct the marked fields.</Notice>
      ) : null}
      <input type="hidden" name="id" value={props.id} />
      <SiteNameFields draft={draft} problemsOf={of} />
      <Field
        id="internal_url"
        name="internal_url"
        type="url"
        label="Internal URL"
        hint="The URL that other sites use to connect to this site. Leave this field empty to use the URL above."
        defaultValue={draft.internal_url}
        problems={of("internal_url", "The internal URL")}
        autoComplete="off"
      />
      {Object.entries(CAPACITY_FIELDS).map(([name, label]) => (
        <Field
          key={name}
          id={name}
          name={name}
          label={label}
          inputMode="numeric"
          defaultValue={draft[name as keyof typeof CAPACITY_FIELDS]}
          problems={of(name, "The number")}
          autoComplete="off"
        />
      ))}
      <ChoiceGroup id="enabled-choice" legend="Synchronization" problems={problems["enabled"]}>
        {props.primary ? (
          <input type="hidden" name="enabled" value="true" />
        ) : (
          <ChoiceRow
            id="enabled"
            name="enabled"
            type="checkbox"
            value="true"
            defaultChecked={draft.enabled}
            label="Enabled"
            detail="The site replicates the data of the primary site."
          />
        )}
        <ChoiceRow
          id="sync_object_storage"
          name="sync_object_storage"
          type="checkbox"
          value="true"
          defaultChecked={draft.sync_object_storage}
          label="Object storage"
          detail="The site also replicates files in object storage."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Save site
        </Button>
        <ButtonLink href="/admin/geo/sites">Cancel</ButtonLink>
      </div>
    </form>
  );
}
