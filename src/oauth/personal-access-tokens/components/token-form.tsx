import { SCOPES, type ScopeRisk } from "@/access/scopes";
import { ButtonLink } from "@/ui/button";
import { ChoiceGroup } from "@/ui/choice";
import { FormProblems, SubmitButton } from "@/ui/form-fields";
import { PERSONAL_TOKEN_SCOPES, type PersonalTokenDraft } from "../rules";
import { ScopeRow, ScopesFieldset, TokenExpiryField, TokenNameField } from "./token-fields";
import { type ShownProblems, type TokenFormProps, TokenFormState } from "./token-form-state";

/** The groups of scopes in the form, from the lowest to the highest risk. */
const GROUPS: readonly (readonly [ScopeRisk, string])[] = [
  ["read", "Read access"],
  ["write", "Write access"],
  ["full", "Full access"],
];

/**
 * Shows the form that creates a personal access token or the access token of a project or group. Without
 * JavaScript, the form action returns a complete page.
 * @param props.children additional fields of the form.
 */
export const TokenForm = <Draft extends PersonalTokenDraft, FieldErrors extends ShownProblems>(
  props: TokenFormProps<Draft, FieldErrors>,
) => (
  <TokenFormState<Draft, FieldErrors> action={props.action} draft={props.draft} home={props.home}>
    <FormProblems>The token was not created. Correct the marked fields.</FormProblems>
    <TokenNameField />
    <TokenExpiryField hint="The latest date is 365 days from now, which is also the default." />
    {props.children}
    <ScopesFieldset>
      {GROUPS.map(([risk, legend]) => (
        <ChoiceGroup key={risk} id={`scopes-${risk}`} legend={legend}>
          {PERSONAL_TOKEN_SCOPES.filter((scope) => SCOPES[scope].risk === risk).map((scope) => (
            <ScopeRow key={scope} scope={scope} detail={`${SCOPES[scope].label}. ${SCOPES[scope].detail}`} />
          ))}
        </ChoiceGroup>
      ))}
    </ScopesFieldset>
    <div className="flex flex-wrap gap-3">
      <SubmitButton kind="primary">Create token</SubmitButton>
      <ButtonLink href={props.home}>Cancel</ButtonLink>
    </div>
  </TokenFormState>
);
