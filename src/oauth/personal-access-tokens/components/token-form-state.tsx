"use client";

import { type ReactNode, useActionState } from "react";
import { ButtonLink } from "@/ui/button";
import { FormContentProvider } from "@/ui/form-fields";
import type { CreationState } from "../actions";
import type { PersonalTokenDraft, PersonalTokenProblems } from "../rules";
import { NewTokenValue } from "./new-value";

export type TokenFormProps<Draft, FieldErrors> = Readonly<{
  action: (
    before: CreationState<Draft, Partial<FieldErrors>>,
    form: FormData,
  ) => Promise<CreationState<Draft, Partial<FieldErrors>>>;
  /** The initial values of the token form. */
  draft: Draft;
  /** The path of the page with the list of tokens. */
  home: string;
  children?: ReactNode;
}>;

export type ShownProblems = PersonalTokenProblems & Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The form element of the token form. After the token was created, the page shows the value of the token
 * instead of the form.
 */
export function TokenFormState<
  Draft extends PersonalTokenDraft & Readonly<{ role?: string }>,
  FieldErrors extends ShownProblems,
>({ action, draft: initial, home, children }: TokenFormProps<Draft, FieldErrors>) {
  const [state, formAction] = useActionState<CreationState<Draft, Partial<FieldErrors>>, FormData>(action, {
    kind: "editing",
    draft: initial,
    problems: {},
  });
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
  const values = {
    name: [draft.name],
    expires_at: [draft.expiresAt ?? ""],
    scopes: draft.scopes,
    role: [draft.role ?? ""],
  };
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      <FormContentProvider value={{ values, problems }}>{children}</FormContentProvider>
    </form>
  );
}
