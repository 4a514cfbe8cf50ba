"use client";

import { type ReactNode, useActionState } from "react";
import { SCOPES, type ScopeRisk } from "@/access/scopes";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup } from "@/ui/choice";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { CreationState } from "../actions";
import { PERSONAL_TOKEN_SCOPES, type PersonalTokenDraft, type PersonalTokenProblems } from "../rules";
import { NewTokenValue } from "./new-value";
import { ScopeRow, ScopesFieldset, TokenNameField } from "./token-fields";

/** The groups of scopes in the form, from the lowest to the highest risk. */
const GROUPS: readonly (readonly [ScopeRisk, string])[] = [
  ["read", "Read access"],
  ["write", "Write access"],
  ["full", "Full access"],
];

type Props<Draft, FieldErrors> = Readonly<{
  action: (
    before: CreationState<Draft, Partial<FieldErrors>>,
    form: FormData,
  ) => Promise<CreationState<Draft, Partial<FieldErrors>>>;
  /** The initial values of the form. */
  draft: Draft;
  /** The path of the page with the list of tokens. */
  home: string;
  /** Returns further fields of the form. */
  fields?: (draft: Draft, problems: Partial<FieldErrors>) => ReactNode;
}>;

/**
 * Shows the form that creates a personal access token or the access token of a project or group. Without JavaScript, the action returns a complete
 * page.
 */
export function TokenForm<Draft extends PersonalTokenDraft, FieldErrors extends PersonalTokenProblems>({
  action,
  draft: initial,
  home,
  fields,
}: Props<Draft, FieldErrors>) {
  const [state, formAction, pending] = useActionState<CreationState<Draft, Partial<FieldErrors>>, FormData>(
    action,
    {
      kind: "editing",
      draft: initial,
      problems: {},
    },
  );
  if (state.kind === "created")
    return (
      <>
        <NewTokenValue token={state} />
        <div>
          <ButtonLink kind="primary" href={home}>
            Done
          </ButtonLink>
        </div>
      </>
    );
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The token was not created. Correct the marked fields.</Notice>
      ) : null}
      <TokenNameField name={draft.name} problems={problems.name} />
      <Field
        id="expires_at"
        name="expires_at"
        type="date"
        label="Expiration date"
        hint="The token expires at the start of this day, in UTC. The latest date is 365 days from now, which is also the default."
        defaultValue={draft.expiresAt ?? ""}
        problems={problems.expiresAt}
      />
      {fields?.(draft, problems)}
      <ScopesFieldset problems={problems.scopes}>
        {GROUPS.map(([risk, legend]) => (
          <ChoiceGroup key={risk} id={`scopes-${risk}`} legend={legend}>
            {PERSONAL_TOKEN_SCOPES.filter((scope) => SCOPES[scope].risk === risk).map((scope) => (
              <ScopeRow
                key={scope}
                scope={scope}
                selected={draft.scopes}
                detail={`${SCOPES[scope].label}. ${SCOPES[scope].detail}`}
              />
            ))}
          </ChoiceGroup>
        ))}
      </ScopesFieldset>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Create token
        </Button>
        <ButtonLink href={home}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
