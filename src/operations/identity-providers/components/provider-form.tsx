"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field, TextField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ProviderFormState } from "../actions";
import type { ProviderFormTexts } from "../form-texts";
import type { ProviderDraft } from "../schema";

type Props = Readonly<{
  action: (before: ProviderFormState, form: FormData) => Promise<ProviderFormState>;
  draft: ProviderDraft;
  isNew: boolean;
  texts: ProviderFormTexts;
}>;

/** The form for a sign-in provider. The form works without JavaScript. */
export function ProviderForm({ action, draft: initial, isNew, texts }: Props) {
  const [state, formAction, pending] = useActionState(action, { draft: initial, problems: {} });
  const { draft, problems } = state;
  const of = (field: keyof ProviderFormState["problems"]) => {
    const text = problems[field];
    return text === undefined ? undefined : [text];
  };
  const { issuer } = texts;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">The provider was not saved. Correct the marked fields.</Notice>
      ) : null}
      <input type="hidden" name="kind" value={draft.kind} />
      {isNew ? (
        <Field
          id="name"
          name="name"
          label="Name in URLs"
          hint="The name is part of the redirect URI, and cannot be changed later."
          defaultValue={draft.name}
          problems={of("name")}
          maxLength={32}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <input type="hidden" name="name" value={draft.name} />
      )}
      <Field
        id="label"
        name="label"
        label="Label"
        hint="The name on the button of the sign-in page: “Sign in with …”."
        defaultValue={draft.label}
        problems={of("label")}
        maxLength={40}
        autoComplete="off"
      />
      {issuer === undefined ? null : (
        <Field
          id="issuer"
          name="issuer"
          label={issuer.label}
          hint={issuer.hint}
          defaultValue={draft.issuer}
          problems={of("issuer")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <Field
        id="client_id"
        name="client_id"
        label="Client ID"
        defaultValue={draft.clientId}
        problems={of("clientId")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        id="client_secret"
        name="client_secret"
        type="password"
        label="Client secret"
        hint={
          isNew
            ? "The client secret is stored encrypted and is not shown again."
            : "Leave the field empty to keep the stored secret."
        }
        problems={of("clientSecret")}
        autoComplete="off"
      />
      <ChoiceGroup id="accounts" legend="Accounts" problems={of("linksByEmail")}>
        <ChoiceRow
          id="enabled"
          name="enabled"
          type="checkbox"
          value="true"
          defaultChecked={draft.enabled}
          label="Enabled"
          detail="The sign-in page shows the button of this provider."
        />
        <ChoiceRow
          id="creates_accounts"
          name="creates_accounts"
          type="checkbox"
          value="true"
          defaultChecked={draft.createsAccounts}
          label="Create accounts"
          detail="Users without an account get one at their first sign-in, even while registration is closed."
        />
        <ChoiceRow
          id="links_by_email"
          name="links_by_email"
          type="checkbox"
          value="true"
          defaultChecked={draft.linksByEmail}
          label="Link existing accounts by e-mail address"
          detail="A verified e-mail address at the provider gives access to the account with the same confirmed e-mail address. Accounts of administrators are never linked by e-mail address."
        />
        <ChoiceRow
          id="trusts_emails"
          name="trusts_emails"
          type="checkbox"
          value="true"
          defaultChecked={draft.trustsEmails}
          label="Trust e-mail addresses without the claim email_verified"
          detail="E-mail addresses count as verified if the provider does not send the claim email_verified. Use this option only if users cannot choose their e-mail address at the provider."
        />
      </ChoiceGroup>
      <Field
        id="allowed_domains"
        name="allowed_domains"
        label="Domains for new and linked accounts"
        hint="Accounts are created and linked only for verified e-mail addresses with these domains. Separate domains by spaces. If the field is empty, all domains are allowed."
        defaultValue={draft.allowedDomains}
        problems={of("allowedDomains")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        id="enforced_domains"
        name="enforced_domains"
        label="Enforced domains"
        hint="Users with confirmed e-mail addresses in these domains must sign in with this provider. Administrators keep their passwords and passkeys, and personal access tokens keep working."
        defaultValue={draft.enforcedDomains}
        problems={of("enforcedDomains")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {draft.kind === "github" ? null : (
        <>
          <Field
            id="groups_claim"
            name="groups_claim"
            label="Groups claim"
            hint="The claim of the ID token or of UserInfo that lists the groups of a user, for example groups."
            defaultValue={draft.groupsClaim}
            problems={of("groupsClaim")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField
            id="group_rules"
            name="group_rules"
            label="Group rules"
            hint={texts.groupRulesHint}
            defaultValue={draft.groupRules}
            problems={of("groupRules")}
            rows={4}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          {isNew ? "Add provider" : "Save provider"}
        </Button>
        <ButtonLink href="/admin/identity_providers">Cancel</ButtonLink>
      </div>
    </form>
  );
}
