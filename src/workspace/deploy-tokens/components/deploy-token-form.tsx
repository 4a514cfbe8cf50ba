"use client";

import { useActionState } from "react";
import {
  ScopeRow,
  ScopesFieldset,
  TokenNameField,
} from "@/oauth/personal-access-tokens/components/token-fields";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup } from "@/ui/choice";
import { CopyField } from "@/ui/copy-field";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { DeployTokenState } from "../actions";
import { ALL_DEPLOY_SCOPES, DEPLOY_SCOPES, type DeployTokenDraft } from "../rules";

type Props = Readonly<{
  action: (before: DeployTokenState, form: FormData) => Promise<DeployTokenState>;
  draft: DeployTokenDraft;
  resource: Readonly<{ kind: "project" | "group"; id: number }>;
  /** The path of the page with the list of tokens. */
  url: string;
}>;

/** Shows the form that creates a deploy token, and the value of the new token. */
export function DeployTokenForm({ action, draft: initial, resource, url }: Props) {
  const [state, formAction, pending] = useActionState<DeployTokenState, FormData>(action, {
    kind: "editing",
    draft: initial,
    problems: {},
  });
  if (state.kind === "created")
    return (
      <section aria-label="New token" className="grid gap-4">
        <CopyField id="token-username" label="Username" value={state.username} />
        <CopyField id="token-value" label="Token" value={state.value} />
        <Notice kind="warning" focused>
          Copy the token <bdi>{state.name}</bdi> now. You cannot view it again.
        </Notice>
        <div>
          <ButtonLink kind="primary" href={url}>
            Done
          </ButtonLink>
        </div>
      </section>
    );
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      <input type="hidden" name="kind" value={resource.kind} />
      <input type="hidden" name="place" value={resource.id} />
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The token was not created. Correct the marked fields.</Notice>
      ) : null}
      <TokenNameField name={draft.name} problems={problems.name} />
      <Field
        id="username"
        name="username"
        label="Username"
        hint="Programs send the username with the token. Leave the field empty for a generated username."
        defaultValue={draft.username}
        problems={problems.username}
        maxLength={255}
        autoComplete="off"
      />
      <Field
        id="expires_at"
        name="expires_at"
        type="date"
        label="Expiration date"
        hint="The token expires at the start of this day, in UTC. Without a date, the token does not expire."
        defaultValue={draft.expiresAt instanceof Date ? draft.expiresAt.toISOString().slice(0, 10) : ""}
        problems={problems.expiresAt}
      />
      <ScopesFieldset problems={problems.scopes}>
        <ChoiceGroup id="scopes" legend="Scopes">
          {ALL_DEPLOY_SCOPES.map((scope) => (
            <ScopeRow key={scope} scope={scope} selected={draft.scopes} detail={DEPLOY_SCOPES[scope]} />
          ))}
        </ChoiceGroup>
      </ScopesFieldset>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Create token
        </Button>
        <ButtonLink href={url}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
