"use client";

import { type ReactNode, useActionState } from "react";
import { FormContentProvider } from "@/ui/form-fields";
import type { ApplicationDraft } from "../../applications/rules";
import type { FormState } from "../actions";
import { FullLoad } from "./full-load";

type Props = Readonly<{
  action: (before: FormState, form: FormData) => Promise<FormState>;
  initial: FormState;
  children: ReactNode;
}>;

/**
 * The form element of the application form, which provides the draft of the application to its fields. After
 * a form action, the fields show the draft of the application that the action returned.
 */
export function ApplicationFormState({ action, initial, children }: Props) {
  const [state, formAction] = useActionState(action, initial);
  if (state.kind === "saved") return <FullLoad to={state.secretAt} />;
  const { draft, problems, template } = state;
  const values = { ...fieldValuesOf(draft), template_before: [template] };
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      <FormContentProvider value={{ values, problems }}>{children}</FormContentProvider>
    </form>
  );
}

const flag = (value: boolean | null | undefined): readonly string[] => (value ? ["true"] : []);

/** Returns the values of the fields of the form, keyed by the names that `readApplicationForm` reads. */
export const fieldValuesOf = (draft: ApplicationDraft) => ({
  name: [draft.name],
  redirect_uris: [draft.redirectUris],
  confidential: draft.confidential === null ? [] : [String(draft.confidential)],
  scopes: draft.scopes,
  requires_pkce: flag(draft.requiresPkce),
  allows_password: flag(draft.allowsPassword),
  requires_pushed_requests: flag(draft.requiresPushedRequests),
  requires_dpop: flag(draft.requiresDpop),
  auth_method: [draft.authentication?.method ?? ""],
  jwks: [draft.authentication?.jwks ?? ""],
  jwks_uri: [draft.authentication?.jwksUri ?? ""],
  access_token_format: [draft.tokens?.accessTokenFormat ?? "opaque"],
  id_token_algorithm: [draft.tokens?.idTokenAlgorithm ?? "RS256"],
  client_credentials_scopes: draft.clientCredentialsScopes ?? [],
  backchannel_logout_uri: [draft.backchannelLogout?.uri ?? ""],
  backchannel_logout_session_required: flag(draft.backchannelLogout?.sessionRequired),
  revokes_uncovered: flag(draft.revokesUncovered),
});
