"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Notice } from "@/ui/notice";
import type { NewSiteState } from "../actions";
import type { NewSiteDraft } from "../schema";
import { SiteNameFields } from "./site-name-fields";

/** The form that adds a Geo site. The page of the site contains all other settings of the site. */
export function NewSiteForm(props: {
  readonly action: (before: NewSiteState, form: FormData) => Promise<NewSiteState>;
  readonly draft: NewSiteDraft;
}) {
  const [state, formAction, pending] = useActionState(props.action, { draft: props.draft, problems: {} });
  const { draft, problems } = state;
  const of = (field: string, label: string) => problems[field]?.map((text) => `${label} ${text}.`);
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The site was not added. Correct the marked fields.</Notice>
      ) : null}
      <SiteNameFields draft={draft} problemsOf={of} />
      <ChoiceGroup id="kind" legend="Kind" problems={of("primary", "A primary site")}>
        <ChoiceRow
          id="primary"
          type="checkbox"
          name="primary"
          value="true"
          defaultChecked={draft.primary}
          label="Primary site"
          detail="This instance is the primary site. There can be only one primary site."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Add site
        </Button>
        <ButtonLink href="/admin/geo/sites">Cancel</ButtonLink>
      </div>
    </form>
  );
}
