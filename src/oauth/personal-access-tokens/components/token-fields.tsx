import type { ReactNode } from "react";
import { ChoiceRow } from "@/ui/choice";
import { Field, FieldProblems } from "@/ui/field";

type FieldErrors = readonly string[] | undefined;

/** The field for the name of a new token. */
export const TokenNameField = (props: { readonly name: string; readonly problems: FieldErrors }) => (
  <Field
    id="name"
    name="name"
    label="Name"
    hint="Describe the program that uses the token, so that you can recognize the token later."
    dir="auto"
    defaultValue={props.name}
    problems={props.problems}
    maxLength={255}
    autoComplete="off"
  />
);

/** The fields for the scopes of a new token; the children are groups of `ScopeRow`. */
export const ScopesFieldset = (props: { readonly problems: FieldErrors; readonly children: ReactNode }) => (
  <fieldset className="grid gap-4" aria-describedby={props.problems ? "scopes-problems" : undefined}>
    <legend className="sr-only">Scopes</legend>
    <FieldProblems id="scopes-problems" texts={props.problems} />
    {props.children}
  </fieldset>
);

export const ScopeRow = (props: {
  readonly scope: string;
  readonly selected: readonly string[];
  readonly detail: string;
}) => (
  <ChoiceRow
    id={`scope-${props.scope}`}
    type="checkbox"
    name="scopes"
    value={props.scope}
    defaultChecked={props.selected.includes(props.scope)}
    label={<code>{props.scope}</code>}
    detail={props.detail}
  />
);
