"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { TrackingFormState } from "../actions";
import type { TrackingDraft } from "../schema";

type Props = Readonly<{
  action: (before: TrackingFormState, form: FormData) => Promise<TrackingFormState>;
  id: number;
  draft: TrackingDraft;
  /** Whether a token for another service is stored; it is never shown again. */
  hasToken: boolean;
}>;

/** Switches error tracking and says who keeps the errors. Works without JavaScript. */
export function TrackingForm(props: Props) {
  const [state, formAction, pending] = useActionState(props.action, { draft: props.draft, problems: {} });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">Nothing was saved yet. Correct what is marked below.</Notice>
      ) : null}
      <input type="hidden" name="id" value={props.id} />
      <ChoiceGroup id="switch" legend="Error tracking">
        <ChoiceRow
          id="active"
          type="checkbox"
          name="active"
          value="true"
          defaultChecked={draft.active}
          label="Track the errors of this project"
          detail="Off: programs that report are told so, and nothing more is kept."
        />
      </ChoiceGroup>
      <ChoiceGroup id="backend" legend="Who keeps the errors?">
        <ChoiceRow
          id="backend-integrated"
          type="radio"
          name="backend"
          value="integrated"
          defaultChecked={draft.backend === "integrated"}
          label="This instance"
          detail="Programs report here with a client key, and you see the errors in this project."
        />
        <ChoiceRow
          id="backend-external"
          type="radio"
          name="backend"
          value="external"
          defaultChecked={draft.backend === "external"}
          label="Another service"
          detail="One that speaks Sentry's API. The project then points there."
        />
      </ChoiceGroup>
      <RemoteFields draft={draft} problems={problems} hasToken={props.hasToken} />
      <div>
        <Button kind="primary" disabled={pending}>
          Save
        </Button>
      </div>
    </form>
  );
}

function RemoteFields({
  draft,
  problems,
  hasToken,
}: Pick<Props, "draft" | "hasToken"> & Pick<TrackingFormState, "problems">) {
  const of = (subject: string, field: string) => problems[field]?.map((text) => `${subject} ${text}.`);
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-card border border-line p-4">
      <legend className="px-1 font-semibold">The other service</legend>
      <p className="text-muted text-small">Needed only when another service keeps the errors.</p>
      <Field
        id="api_url"
        name="api_url"
        type="url"
        label="API address"
        hint="https://HOST/api/0/projects/ORGANISATION/PROJECT"
        defaultValue={draft.apiUrl}
        problems={of("The address", "api_url")}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        id="project_name"
        name="project_name"
        label="Project name"
        hint="As you know it there. Taken from the address if you leave it empty."
        dir="auto"
        defaultValue={draft.projectName}
        problems={of("The name", "project_name")}
        maxLength={255}
        autoComplete="off"
      />
      <Field
        id="token"
        name="token"
        type="password"
        label="Token"
        hint={
          hasToken
            ? "One is stored. Leave this empty to keep it."
            : "It is kept sealed and never shown again."
        }
        placeholder={hasToken ? "stored" : ""}
        problems={of("The token", "token")}
        maxLength={255}
        autoComplete="off"
      />
    </fieldset>
  );
}
