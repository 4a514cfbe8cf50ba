import type { ReactNode } from "react";
import { ALL_SCOPES, SCOPES } from "@/access/scopes";
import { ButtonLink } from "@/ui/button";
import { ChoiceGroup } from "@/ui/choice";
import { FormChoice, FormChoiceGroup, FormField, FormProblems, SubmitButton } from "@/ui/form-fields";
import type { ApplicationDraft } from "../../applications/rules";
import { TEMPLATES, type Template, templateNamed } from "../../applications/template";
import type { FormState } from "../actions";
import { AdvancedFields } from "./advanced-fields";
import { ApplicationFormState } from "./application-form-state";
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

const PLACEHOLDERS = Object.fromEntries(
  [templateNamed("blank"), ...TEMPLATES].map(({ name, placeholder }) => [name, placeholder]),
);

/**
 * Shows the form that registers or edits an application. Without JavaScript, the form action returns a
 * complete page.
 */
export function ApplicationForm(props: Props) {
  const { action, draft, plainHttp, id, submit, cancelTo } = props;
  const template = props.template ?? "blank";
  return (
    <ApplicationFormState
      key={template}
      action={action}
      initial={{ kind: "editing", draft, problems: {}, template }}
    >
      {/* The Enter key presses the first button of a form, so the first button is a hidden submit button. */}
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
        {submit}
      </button>
      {props.template === undefined ? null : <TemplateChoice />}
      <FormProblems>Your changes were not saved. Correct the marked fields.</FormProblems>
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      {props.groupId === undefined ? null : <input type="hidden" name="group" value={props.groupId} />}
      <FormSection id="section-name">
        <FormField
          id="name"
          name="name"
          label="Name"
          hint="People see this name when the application asks for access."
          maxLength={255}
          autoComplete="off"
        />
      </FormSection>
      <FormSection id="section-redirect-uris">
        <RedirectUrisField plainHttp={plainHttp} placeholders={PLACEHOLDERS} />
      </FormSection>
      <FormSection id="section-client-type">
        <Confidentiality />
      </FormSection>
      <FormSection id="section-scopes">
        <FormChoiceGroup
          id="scopes"
          legend="Scopes"
          hint="The scopes that the application can request. Each user decides whether to allow these scopes."
          problemKey="scopes"
        >
          {ALL_SCOPES.map((scope) => (
            <FormChoice
              key={scope}
              id={`scope-${scope}`}
              type="checkbox"
              name="scopes"
              value={scope}
              label={<code>{scope}</code>}
              detail={`${SCOPES[scope].label}. ${SCOPES[scope].detail}`}
            />
          ))}
        </FormChoiceGroup>
        {id === undefined ? null : (
          <ChoiceGroup
            id="removed-scopes"
            legend="Removed scopes"
            hint="New authorizations cannot contain a removed scope. Existing grants keep the scopes that users allowed, unless you revoke these grants."
          >
            <FormChoice
              id="revokes-uncovered"
              type="checkbox"
              name="revokes_uncovered"
              value="true"
              label="Revoke grants with removed scopes"
              detail="Revokes each grant that has a removed scope, with all its tokens. The users of these grants must allow the application again."
            />
          </ChoiceGroup>
        )}
      </FormSection>
      <FormSection id="section-options">
        <ChoiceGroup id="options" legend="Options">
          <FormChoice
            id="requires-pkce"
            type="checkbox"
            name="requires_pkce"
            value="true"
            label="Require PKCE"
            detail="Applies only to confidential applications. Public applications must always use PKCE."
          />
          <FormChoice
            id="allows-password"
            type="checkbox"
            name="allows_password"
            value="true"
            label="Allow the password grant"
            detail="The application can exchange a username and password for a token. Leave this option off if the application does not need the password grant."
          />
        </ChoiceGroup>
      </FormSection>
      <FormSection id="section-advanced">
        <AdvancedFields />
      </FormSection>
      <div className="flex flex-wrap gap-3">
        <SubmitButton kind="primary">{submit}</SubmitButton>
        <ButtonLink href={cancelTo}>Cancel</ButtonLink>
      </div>
    </ApplicationFormState>
  );
}

/** A part of the form to which a section link leads. */
const FormSection = (props: { readonly id: string; readonly children: ReactNode }) => (
  <div id={props.id} className="grid min-w-0 gap-6">
    {props.children}
  </div>
);

const Confidentiality = () => (
  <FormChoiceGroup id="confidential" legend="Can the application keep a secret?" problemKey="confidential">
    <FormChoice
      id="confidential-yes"
      type="radio"
      name="confidential"
      value="true"
      label="Yes, on a server"
      detail="Confidential. The application receives a client secret and authenticates with the secret."
    />
    <FormChoice
      id="confidential-no"
      type="radio"
      name="confidential"
      value="false"
      label="No, the application runs in a browser, on a phone or on a device"
      detail="Public. The application has no secret and must use PKCE."
    />
  </FormChoiceGroup>
);
