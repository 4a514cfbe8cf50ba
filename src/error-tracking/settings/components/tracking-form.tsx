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
  /** Whether a token for the external service is stored. The stored token is never shown again. */
  hasToken: boolean;
}>;

/**
 * The form that turns error tracking on or off and selects the service that stores the tracked errors. The form
 * works without JavaScript.
 */
export function TrackingForm(props: Props) {
  const [state, formAction, pending] = useActionState(props.action, { draft: props.draft, problems: {} });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The settings were not saved. Correct the marked fields.</Notice>
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
          detail="While error tracking is off, the server rejects error reports and stores no events."
        />
      </ChoiceGroup>
      <ChoiceGroup id="backend" legend="Error storage">
        <ChoiceRow
          id="backend-integrated"
          type="radio"
          name="backend"
          value="integrated"
          defaultChecked={draft.backend === "integrated"}
          label="This instance"
          detail="Programs report errors with a client key, and the errors are listed in this project."
        />
        <ChoiceRow
          id="backend-external"
          type="radio"
          name="backend"
          value="external"
          defaultChecked={draft.backend === "external"}
          label="Another service"
          detail="A service with a Sentry-compatible API. The project shows a link to the service."
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
      <legend className="px-1 font-semibold">External service</legend>
      <p className="text-muted text-small">
        These fields are required only if another service stores the errors.
      </p>
      <Field
        id="api_url"
        name="api_url"
        type="url"
        label="API URL"
        hint="https://HOST/api/0/projects/ORGANIZATION/PROJECT"
        defaultValue={draft.apiUrl}
        problems={of("The API URL", "api_url")}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        id="project_name"
        name="project_name"
        label="Project name"
        hint="The name of the project in the external service. Leave the field empty to use the last part of the API URL."
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
            ? "A token is stored. Leave this field empty to keep the stored token."
            : "The token is stored encrypted and never shown again."
        }
        placeholder={hasToken ? "Stored" : ""}
        problems={of("The token", "token")}
        maxLength={255}
        autoComplete="off"
      />
    </fieldset>
  );
}
