"use client";

import { useActionState } from "react";
import { ALL_SCOPES, SCOPES } from "@/access/scopes";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ApplicationDraft } from "../../applications/rules";
import { type Template, templateNamed } from "../../applications/template";
import type { FormState } from "../actions";
import { AdvancedFields } from "./advanced-fields";
import { FullLoad } from "./full-load";
import { RedirectUrisField } from "./redirect-uris-field";
import { TemplateChoice } from "./template-choice";

type Props = Readonly<{
  action: (before: FormState, form: FormData) => Promise<FormState>;
  draft: ApplicationDraft;
  /** Whether http redirect URIs are allowed on any host. */
  plainHttp: boolean;
  /** The template whose values the form shows first; undefined when the form edits an application. */
  template?: Template["name"];
  /** The id of an existing application; undefined for a new application. */
  id?: number;
  /** The group that owns a new application; undefined for an application of the user. */
  groupId?: number;
  submit: string;
  cancelTo: string;
}>;

/**
 * Shows the form that registers or edits an application. Without JavaScript, the action returns a complete
 * page.
 */
export function ApplicationForm(props: Props) {
  const { action, draft, plainHttp, id, submit, cancelTo } = props;
  const [state, formAction, pending] = useActionState(action, {
    kind: "editing",
    draft,
    problems: {},
    template: props.template ?? "blank",
  });
  if (state.kind === "saved") return <FullLoad to={state.secretAt} />;
  const { problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {/* The Enter key presses the first button of a form. */}
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
        {submit}
      </button>
      {props.template === undefined ? null : <TemplateChoice chosen={state.template} />}
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">Your changes were not saved. Correct the marked fields.</Notice>
      ) : null}
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      {props.groupId === undefined ? null : <input type="hidden" name="group" value={props.groupId} />}
      <Field
        id="name"
        name="name"
        label="Name"
        hint="People see this name when the application asks for access."
        defaultValue={state.draft.name}
        problems={problems.name}
        maxLength={255}
        autoComplete="off"
      />
      <RedirectUrisField
        defaultValue={state.draft.redirectUris}
        problems={problems.redirectUris}
        plainHttp={plainHttp}
        placeholder={templateNamed(state.template).placeholder}
      />
      <Confidentiality chosen={state.draft.confidential} problems={problems.confidential} />
      <ChoiceGroup
        id="scopes"
        legend="Scopes"
        hint="The scopes that the application can request. Each user decides whether to allow them."
        problems={problems.scopes}
      >
        {ALL_SCOPES.map((scope) => (
          <ChoiceRow
            key={scope}
            id={`scope-${scope}`}
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={state.draft.scopes.includes(scope)}
            label={<code>{scope}</code>}
            detail={`${SCOPES[scope].label}. ${SCOPES[scope].detail}`}
          />
        ))}
      </ChoiceGroup>
      {id === undefined ? null : (
        <ChoiceGroup
          id="removed-scopes"
          legend="Removed scopes"
          hint="New authorizations cannot contain a removed scope. Existing grants keep the scopes that users allowed, unless you revoke these grants."
        >
          <ChoiceRow
            id="revokes-uncovered"
            type="checkbox"
            name="revokes_uncovered"
            value="true"
            defaultChecked={state.draft.revokesUncovered === true}
            label="Revoke grants with removed scopes"
            detail="Revokes each grant that has a removed scope, with all its tokens. The users of these grants must allow the application again."
          />
        </ChoiceGroup>
      )}
      <ChoiceGroup id="options" legend="Options">
        <ChoiceRow
          id="requires-pkce"
          type="checkbox"
          name="requires_pkce"
          value="true"
          defaultChecked={state.draft.requiresPkce}
          label="Require PKCE"
          detail="This option is for a confidential application. A public application must always use PKCE."
        />
        <ChoiceRow
          id="allows-password"
          type="checkbox"
          name="allows_password"
          value="true"
          defaultChecked={state.draft.allowsPassword}
          label="Allow the password grant"
          detail="The application can exchange a username and password for a token. Leave this option off if the application does not need the password grant."
        />
      </ChoiceGroup>
      <AdvancedFields draft={state.draft} problems={problems} />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          {submit}
        </Button>
        <ButtonLink href={cancelTo}>Cancel</ButtonLink>
      </div>
    </form>
  );
}

function Confidentiality(props: {
  readonly chosen: boolean | null;
  readonly problems: readonly string[] | undefined;
}) {
  return (
    <ChoiceGroup id="confidential" legend="Can the application keep a secret?" problems={props.problems}>
      <ChoiceRow
        id="confidential-yes"
        type="radio"
        name="confidential"
        value="true"
        defaultChecked={props.chosen === true}
        label="Yes, on a server"
        detail="Confidential. The application receives a client secret and must send it."
      />
      <ChoiceRow
        id="confidential-no"
        type="radio"
        name="confidential"
        value="false"
        defaultChecked={props.chosen === false}
        label="No, it runs in a browser, on a phone or on a device"
        detail="Public. The application has no secret and must use PKCE."
      />
    </ChoiceGroup>
  );
}
