"use client";

import { useActionState } from "react";
import { ALL_SCOPES, SCOPES } from "@/access/scopes";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ApplicationDraft } from "../../applications/rules";
import type { FormState } from "../actions";
import { Credentials } from "./credentials";
import { RedirectUrisField } from "./redirect-uris-field";

type Props = Readonly<{
  action: (before: FormState, form: FormData) => Promise<FormState>;
  draft: ApplicationDraft;
  /** Whether redirect URIs may be http on any host here. */
  plainHttp: boolean;
  /** What a redirect URI of this kind looks like. */
  placeholder?: string;
  /** The application that is changed; absent for a new one. */
  id?: number;
  submit: string;
  cancelTo: string;
}>;

/** Registers or changes an application. Works without JavaScript: the action then answers with a whole page. */
export function ApplicationForm(props: Props) {
  const { action, draft, plainHttp, placeholder = "", id, submit, cancelTo } = props;
  const [state, formAction, pending] = useActionState(action, { kind: "editing", draft, problems: {} });
  if (state.kind === "saved") return <Saved {...state} />;
  const { problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">Nothing was saved yet. Correct what is marked below.</Notice>
      ) : null}
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      <Field
        id="name"
        name="name"
        label="Name"
        hint="People see it when they decide whether to allow access."
        defaultValue={state.draft.name}
        problems={problems.name}
        maxLength={255}
        autoComplete="off"
      />
      <RedirectUrisField
        defaultValue={state.draft.redirectUris}
        problems={problems.redirectUris}
        plainHttp={plainHttp}
        placeholder={placeholder}
      />
      <Confidentiality chosen={state.draft.confidential} problems={problems.confidential} />
      <ChoiceGroup
        id="scopes"
        legend="Scopes"
        hint="The most that it can ever ask for. People still decide what to allow."
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
          legend="If you remove scopes"
          hint="New authorizations are limited immediately. Existing grants keep the scopes that people allowed, unless you revoke them."
        >
          <ChoiceRow
            id="revokes-uncovered"
            type="checkbox"
            name="revokes_uncovered"
            value="true"
            defaultChecked={state.draft.revokesUncovered === true}
            label="Also revoke what is no longer covered"
            detail="Grants with a scope that the application no longer has end with all their tokens. The people concerned must connect the application again."
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
          detail="Also of an application that keeps a secret. Without a secret, PKCE is always required."
        />
        <ChoiceRow
          id="allows-password"
          type="checkbox"
          name="allows_password"
          value="true"
          defaultChecked={state.draft.allowsPassword}
          label="Allow the password grant"
          detail="It may exchange a person's name and password for a token. Take the tick away if it does not."
        />
      </ChoiceGroup>
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
    <ChoiceGroup id="confidential" legend="Can it keep a secret?" problems={props.problems}>
      <ChoiceRow
        id="confidential-yes"
        type="radio"
        name="confidential"
        value="true"
        defaultChecked={props.chosen === true}
        label="Yes: it keeps a secret on a server"
        detail="Confidential. It gets a client secret and must send it."
      />
      <ChoiceRow
        id="confidential-no"
        type="radio"
        name="confidential"
        value="false"
        defaultChecked={props.chosen === false}
        label="No: browser, mobile or device"
        detail="Public. It has no secret and must use PKCE."
      />
    </ChoiceGroup>
  );
}

function Saved({ id, uid, name, secret }: Extract<FormState, { kind: "saved" }>) {
  return (
    <div className="grid gap-6">
      <Notice kind="done">
        <bdi className="wrap-anywhere">{name}</bdi> is {secret === null ? "saved" : "saved, and has a secret"}
        .
      </Notice>
      <Credentials uid={uid} secret={secret} />
      <div>
        <ButtonLink kind="primary" href={`/user_settings/applications/${id}`}>
          Continue
        </ButtonLink>
      </div>
    </div>
  );
}
