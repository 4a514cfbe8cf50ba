import type { ReactNode } from "react";
import { FormChoice, FormField, FormFieldset } from "@/ui/form-fields";

/** The field for the name of a new token. */
export const TokenNameField = () => (
  <FormField
    id="name"
    name="name"
    label="Name"
    hint="Describe the program that uses the token, so that you can recognize the token later."
    dir="auto"
    maxLength={255}
    autoComplete="off"
  />
);

/** The field for the expiration date of a new token. @param props.hint the effect of an empty date field. */
export const TokenExpiryField = ({ hint }: { readonly hint: string }) => (
  <FormField
    id="expires_at"
    name="expires_at"
    problemKey="expiresAt"
    type="date"
    label="Expiration date"
    hint={`The token expires at the start of this day, in UTC. ${hint}`}
  />
);

/** The fields for the scopes of a new token; the children of the component are groups of `ScopeRow`. */
export const ScopesFieldset = ({ children }: { readonly children: ReactNode }) => (
  <FormFieldset legend="Scopes" problemKey="scopes">
    {children}
  </FormFieldset>
);

export const ScopeRow = ({ scope, detail }: { readonly scope: string; readonly detail: string }) => (
  <FormChoice
    id={`scope-${scope}`}
    type="checkbox"
    name="scopes"
    value={scope}
    label={<code>{scope}</code>}
    detail={detail}
  />
);
