import {
  ScopeRow,
  ScopesFieldset,
  TokenExpiryField,
  TokenNameField,
} from "@/oauth/personal-access-tokens/components/token-fields";
import { ButtonLink } from "@/ui/button";
import { ChoiceGroup } from "@/ui/choice";
import { FormField, FormProblems, SubmitButton } from "@/ui/form-fields";
import type { DeployTokenState } from "../actions";
import { ALL_DEPLOY_SCOPES, DEPLOY_SCOPES, type DeployTokenDraft } from "../rules";
import { DeployTokenFormState } from "./deploy-token-form-state";

type Props = Readonly<{
  action: (before: DeployTokenState, form: FormData) => Promise<DeployTokenState>;
  draft: DeployTokenDraft;
  resource: Readonly<{ kind: "project" | "group"; id: number }>;
  /** The path of the page with the list of tokens. */
  url: string;
}>;

/** Shows the form that creates a deploy token, and the value of the new token. */
export const DeployTokenForm = ({ action, draft, resource, url }: Props) => (
  <DeployTokenFormState action={action} draft={draft} url={url}>
    <input type="hidden" name="kind" value={resource.kind} />
    <input type="hidden" name="place" value={resource.id} />
    <FormProblems>The token was not created. Correct the marked fields.</FormProblems>
    <TokenNameField />
    <FormField
      id="username"
      name="username"
      label="Username"
      hint="Programs send the username with the token. Leave the field empty for a generated username."
      maxLength={255}
      autoComplete="off"
    />
    <TokenExpiryField hint="Without a date, the token does not expire." />
    <ScopesFieldset>
      <ChoiceGroup id="scopes" legend="Scopes">
        {ALL_DEPLOY_SCOPES.map((scope) => (
          <ScopeRow key={scope} scope={scope} detail={DEPLOY_SCOPES[scope]} />
        ))}
      </ChoiceGroup>
    </ScopesFieldset>
    <div className="flex flex-wrap gap-3">
      <SubmitButton kind="primary">Create token</SubmitButton>
      <ButtonLink href={url}>Cancel</ButtonLink>
    </div>
  </DeployTokenFormState>
);
